import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const QUEUED = Symbol('answers that wait behind others of their connection');
type Connection = Socket & { [QUEUED]?: Set<ServerResponse> };

/** Whether the answer has been sent or can no longer be: its `close` has come or will never come. */
export const isClosed = (response: ServerResponse): boolean =>
  response.closed || response.destroyed || response.req.socket.destroyed;

/**
 * Calls back, once, when the answer has been sent or can no longer be: the client has gone away.
 *
 * Node says nothing to answers that wait behind others of their connection (pipelining) when it closes; here
 * they get their `close` too.
 * @param listener called with the response as `this`
 */
export function onceClosed(response: ServerResponse, listener: (this: ServerResponse) => void): void {
  response.on('close', listener);
  if (response.socket === null) closeWithConnection(response);
}

function closeWithConnection(response: ServerResponse): void {
  const connection = response.req.socket as Connection;
  const queued = (connection[QUEUED] ??= closingWith(connection));
  if (queued.has(response)) return;
  queued.add(response);
  response.on('close', () => queued.delete(response));
}

function closingWith(connection: Socket): Set<ServerResponse> {
  const queued = new Set<ServerResponse>();
  connection.once('close', () => {
    // One that has begun to be sent since then is told by Node.
    for (const response of queued) if (response.socket === null) response.emit('close');
  });
  return queued;
}
