import type { ServerResponse } from 'node:http';

/** Whether the answer has been sent or can no longer be: its `close` has come or will never come. */
export const isClosed = (response: ServerResponse): boolean =>
  response.closed || response.destroyed || response.req.socket.destroyed;

/**
 * Calls back, once, when the answer has been sent or can no longer be: the client has gone away.
 * @param listener called with the response as `this`
 */
export const onceClosed = (response: ServerResponse, listener: (this: ServerResponse) => void): void =>
  void response.once('close', listener);
