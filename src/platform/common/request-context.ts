import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { CurrentUser } from './current-user';
import { isClosed, onceClosed } from '../http/answer-closed';

/** Names of fields or parameters of a request. */
export interface SentNames {
  /** Absent until something, for example a class, has read the names. */
  unread?: ReadonlySet<string>;
  /** Names that were read individually. */
  readonly read: Set<string>;
}

/** The request that is being handled. */
export class RequestContext {
  /** Set once the guard has admitted the request. */
  user?: CurrentUser;
  /** Concurrency lane of the request, and the time it has waited for permits in milliseconds (see `concurrency/`). */
  lane?: string;
  waitedMs?: number;
  /** Names of the request's fields or parameters, by the header that lists the ignored ones. */
  sentNames?: Map<string, SentNames>;
  private disconnect?: AbortController;

  constructor(
    readonly requestId: string,
    readonly response: ServerResponse,
    /** Id of the request's trace, if it is recorded. */
    readonly traceId?: string,
  ) {}

  /** Aborts when the client disconnects before it has the complete answer. */
  get signal(): AbortSignal {
    this.disconnect ??= abortOnDisconnect(this.response);
    return this.disconnect.signal;
  }
}

function abortOnDisconnect(response: ServerResponse): AbortController {
  const controller = new AbortController();
  const abort = () => {
    if (!response.writableFinished) controller.abort();
  };
  if (isClosed(response)) abort();
  else onceClosed(response, abort);
  return controller;
}

/** Stores the current request, also in callbacks of timers; undefined outside requests. */
export const requestContext = new AsyncLocalStorage<RequestContext>();

/** Runs `work` as the handling of a request: everything that it starts has this request's context. */
export const runInRequest = (
  requestId: string,
  response: ServerResponse,
  work: () => void,
  traceId?: string,
): void => requestContext.run(new RequestContext(requestId, response, traceId), work);

/** Returns the user of the current request; undefined outside requests and before the guard. */
export const currentUser = (): CurrentUser | undefined => requestContext.getStore()?.user;

/** Sets the user of the current request. */
export function setCurrentUser(user: CurrentUser): void {
  const context = requestContext.getStore();
  if (context) context.user = user;
}
