import { isServed } from './commands/running-service';
import { openWhenFree } from './directory-wait';
import { EmbeddedDatabaseInUseError } from './errors';

jest.mock('./commands/running-service');
jest.mock('node:timers/promises', () => ({
  setTimeout: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
}));

describe('A data directory that is in use', () => {
  const inUse = new EmbeddedDatabaseInUseError('data', 7, 'command');
  const told: string[] = [];
  let freeAt: number;
  let tries: number;
  const begin = () => {
    const open = () => {
      tries += 1;
      return performance.now() >= freeAt ? Promise.resolve('open') : Promise.reject(inUse);
    };
    return openWhenFree('data', open, (message) => told.push(message));
  };

  beforeEach(() => {
    jest.useFakeTimers();
    told.length = tries = 0;
    freeAt = performance.now();
    jest.mocked(isServed).mockResolvedValue(false);
  });
  afterEach(() => jest.useRealTimers());

  it('is waited for, which is said once', async () => {
    freeAt += 59_000;
    const opened = begin();
    await jest.advanceTimersByTimeAsync(59_500);
    expect(await opened).toBe('open');
    expect(told).toEqual([
      'The data directory data is in use by a command (pid 7): waiting up to 60 s for its end',
    ]);
  });

  it('is not waited for for longer than a minute', async () => {
    freeAt = Infinity;
    const refused = expect(begin()).rejects.toBe(inUse);
    await jest.advanceTimersByTimeAsync(60_500);
    await refused;
  });

  it('is refused at once where a service runs there, also where that has only begun to listen', async () => {
    freeAt = Infinity;
    jest.mocked(isServed).mockResolvedValueOnce(false).mockResolvedValue(true);
    const refused = expect(begin()).rejects.toBe(inUse);
    await jest.advanceTimersByTimeAsync(250);
    await refused;
    await expect(begin()).rejects.toBe(inUse);
    expect([tries, told.length]).toEqual([3, 1]);
  });

  it('is opened at once where it is free, and is not waited for where something else is wrong', async () => {
    expect(await begin()).toBe('open');
    const broken = () => Promise.reject(new Error('broken'));
    await expect(openWhenFree('data', broken, () => undefined)).rejects.toThrow('broken');
    expect(told).toEqual([]);
  });
});
