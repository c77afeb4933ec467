import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { CurrentUser } from './current-user';
import { isClosed, onceClosed } from './http/answer-closed';

/** Names of fields or parameters of a request. */
export interface SentNames {
  /** Absent until a class, or nothing at all, has read them. */
  unread?: ReadonlySet<string>;
  /** Those that were read one by one. */
  readonly read: Set<string>;
}

/** The request that is being handled. */
export class RequestContext {
  /** Set once the guard has let the request pass. */
  user?: CurrentUser;
  /** The lane in which it is being handled, and how long it has waited for permits (see `concurrency/`). */
  lane?: string;
  waitedMs?: number;
  /** What is read of the names that were sent, by the header that lists the ignored ones. */
  sentNames?: Map<string, SentNames>;
  private disconnect?: AbortController;

  constructor(
    readonly requestId: string,
    readonly response: ServerResponse,
    /** Of the trace that is recorded of the request, if any. */
    readonly traceId?: string,
  ) {}

  /** Aborts when the client disconnects before it has its complete answer. */
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

/** Holds the request that is being handled, also in callbacks of timers; undefined outside of requests. */
export const requestContext = new AsyncLocalStorage<RequestContext>();

/** Handles a request: everything that `work` starts belongs to it. */
export const runInRequest = (
  requestId: string,
  response: ServerResponse,
  work: () => void,
  traceId?: string,
): void => requestContext.run(new RequestContext(requestId, response, traceId), work);

/** The user whose request is being handled; undefined outside of requests and before the guard. */
export const currentUser = (): CurrentUser | undefined => requestContext.getStore()?.user;

/** Says whose request is being handled. */
export function setCurrentUser(user: CurrentUser): void {
  const context = requestContext.getStore();
  if (context) context.user = user;
}
