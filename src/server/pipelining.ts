import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { bindContext } from '../common/async-context';
import { unlessGone } from './first-requests';

/** Requests that may wait on one connection; one with more is closed: nobody waits for that many answers. */
const MOST_WAITING = 1000;

const WAITING = Symbol('requests that wait on this connection');
type Connection = Socket & { [WAITING]?: number };

/**
 * Puts `inTurn` and `unlessGone` before whatever handles the server's requests by now: even Express's first
 * steps, done for all that wait or have left, would make others wait.
 */
export function handleInTurn(server: Server): void {
  const listeners = server.rawListeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) =>
    inTurn(response, () =>
      unlessGone(request, () => {
        for (const listener of listeners) listener.call(server, request, response);
      }),
    ),
  );
}

/**
 * Handles a request, or, where others of its connection are not answered yet, lets it wait for its turn. A
 * client may send requests without waiting for answers (pipelining), and Node hands them out all at once; the
 * answers leave one after the other all the same. If the connection closes before its turn, it is dropped.
 */
export function inTurn(response: ServerResponse, handle: () => void): void {
  // Node gives the connection to one answer at a time.
  if (response.socket !== null) return handle();
  const connection = response.req.socket as Connection;
  const waiting = (connection[WAITING] ?? 0) + 1;
  connection[WAITING] = waiting;
  if (waiting > MOST_WAITING) connection.destroy();
  // Its turn comes in the middle of another request's work, of which it is no part.
  const handleApart = bindContext(handle);
  const assign = response.assignSocket.bind(response);
  response.assignSocket = (socket) => {
    assign(socket);
    connection[WAITING]! -= 1;
    handleApart();
  };
}
