import { Logger } from '@nestjs/common';
import { ManualClock } from '../../../../test/support/clock';
import { type Embedder } from './embedder';
import { EmbeddingUpdater } from './embedding-updater';
import { type EmbeddingsRepository, type StaleFormula } from './embeddings.repository';

const stale = (count: number): StaleFormula[] =>
  Array.from({ length: count }, (_, at) => ({ id: `f${at}`, updatedAt: new Date(at), text: `text ${at}` }));

describe('EmbeddingUpdater', () => {
  const forgetOtherMakers = jest.fn(() => Promise.resolve());
  const findStale = jest.fn(() => Promise.resolve<StaleFormula[]>([]));
  const store = jest.fn(() => Promise.resolve());
  let maker: string;
  let clock: ManualClock;
  let updater: EmbeddingUpdater;
  let warn: jest.SpyInstance;

  beforeEach(() => {
    jest.useFakeTimers();
    jest.clearAllMocks();
    findStale.mockReset().mockResolvedValue([]);
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    maker = 'one';
    clock = new ManualClock();
    const embed = (texts: string[]) => {
      clock.advance(250);
      return Promise.resolve(texts.map(() => new Float32Array(1)));
    };
    const current = () => Promise.resolve({ name: maker, embed });
    updater = new EmbeddingUpdater(
      { forgetOtherMakers, stale: findStale, store } as unknown as EmbeddingsRepository,
      { current } as unknown as Embedder,
      clock,
    );
  });
  afterEach(async () => {
    await updater.onModuleDestroy();
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it('looks ten seconds after the start, then every five', async () => {
    updater.onApplicationBootstrap();
    for (const [ms, looks] of [
      [9_999, 0],
      [1, 1],
      [4_999, 1],
      [1, 2],
    ] as const) {
      await jest.advanceTimersByTimeAsync(ms);
      expect(findStale).toHaveBeenCalledTimes(looks);
    }
  });

  it('rests nine times as long as a full batch took, and stamps each vector with the state that was read', async () => {
    findStale.mockResolvedValueOnce(stale(32)).mockResolvedValueOnce(stale(1));
    updater.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(12_249);
    expect(findStale).toHaveBeenCalledTimes(1);
    expect(findStale).toHaveBeenLastCalledWith(32);
    await jest.advanceTimersByTimeAsync(1);
    expect(findStale).toHaveBeenCalledTimes(2);
    expect(store).toHaveBeenLastCalledWith('one', [
      { id: 'f0', stamp: new Date(0), vector: expect.anything() },
    ]);
    await jest.advanceTimersByTimeAsync(4_999);
    expect(findStale).toHaveBeenCalledTimes(2);
  });

  it('forgets what another maker has made, once', async () => {
    expect(await updater.catchUp()).toBe(0);
    await updater.catchUp();
    expect(forgetOtherMakers.mock.calls).toEqual([['one']]);
    maker = 'two';
    await updater.catchUp();
    expect(forgetOtherMakers.mock.calls).toEqual([['one'], ['two']]);
  });

  it('forgets it the next time where the database fails first', async () => {
    forgetOtherMakers.mockRejectedValueOnce(new Error('down'));
    await expect(updater.catchUp()).rejects.toThrow('down');
    await updater.catchUp();
    expect(forgetOtherMakers.mock.calls).toEqual([['one'], ['one']]);
  });

  it('rests a minute after a failure, and says when failing begins, each time', async () => {
    const down = () => Promise.reject(new Error('down'));
    findStale.mockImplementationOnce(down).mockImplementationOnce(down);
    findStale.mockResolvedValueOnce([]).mockImplementationOnce(down);
    updater.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(10_000 + 59_999);
    expect(findStale).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(findStale).toHaveBeenCalledTimes(2);
    expect(warn).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(65_000);
    expect(findStale).toHaveBeenCalledTimes(4);
    expect(warn.mock.calls).toEqual([
      ['Embeddings cannot be brought up to date: down'],
      ['Embeddings cannot be brought up to date: down'],
    ]);
  });

  it('a stop waits for the look under way, and no other begins', async () => {
    let found = (_: StaleFormula[]): void => undefined;
    findStale.mockReturnValueOnce(new Promise((resolve) => (found = resolve)));
    updater.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(10_000);
    let stopped = false;
    const stopping = updater.onModuleDestroy().then(() => (stopped = true));
    await jest.advanceTimersByTimeAsync(0);
    expect(stopped).toBe(false);
    found(stale(1));
    await stopping;
    expect(store).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(findStale).toHaveBeenCalledTimes(1);
  });

  it('keeps no process alive', () => {
    const set = jest.spyOn(globalThis, 'setTimeout');
    updater.onApplicationBootstrap();
    expect((set.mock.results[0]?.value as NodeJS.Timeout).hasRef()).toBe(false);
  });

  it('a stop before the first look: there is none', async () => {
    updater.onApplicationBootstrap();
    await updater.onModuleDestroy();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(findStale).not.toHaveBeenCalled();
  });
});
