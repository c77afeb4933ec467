import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isClosed, onceClosed } from '../common/http/answer-closed';
import { clientOf } from '../common/http/client';
import { hasLargeBody } from './heavy-requests';
import { Patience, patienceOf } from './patience';

/** For whom work is done. */
export interface Caller {
  /** Whose share and turns it takes. */
  readonly client: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly gone?: AbortSignal;
  /** What is left of the time that it may wait; absent: each of its waits has the whole of it. */
  readonly patience?: Patience;
  /** Whether its request has a body of more than 8 KB, or of a size that is not told. */
  readonly hasLargeBody?: boolean;
}

/** Work that no request asked for, of commands for example: one client. */
export const IN_PROCESS: Caller = { client: 'in process' };

/** Made once: without a reason each abort makes an error with a stack, at the end of every answer. */
const CLOSED = new Error('The answer was sent, or its client has gone');

/** Who sent a request. Most ask for nothing but the name: the rest is made where something waits. */
class RequestCaller implements Caller {
  private signal: AbortSignal | undefined;

  constructor(
    private readonly request: Request,
    private readonly response: Response,
  ) {}

  get client(): string {
    return clientOf(this.request);
  }

  get hasLargeBody(): boolean {
    return hasLargeBody(this.request);
  }

  get patience(): Patience {
    return patienceOf(this.request);
  }

  get gone(): AbortSignal {
    if (this.signal) return this.signal;
    const gone = new AbortController();
    const close = () => gone.abort(CLOSED);
    if (isClosed(this.response)) close();
    else onceClosed(this.response, close);
    return (this.signal = gone.signal);
  }
}

export function callerOf(context: ExecutionContext): Caller {
  const http = context.switchToHttp();
  return new RequestCaller(http.getRequest<Request>(), http.getResponse<Response>());
}

/**
 * Begins a wait of the caller.
 * @param lost called once when it has waited for too long or has gone, unless the wait has ended before
 * @returns ends the wait
 */
export function beginWait({ gone, patience = new Patience() }: Caller, lost: () => void): () => void {
  const giveUp = () => {
    end();
    lost();
  };
  const endPatience = patience.wait(giveUp);
  gone?.addEventListener('abort', giveUp);
  const end = () => {
    endPatience();
    gone?.removeEventListener('abort', giveUp);
  };
  return end;
}

/** The `Caller` of a request, as a parameter of its handler. */
export const AskedBy = createParamDecorator((_: unknown, context: ExecutionContext) => callerOf(context));
