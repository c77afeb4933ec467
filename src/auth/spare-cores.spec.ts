import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { SpareCores } from './spare-cores';

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
  const all = availableParallelism();
  const allButOne = Math.max(1, all - 1);

  afterEach(() => jest.restoreAllMocks());

  it('gives all cores while the event loop has little to do, and keeps one while it has much', () => {
    const loop = eventLoop();
    const cores = new SpareCores();
    expect(cores.count()).toBe(all);
    loop.active += 30;
    expect(cores.count()).toBe(allButOne);
    loop.idle += 90;
    loop.active += 5;
    expect(cores.count()).toBe(all);
  });

  it('does not take one request for much to do', () => {
    const loop = eventLoop();
    const cores = new SpareCores();
    loop.active += 5;
    expect(cores.count()).toBe(all);
    loop.idle += 95;
    expect(cores.count()).toBe(all);
  });
});
