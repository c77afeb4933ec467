import { AsyncLocalStorage } from 'node:async_hooks';
import { AiScheduler } from './ai-scheduler';

describe('AiScheduler', () => {
  const scheduler = new AiScheduler();
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('has a time that only moves forward, whatever the wall clock does', () => {
    jest.spyOn(Date, 'now').mockReturnValue(0);
    jest.spyOn(performance, 'now').mockReturnValue(12.5);
    expect(scheduler.now()).toBe(12.5);
  });

  it('does work with its state when its time has come, and not what was taken back', () => {
    jest.useFakeTimers();
    const done: unknown[] = [];
    const work = (state?: string): void => void done.push(state);
    scheduler.schedule(work, 100, 'a');
    scheduler.schedule(work, 100, 'taken back').unsubscribe();
    jest.advanceTimersByTime(99);
    expect(done).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(done).toEqual(['a']);
  });

  it('does it in the context of whoever asked for it', async () => {
    const request = new AsyncLocalStorage<string>();
    const seen = await new Promise((resolve) =>
      request.run('a', () => scheduler.schedule((state) => resolve([request.getStore(), state]), 1, 'state')),
    );
    expect(seen).toEqual(['a', 'state']);
  });
});
