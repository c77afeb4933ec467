import { openWhenFree } from './directory-wait';
import { EmbeddedDatabaseInUseError } from './errors';

jest.mock('node:timers/promises', () => ({
  setTimeout: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
}));

describe('A data directory that is in use', () => {
  const inUse = new EmbeddedDatabaseInUseError('data', 7, 'command');
  const told: string[] = [];
  let freeAt: number;
  const begin = () => {
    const open = () => {
      return performance.now() >= freeAt ? Promise.resolve('open') : Promise.reject(inUse);
    };
    return openWhenFree(open, (message) => told.push(message));
  };

  beforeEach(() => {
    jest.useFakeTimers();
    told.length = 0;
    freeAt = performance.now();
  });
  afterEach(() => jest.useRealTimers());

  it('is waited for, which is said once', async () => {
    freeAt += 29_000;
    const opened = begin();
    await jest.advanceTimersByTimeAsync(29_500);
    expect(await opened).toBe('open');
    expect(told).toEqual([`${inUse.message} Waiting for it for up to 30 s`]);
  });

  it('is not waited for for longer than half a minute', async () => {
    freeAt = Infinity;
    const refused = expect(begin()).rejects.toBe(inUse);
    await jest.advanceTimersByTimeAsync(30_500);
    await refused;
  });

  it('is opened at once where it is free, and is not waited for where something else is wrong', async () => {
    expect(await begin()).toBe('open');
    const broken = () => Promise.reject(new Error('broken'));
    await expect(openWhenFree(broken, () => undefined)).rejects.toThrow('broken');
    expect(told).toEqual([]);
  });
});
