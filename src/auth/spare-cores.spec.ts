import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { SpareCores } from './spare-cores';

jest.mock('node:os', () => ({ ...jest.requireActual<object>('node:os'), availableParallelism: jest.fn() }));
const cores = jest.mocked(availableParallelism);

/** An event loop that has been idle and active for so many milliseconds since the process began. */
function eventLoop() {
  const loop = { idle: 0, active: 0 };
  jest.spyOn(performance, 'eventLoopUtilization').mockImplementation((now, since) => {
    const idle = (now?.idle ?? loop.idle) - (since?.idle ?? 0);
    const active = (now?.active ?? loop.active) - (since?.active ?? 0);
    return { idle, active, utilization: active / (idle + active || 1) };
  });
  return loop;
}

describe('SpareCores', () => {
  const all = 2;
  const allButOne = 1;

  beforeEach(() => cores.mockReturnValue(2));

  afterEach(() => jest.restoreAllMocks());

  it('gives all cores while the event loop has little to do, and keeps one while it has much', () => {
    const loop = eventLoop();
    const spare = new SpareCores();
    expect(spare.count()).toBe(all);
    loop.active += 30;
    expect(spare.count()).toBe(allButOne);
    loop.idle += 90;
    loop.active += 5;
    expect(spare.count()).toBe(all);
  });

  it('judges by what was lately', () => {
    const loop = eventLoop();
    const spare = new SpareCores();
    loop.idle += 10_000;
    expect(spare.count()).toBe(all);
    loop.active += 30;
    expect(spare.count()).toBe(allButOne);
  });

  it('does not take one request for much to do', () => {
    const loop = eventLoop();
    const spare = new SpareCores();
    loop.active += 5;
    expect(spare.count()).toBe(all);
    loop.idle += 95;
    expect(spare.count()).toBe(all);
  });

  it.each([
    [1, 1],
    [3, 3],
    [64, 3],
  ])('of %d idle cores %d: a thread is left for files and name lookups', (there, spare) => {
    eventLoop();
    cores.mockReturnValue(there);
    expect(new SpareCores().count()).toBe(spare);
  });
});
