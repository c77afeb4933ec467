import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { TooManyRequestsError, UnavailableError } from '../common/errors/service-error';
import { isClosed } from '../common/http/answer-closed';
import { clientOf } from '../common/http/client';
import { requestContext } from '../common/request-context';
import { text } from '../common/texts/text';
import { Environment } from '../config/environment';
import { type FairSemaphore, QueueFullError } from './fair-semaphore';
import { createLanes, isDatabaseLane, type Lane } from './lanes';

/** How long a request waits for permits until its answer begins, all its waits together. */
const WAIT_MS = 30_000;

const RETRY_AFTER_SECONDS = 2;

export const serverBusy = () =>
  new UnavailableError(text('server.busy'), { 'Retry-After': String(RETRY_AFTER_SECONDS) });

/** Bounds how much of each kind of work runs at once, with fair turns between the clients. */
@Injectable()
export class ConcurrencyLimiter {
  /** @internal */
  readonly lanes: ReturnType<typeof createLanes>;

  constructor(environment: Environment) {
    this.lanes = createLanes(environment);
  }

  /**
   * Does work when there is a permit for the client of the current request. Work that no request caused
   * needs none; nor does what runs in the lane already, or in another one of the database: it might wait for
   * itself.
   * @throws UnavailableError when there is none in time, or the client has gone
   */
  async run<T>(lane: Lane, work: () => Promise<T>): Promise<T> {
    const request = requestContext.getStore();
    if (!request || hasPermit(request.lane, lane)) return work();
    const outer = request.lane;
    const release = await this.acquire(lane, request.response);
    request.lane = lane;
    try {
      return await work();
    } finally {
      request.lane = outer;
      release();
    }
  }

  /**
   * @internal
   * @returns what gives the permit back
   * @throws UnavailableError as `run`, TooManyRequestsError where too many of the client's requests wait
   */
  async acquire(lane: Lane, response: ServerResponse): Promise<() => void> {
    const semaphore = this.lanes[lane];
    if (isClosed(response)) throw serverBusy();
    const client = clientOf(response.req as Request);
    if (!semaphore.tryAcquire(client)) await this.wait(semaphore, client, response);
    return () => semaphore.release(client);
  }

  private wait(semaphore: FairSemaphore, client: string, response: ServerResponse): Promise<void> {
    const request = requestContext.getStore();
    // An answer that has begun waits for each of its parts anew.
    const waitedMs = response.headersSent ? 0 : (request?.waitedMs ?? 0);
    const since = performance.now();
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        response.off('close', giveUp);
        if (request) request.waitedMs = waitedMs + performance.now() - since;
      };
      const giveUp = () => {
        leave();
        end();
        reject(serverBusy());
      };
      const leave = enqueue(semaphore, client, () => {
        end();
        resolve();
      });
      const timer = setTimeout(giveUp, WAIT_MS - waitedMs).unref();
      response.once('close', giveUp);
    });
  }
}

/** @throws TooManyRequestsError when too many of the client's requests wait */
function enqueue(semaphore: FairSemaphore, client: string, start: () => void): () => void {
  try {
    return semaphore.enqueue(client, start);
  } catch (error) {
    throw error instanceof QueueFullError ? new TooManyRequestsError(RETRY_AFTER_SECONDS) : error;
  }
}

const hasPermit = (held: string | undefined, lane: Lane): boolean =>
  held !== undefined && (held === lane || (isDatabaseLane(held) && isDatabaseLane(lane)));
