import type { ServerResponse } from 'node:http';

/** Whether the answer has been sent or can no longer be: its `close` has come or will never come. */
export const isClosed = (response: ServerResponse): boolean =>
  response.closed || response.destroyed || response.req.socket.destroyed;

/** Whether the client has gone without its complete answer. */
export const isDisconnected = (response: ServerResponse): boolean =>
  isClosed(response) && !response.writableFinished;

/**
 * Calls back, once, when the answer has been sent or can no longer be: the client has gone away.
 * @param listener called with the response as `this`
 */
export const onceClosed = (response: ServerResponse, listener: (this: ServerResponse) => void): void =>
  void response.once('close', listener);

/** Event of a response: its handler has returned an answer or thrown an error. */
const HANDLED = 'handled';

/** Says that the handler of this response has ended; nothing happens the second time. */
export const markHandled = (response: ServerResponse, isStream = false): void =>
  void response.emit(HANDLED, isStream);

/**
 * Calls back, once, when the handler has ended, even if the client has gone before.
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
  // The client has gone, and the handler is still working. When it has ended, Nest or the handler ends the answer.
  const end = response.end.bind(response);
  response.end = ((...args: Parameters<typeof end>) => {
    markHandled(response);
    return end(...args);
  }) as typeof end;
}
