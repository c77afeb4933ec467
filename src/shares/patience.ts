import type { Request } from 'express';
import { UnavailableError } from '../common/errors/service-error';
import { text } from '../common/texts/text';

/** How long a request waits for places and turns, in milliseconds: all its waits together. */
export const REQUEST_PATIENCE_MS = 30_000;

/** Seconds after which it is worth trying again. */
export const RETRY_AFTER = 2;

/** What is told who has waited for too long, or nobody, because the client has gone. */
export const tooLong = (): UnavailableError =>
  new UnavailableError(text('server.busy'), { 'Retry-After': String(RETRY_AFTER) });

/** The time that a request may still wait. What it works on between its waits takes nothing of it. */
export class Patience {
  private left = REQUEST_PATIENCE_MS;

  /**
   * Begins a wait.
   * @param lost called when no time is left, unless the wait has ended before
   * @returns ends the wait
   */
  wait(lost: () => void): () => void {
    const since = performance.now();
    const timer = setTimeout(lost, this.left).unref();
    return () => {
      clearTimeout(timer);
      this.left -= performance.now() - since;
    };
  }
}

const PATIENCE = Symbol('patience');

/** The patience of a request, which it takes to all its waits. */
export const patienceOf = (request: Request): Patience =>
  ((request as { [PATIENCE]?: Patience })[PATIENCE] ??= new Patience());
