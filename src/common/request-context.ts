import { AsyncLocalStorage } from 'node:async_hooks';

/** What is known of the request that is being handled. */
interface RequestContext {
  readonly requestId: string;
  /** Known once the guard has let the request pass. */
  userId?: string;
}

const current = new AsyncLocalStorage<RequestContext>();

/** Handles a request: whatever `work` begins, now or later, belongs to it. */
export const runInRequest = (requestId: string, work: () => void): void => current.run({ requestId }, work);

/** The id of the request that is being handled; undefined outside of requests. */
export const currentRequestId = (): string | undefined => current.getStore()?.requestId;

/** The id of the user whose request is being handled; undefined outside of requests and before the guard. */
export const currentUserId = (): string | undefined => current.getStore()?.userId;

/** Says whose request is being handled. */
export function setCurrentUserId(userId: string): void {
  const context = current.getStore();
  if (context) context.userId = userId;
}
