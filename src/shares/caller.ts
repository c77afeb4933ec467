import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { CurrentUser } from '../common/access/current-user';
import { isClosed, onceClosed } from '../common/http/answer-closed';
import { clientOf } from '../common/http/client';
import type { SignedInRequest } from '../common/http/current-user.decorator';
import { hasLargeBody } from './heavy-requests';
import { Patience, patienceOf } from './patience';

/** Says when nobody waits for an answer any more. An `AbortSignal` is one, but dear to make. */
export interface Departure {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** For whom work is done. */
export interface Caller {
  /** Whose share and turns it takes. */
  readonly client: string;
  /** Absent: somebody waits to the end. */
  readonly gone?: Departure;
  /** What is left of the time that it may wait; absent: each of its waits has the whole of it. */
  readonly patience?: Patience;
  /** Whether its request has a body of more than 8 KB, or of a size that is not told. */
  readonly hasLargeBody?: boolean;
}

/**
 * A caller and the signed-in user. A handler that needs both has one parameter for them: for each parameter
 * but the request itself Nest runs all pipes, which is ten promises more.
 */
export interface SignedInCaller extends Caller {
  readonly user: CurrentUser;
}

/** Work that no request asked for, of commands for example: one client. */
export const IN_PROCESS: Caller = { client: 'in process' };

/** The answer was sent, or its client has gone. */
class AnswerClosed implements Departure {
  constructor(private readonly response: Response) {}

  get aborted(): boolean {
    return isClosed(this.response);
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    onceClosed(this.response, listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.response.off('close', listener);
  }
}

/** Who sent a request. On public routes there is no user. */
class RequestCaller implements SignedInCaller {
  constructor(
    private readonly request: SignedInRequest,
    private readonly response: Response,
  ) {}

  get user(): CurrentUser {
    return this.request.user;
  }

  get client(): string {
    return clientOf(this.request);
  }

  get hasLargeBody(): boolean {
    return hasLargeBody(this.request);
  }

  get patience(): Patience {
    return patienceOf(this.request);
  }

  get gone(): Departure {
    return new AnswerClosed(this.response);
  }
}

/** Who sent a request. @param response the request's, which Express keeps with it */
export function callerOf(request: SignedInRequest, response?: Response): SignedInCaller;
export function callerOf(request: Request, response?: Response): Caller;
export function callerOf(request: Request, response = request.res!): Caller {
  return new RequestCaller(request as SignedInRequest, response);
}

/** The same of the request that a guard or an interceptor stands before. */
export function callerIn(context: ExecutionContext): Caller {
  const http = context.switchToHttp();
  return callerOf(http.getRequest<Request>(), http.getResponse<Response>());
}

/**
 * Begins a wait of the caller.
 * @param lost called once when it has waited for too long or has gone, unless the wait has ended before
 * @returns ends the wait
 */
export function beginWait({ gone, patience = new Patience() }: Caller, lost: () => void): () => void {
  let hasEnded = false;
  const giveUp = () => {
    // An emitter still calls who leaves while it calls the others.
    if (hasEnded) return;
    end();
    lost();
  };
  const endPatience = patience.wait(giveUp);
  gone?.addEventListener('abort', giveUp);
  const end = () => {
    hasEnded = true;
    endPatience();
    gone?.removeEventListener('abort', giveUp);
  };
  return end;
}

/**
 * The `Caller` of a request, as a parameter of its handler; a `SignedInCaller` where the route is not public.
 */
export const AskedBy = createParamDecorator((_: unknown, context: ExecutionContext) => callerIn(context));
