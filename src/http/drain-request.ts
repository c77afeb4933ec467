import type { IncomingMessage, ServerResponse } from 'node:http';

/** Bytes of an unread body that are discarded, and how long they may take to come. */
const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 5000;

/**
 * Discards what is still on its way of a body that no handler has read, so that a client that sends first and
 * reads later sees its answer. Node by itself discards without a limit, and resets a connection that it
 * closes while data comes in: the client would lose the answer.
 */
export function drainRequest(request: IncomingMessage, response: ServerResponse): void {
  // Tell the client not to use the connection again: the rest will not be read.
  if (Number(request.headers['content-length']) > MAX_BYTES) response.setHeader('Connection', 'close');
  // The whole answer is with the socket, and Node has not yet closed the connection.
  response.once('prefinish', () => {
    if (request.complete || request.destroyed) return;
    const { socket } = request;
    let bytes = 0;
    let isClosing = false;
    /** Ends our side behind the answer and leaves the client's open. */
    const endOurSide = () => {
      isClosing = true;
      socket.end();
    };
    socket.destroySoon = endOurSide;
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BYTES) return;
      request.pause();
      endOurSide();
    };
    let timer: NodeJS.Timeout | undefined;
    response.once('finish', () => (timer = setTimeout(() => socket.destroy(), TIMEOUT_MS).unref()));
    request.on('data', count).once('close', () => {
      clearTimeout(timer);
      Reflect.deleteProperty(socket, 'destroySoon');
      if (isClosing) socket.destroySoon();
    });
    request.resume();
  });
}
