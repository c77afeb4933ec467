import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const KNOWN = Symbol('a request has come on this connection');
type Connection = Socket & { [KNOWN]?: true };

/**
 * Handles a request, the first of its connection only if its client is still there after two turns of the
 * event loop. Where new connections had to wait, many of their clients have left by then, and to find that
 * out costs least before anything is done: the request is read in one turn, the connection's end in the next.
 * One that has ended only its own side counts as gone: Node would end the other, too.
 */
export function unlessGone(request: IncomingMessage, handle: () => void): void {
  const connection = request.socket as Connection;
  if (connection[KNOWN]) return handle();
  connection[KNOWN] = true;
  setImmediate(() =>
    setImmediate(() => {
      if (!connection.destroyed) handle();
    }),
  );
}
