import type { ServerResponse } from 'node:http';
import type { CurrentUser } from './access/current-user';
import { AsyncVariable } from './async-context';
import { isClosed, onceClosed } from './http/answer-closed';

/** Something that a request waits for and nobody else needs. */
export interface Abandonable {
  /** Nobody waits for it any more. */
  abandon(): void;
}

/** Names of fields or parameters of a request. */
export interface SentNames {
  /** Absent until a class, or nothing at all, has read them. */
  unread?: ReadonlySet<string>;
  /** Those that were read one by one. */
  readonly read: Set<string>;
}

/** What is known of the request that is being handled. */
interface RequestContext {
  readonly requestId: string;
  readonly response: ServerResponse;
  /** Of the trace that is recorded of it, if any. */
  readonly traceId: string | undefined;
  /** What it waits for at the moment; absent until there was something. */
  waitsFor?: Set<Abandonable>;
  /** What is read of the names that were sent, by the header that tells which are ignored. */
  sentNames?: Map<string, SentNames>;
  /** Known once the guard has let the request pass. */
  user?: CurrentUser;
  /** The lane in which it is being handled, and how long it has waited for permits (see `concurrency/`). */
  lane?: string;
  waitedMs?: number;
}

const current = new AsyncVariable<RequestContext>();

/** Handles a request: what `work` begins belongs to it, as far as `AsyncVariable` finds it. */
export const runInRequest = (
  requestId: string,
  response: ServerResponse,
  work: () => void,
  traceId?: string,
): void => current.run({ requestId, response, traceId }, work);

/** What is known of the request that is being handled; undefined outside of requests. */
export const currentRequest = (): RequestContext | undefined => current.get();

/** The id of the request that is being handled; undefined outside of requests. */
export const currentRequestId = (): string | undefined => current.get()?.requestId;

/** The answer to the request that is being handled, and what it has to say of ignored names. */
export const currentAnswer = (): Pick<RequestContext, 'response' | 'sentNames'> | undefined => current.get();

/** The id of the trace that is recorded of it; undefined where none is. */
export const currentTraceId = (): string | undefined => current.get()?.traceId;

/** Whose request is being handled; undefined outside of requests and before the guard. */
export const currentUser = (): CurrentUser | undefined => current.get()?.user;

/** Says whose request is being handled. */
export function setCurrentUser(user: CurrentUser): void {
  const context = current.get();
  if (context) context.user = user;
}

/**
 * The request that is being handled waits for this: it is abandoned when the client goes away before it has
 * its answer, at once when it has gone already. Outside of requests nothing happens.
 * @returns where it is to be deleted when it has ended
 */
export function awaitedByRequest(work: Abandonable): Set<Abandonable> | undefined {
  const context = current.get();
  if (!context) return undefined;
  const { response } = context;
  if (isClosed(response) && !response.writableFinished) work.abandon();
  const waitsFor = (context.waitsFor ??= abandonedAtClose(response));
  return waitsFor.add(work);
}

function abandonedAtClose(response: ServerResponse): Set<Abandonable> {
  const waitsFor = new Set<Abandonable>();
  onceClosed(response, () => {
    if (response.writableFinished) return;
    for (const work of waitsFor) work.abandon();
  });
  return waitsFor;
}
