import type { IncomingMessage, ServerResponse } from 'node:http';

/** What is discarded at most of a body that nobody reads. */
export class DiscardBounds {
  /**
   * @param bytes of the body
   * @param milliseconds from the answer on; so long its client has to read it
   */
  constructor(
    readonly bytes = 1024 * 1024,
    readonly milliseconds = 5000,
  ) {}
}

/**
 * Lets an answer that leaves while its request's body is still on its way reach a client that sends first and
 * reads later, without swallowing for ever what comes: that is discarded within `bounds`. A body that ends in
 * time leaves the connection usable; else it is closed. Node by itself discards without limit, and resets the
 * connection after an answer that says `Connection: close`, which can cost the client the answer.
 */
export function discardUnreadBody(
  request: IncomingMessage,
  response: ServerResponse,
  bounds: DiscardBounds,
): void {
  // No route reads that much, and nobody waits for it.
  if (Number(request.headers['content-length']) > bounds.bytes) response.setHeader('Connection', 'close');
  // Emitted when the whole answer is with the socket, before Node decides what becomes of the connection.
  response.once('prefinish', () => {
    if (!request.complete && !request.destroyed) discard(request, response, bounds);
  });
}

function discard(request: IncomingMessage, response: ServerResponse, bounds: DiscardBounds): void {
  const { socket } = request;
  let discarded = 0;
  let closing = false;
  /** Ends our side behind the answer, and leaves the other open: a reset would overtake the answer. */
  const halfClose = () => {
    closing = true;
    socket.end();
  };
  // Node's way to close a connection once an answer is out; in place of it for as long as the body comes.
  socket.destroySoon = halfClose;

  const timer = setTimeout(() => {
    restore();
    if (response.writableFinished) socket.destroy();
    else response.once('finish', () => socket.destroySoon());
  }, bounds.milliseconds);
  const onData = (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded <= bounds.bytes) return;
    // The rest stays with its sender until the time is up.
    request.pause();
    halfClose();
  };
  const onEnd = () => {
    restore();
    if (closing) socket.destroySoon();
  };
  function restore(): void {
    clearTimeout(timer);
    request.off('data', onData).off('end', onEnd);
    socket.off('close', restore);
    Reflect.deleteProperty(socket, 'destroySoon');
  }
  request.on('data', onData).on('end', onEnd);
  socket.once('close', restore);
  request.resume();
}
