import { within } from './within';

describe('within', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
  const tooLong = jest.fn(() => new Error('too long'));
  beforeEach(() => tooLong.mockClear());

  it('gives what the work gives, and leaves no timer', async () => {
    await expect(within(10, tooLong, () => Promise.resolve(1))).resolves.toBe(1);
    await expect(within(10, tooLong, () => Promise.reject(new Error('own')))).rejects.toThrow('own');
    expect(jest.getTimerCount()).toBe(0);
    expect(tooLong).not.toHaveBeenCalled();
  });

  it('gives up after its patience, not before', async () => {
    const ended = jest.fn();
    const waiting = within(10, tooLong, () => new Promise(() => undefined)).catch(ended);
    await jest.advanceTimersByTimeAsync(9);
    expect(ended).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    await waiting;
    expect(ended).toHaveBeenCalledWith(new Error('too long'));
    expect(tooLong).toHaveBeenCalledTimes(1);
  });
});
