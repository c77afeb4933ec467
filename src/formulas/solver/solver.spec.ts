import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { Worker } from 'node:worker_threads';
import { RequestContext, requestContext } from '../../platform/common/request-context';
import type { ConcurrencyLimiter } from '../../platform/request-limits/concurrency-limiter';
import type { Problem } from './linear-program';
import { Solver } from './solver';

/** A worker that says what the test has it say. */
class MockWorker extends EventEmitter {
  readonly terminate = jest.fn(() => Promise.resolve(1));
}
jest.mock('node:worker_threads', () => ({ Worker: jest.fn(() => new MockWorker()) }));
jest.mock('node:fs', () => ({ ...jest.requireActual<object>('node:fs'), existsSync: jest.fn(() => true) }));

const problem: Problem = { objective: 'least-change', decimals: 3, present: [100], costs: ['0'], wishes: [] };
const run = jest.fn((_: string, work: () => Promise<unknown>) => work());
const solver = new Solver({ run } as unknown as ConcurrencyLimiter);

function begin() {
  const solving = solver.solve(problem);
  solving.catch(() => undefined);
  const worker = jest.mocked(Worker).mock.results.at(-1)!.value as MockWorker;
  return { solving, worker, say: (message: object) => worker.emit('message', message) };
}

afterEach(() => jest.useRealTimers());

it('gives the problem to a thread with a bound on its time and memory, in the lane of the solver', async () => {
  const { solving, worker, say } = begin();
  expect(jest.mocked(Worker).mock.lastCall).toEqual([
    expect.stringMatching(/linear-program\.js$/),
    { workerData: { problem, timeoutMs: 20_000 }, resourceLimits: { maxOldGenerationSizeMb: 256 } },
  ]);
  say({ percentages: [100] });
  expect(await solving).toEqual({ percentages: [100] });
  expect(worker.terminate).toHaveBeenCalled();
  expect(run).toHaveBeenCalledWith('solver', expect.any(Function));
});

it('says if a problem takes too long or too much memory, or cannot be rounded', async () => {
  const slow = begin();
  slow.say({ failure: 'too-demanding' });
  await expect(slow.solving).rejects.toMatchObject({ status: 409, text: { code: 'solve.too-demanding' } });

  const large = begin();
  large.worker.emit('error', Object.assign(new Error('x'), { code: 'ERR_WORKER_OUT_OF_MEMORY' }));
  await expect(large.solving).rejects.toMatchObject({ text: { code: 'solve.too-demanding' } });

  const coarse = begin();
  coarse.say({ failure: 'not-rounded' });
  await expect(coarse.solving).rejects.toMatchObject({ status: 409, text: { code: 'solve.not-rounded' } });

  jest.useFakeTimers();
  const silent = begin();
  jest.advanceTimersByTime(25_000);
  await expect(silent.solving).rejects.toMatchObject({ text: { code: 'solve.too-demanding' } });
  expect(silent.worker.terminate).toHaveBeenCalled();
});

it('passes on an error of the thread', async () => {
  const { solving, worker } = begin();
  worker.emit('error', new Error('broken'));
  await expect(solving).rejects.toThrow('broken');
});

it('ends the thread when the client disconnects', async () => {
  const response = new EventEmitter() as unknown as ServerResponse;
  Object.assign(response, { req: { socket: {} } });
  await requestContext.run(new RequestContext('1', response), async () => {
    const { solving, worker } = begin();
    response.emit('close');
    await expect(solving).rejects.toMatchObject({ status: 503 });
    expect(worker.terminate).toHaveBeenCalled();
    const late = begin();
    await expect(late.solving).rejects.toMatchObject({ status: 503 });
  });
});

it('solves in its own thread where nothing is compiled', async () => {
  jest.mocked(existsSync).mockReturnValueOnce(false);
  expect(await solver.solve(problem)).toEqual({ percentages: [100] });
});
