import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { TooManyRequestsError, UnavailableError } from '../common/errors/service-error';
import { isClosed } from '../http/answer-closed';
import { clientOf } from '../http/client';
import { requestContext } from '../common/request-context';
import { text } from '../texts/text';
import { Environment } from '../config/environment';
import { type FairSemaphore, QueueFullError } from './fair-semaphore';
import { createLanes, isDatabaseLane, type Lane } from './lanes';

/** Time that a request may wait for permits before its answer begins, in all lanes together, in milliseconds. */
const WAIT_MS = 30_000;

const RETRY_AFTER_SECONDS = 2;

export const serverBusy = () =>
  new UnavailableError(text('server.busy'), { 'Retry-After': String(RETRY_AFTER_SECONDS) });

/** Limits how much of each kind of work runs at once, and serves clients in turn. */
@Injectable()
export class ConcurrencyLimiter {
  /** @internal */
  readonly lanes: ReturnType<typeof createLanes>;

  constructor(environment: Environment) {
    this.lanes = createLanes(environment);
  }

  /**
   * Runs work as soon as the client of the current request gets a permit. No permit is needed outside requests, and
   * none for nested work in the same lane or another lane of the database, which could otherwise wait for itself.
   * @throws UnavailableError if there is no permit in time, or the client disconnects
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
   * @returns a function that releases the permit
   * @throws UnavailableError as in `run`; TooManyRequestsError if too many of the client's requests are waiting
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
    // After an answer has begun, the wait for each of its parts is limited separately.
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

/** @throws TooManyRequestsError if too many of the client's requests are waiting */
function enqueue(semaphore: FairSemaphore, client: string, start: () => void): () => void {
  try {
    return semaphore.enqueue(client, start);
  } catch (error) {
    throw error instanceof QueueFullError ? new TooManyRequestsError(RETRY_AFTER_SECONDS) : error;
  }
}

const hasPermit = (held: string | undefined, lane: Lane): boolean =>
  held !== undefined && (held === lane || (isDatabaseLane(held) && isDatabaseLane(lane)));
