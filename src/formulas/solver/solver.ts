import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Injectable } from '@nestjs/common';
import { ConflictError } from '../../platform/common/errors/service-error';
import { requestContext } from '../../platform/common/request-context';
import { ConcurrencyLimiter, serverBusy } from '../../platform/request-limits/concurrency-limiter';
import { text } from '../../platform/texts/text';
import { type Problem, solve, type Solution } from './linear-program';

/** Missing if the service runs from its TypeScript sources, as in tests. It then solves in its own thread. */
const COMPILED_WORKER = join(__dirname, 'linear-program.js');

/** Time for one problem, and for the thread to start and end. */
const TIMEOUT_MS = 20_000;
const THREAD_MS = TIMEOUT_MS + 5000;

const MAX_HEAP_MB = 256;

export type Solved = Exclude<Solution, { readonly failure: unknown }>;

/** Solves problems in worker threads, few at once. */
@Injectable()
export class Solver {
  constructor(private readonly limiter: ConcurrencyLimiter) {}

  /** @throws ConflictError if it takes too long, or no rounded percentages fulfil the wishes; UnavailableError */
  async solve(problem: Problem): Promise<Solved> {
    const solution = await this.limiter.run('solver', () => solveInThread(problem));
    if (!('failure' in solution)) return solution;
    if (solution.failure === 'too-demanding') throw tooDemanding();
    throw new ConflictError(text('solve.not-rounded', { decimals: problem.decimals }));
  }
}

const tooDemanding = () => new ConflictError(text('solve.too-demanding'));

/** Ends the thread when the client disconnects. */
function solveInThread(problem: Problem): Promise<Solution> {
  if (!existsSync(COMPILED_WORKER)) return solve(problem, TIMEOUT_MS);
  const signal = requestContext.getStore()?.signal;
  return new Promise((resolve, reject) => {
    const worker = new Worker(COMPILED_WORKER, {
      workerData: { problem, timeoutMs: TIMEOUT_MS },
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      void worker.terminate();
      settle();
    };
    const abort = () => end(() => reject(serverBusy()));
    const timer = setTimeout(() => end(() => reject(tooDemanding())), THREAD_MS);
    signal?.addEventListener('abort', abort);
    worker.once('message', (solution: Solution) => end(() => resolve(solution)));
    worker.once('error', (error: NodeJS.ErrnoException) =>
      end(() => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooDemanding() : error)),
    );
    if (signal?.aborted) abort();
  });
}
