import { noteRunningGroup, watchRunningGroup } from './running-group';

describe('watchRunningGroup', () => {
  const onStuck = jest.fn();
  let running: ReturnType<typeof noteRunningGroup>;
  let end: () => void;

  beforeEach(() => {
    jest.useFakeTimers();
    onStuck.mockClear();
    running = noteRunningGroup();
    end = watchRunningGroup(running, 30, (client) => client === 7, onStuck);
  });
  afterEach(() => {
    end();
    jest.useRealTimers();
  });

  const note = (group: number, client: number) => {
    running[0] = group;
    running[1] = client;
  };

  it('tells of a group that has run for longer than the limit, not before', () => {
    note(1, 2);
    jest.advanceTimersByTime(30_000);
    expect(onStuck).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1000);
    expect(onStuck.mock.calls).toEqual([[30]]);
  });

  it('tells of it once, however long it takes until the thread runs again', () => {
    note(1, 2);
    jest.advanceTimersByTime(60_000);
    expect(onStuck).toHaveBeenCalledTimes(1);
    note(1, 2);
    jest.advanceTimersByTime(31_000);
    expect(onStuck).toHaveBeenCalledTimes(2);
  });

  it('begins anew with another group of the same client', () => {
    note(1, 2);
    jest.advanceTimersByTime(30_000);
    note(3, 2);
    jest.advanceTimersByTime(30_000);
    expect(onStuck).not.toHaveBeenCalled();
  });

  it('minds neither an idle thread nor who is exempt', () => {
    jest.advanceTimersByTime(60_000);
    note(1, 7);
    jest.advanceTimersByTime(60_000);
    expect(onStuck).not.toHaveBeenCalled();
  });

  it('ends, and keeps no process', () => {
    const timer = jest.spyOn(global, 'setInterval');
    const other = watchRunningGroup(running, 30, () => false, onStuck);
    expect((timer.mock.results[0]!.value as NodeJS.Timeout).hasRef()).toBe(false);
    other();
    end();
    expect(jest.getTimerCount()).toBe(0);
  });
});
