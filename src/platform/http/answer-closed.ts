import type { ServerResponse } from 'node:http';

/** Returns true if the answer has been sent or can no longer be sent. `close` was emitted or never will be. */
export const isClosed = (response: ServerResponse): boolean =>
  response.closed || response.destroyed || response.req.socket.destroyed;

/** Returns true if the client has disconnected before it had the complete answer. */
export const isDisconnected = (response: ServerResponse): boolean =>
  isClosed(response) && !response.writableFinished;

/**
 * Calls `listener` once, when the answer has been sent or the client has disconnected.
 * @param listener called with the response as `this`
 */
export const onceClosed = (response: ServerResponse, listener: (this: ServerResponse) => void): void =>
  void response.once('close', listener);

/** Event of a response: its handler has returned an answer or thrown an error. */
const HANDLED = 'handled';

/** Reports that the handler of this response has ended. A second call has no effect. */
export const markHandled = (response: ServerResponse, isStream = false): void =>
  void response.emit(HANDLED, isStream);

/**
 * Calls `listener` once, when the handler has ended, even if the client has disconnected earlier.
 * @param listener receives true if the handler has returned a stream, which is still to be sent
 */
export function onceHandled(response: ServerResponse, listener: (isStream: boolean) => void): void {
  response.once(HANDLED, listener);
  if (isClosed(response)) markHandledAtEnd(response);
  else onceClosed(response, () => markHandledAtEnd(response));
}

function markHandledAtEnd(response: ServerResponse): void {
  // The handler has sent its answer itself.
  if (response.writableEnded) return markHandled(response);
  // The client has disconnected while the handler is working. Later Nest or the handler calls `end`.
  const end = response.end.bind(response);
  response.end = ((...args: Parameters<typeof end>) => {
    markHandled(response);
    return end(...args);
  }) as typeof end;
}
