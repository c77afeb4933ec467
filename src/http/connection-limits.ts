import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isClosed } from '../common/http/answer-closed';

/** How long a client may take to send a complete request. */
const REQUEST_TIMEOUT_MS = 30_000;

/** How long a client may read nothing of an answer. */
const READER_TIMEOUT_MS = 30_000;

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/**
 * Sets Node's own timeouts, so that no client can hold a connection or its memory for longer, and bounds
 * pipelining.
 */
export function limitConnections(server: Server, keepAliveSeconds: number): void {
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.headersTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = keepAliveSeconds * 1000;
  server.timeout = READER_TIMEOUT_MS;
  server.on('request', (_, response) => response.on('timeout', disconnectStalledReader));
  limitPipelining(server);
}

/**
 * Node calls this when a connection was idle for `server.timeout` during a request. The handler may still be
 * working, or the event stream may be silent: only a client that does not read is disconnected.
 */
function disconnectStalledReader(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
}

/** `parser` is Node's own; it is absent when the connection has changed to another protocol. */
type Connection = Socket & { parser?: object | null };

/**
 * A client may send requests without waiting for the answers. Node would parse 64 KB of them at once, up to
 * two thousand requests, and start all their handlers. Here the parser gets one head at a time, and nothing while a
 * complete request of the connection is unanswered (docs/decisions/0047).
 */
function limitPipelining(server: Server): void {
  const latest = new WeakMap<Socket, ServerResponse>();
  const isBusy = (socket: Socket) => {
    const response = latest.get(socket);
    return response?.req.complete === true && !isClosed(response);
  };
  server.on('request', ({ socket }, response) => {
    latest.set(socket, response);
    closeWithConnection(socket, response);
  });
  server.on('connection', (socket: Connection) => {
    const [parse] = socket.listeners('data') as [(part: Buffer) => void];
    // In a later turn of the event loop: answers that need no database would else follow each other in one turn.
    const resume = () => void setImmediate(() => socket.resume());
    const read = (chunk: Buffer) => {
      for (let start = 0, end; start < chunk.length; start = end) {
        if (socket.destroyed) return;
        if (!socket.parser) {
          socket.off('data', read).unshift(chunk.subarray(start));
          return;
        }
        const isBehind = isBusy(socket);
        // Node itself pauses a connection whose client does not read its answers, and resumes it.
        if (isBehind || socket.isPaused()) {
          if (isBehind) latest.get(socket)!.off('close', resume).once('close', resume);
          socket.pause().unshift(chunk.subarray(start));
          return;
        }
        end = endOfPart(chunk, start);
        parse(chunk.subarray(start, end));
      }
    };
    socket.off('data', parse).on('data', read);
  });
}

/**
 * Node closes the response that it is sending when the connection is lost. One that waits behind it would never
 * close, and would hold its permit for ever.
 */
function closeWithConnection(socket: Socket, response: ServerResponse): void {
  const close = () => {
    if (response.closed || response.socket) return;
    response.destroyed = true;
    response.emit('close');
  };
  socket.once('close', close);
  response.once('close', () => socket.off('close', close));
}

/** Behind the end of a head: a head that is only half parsed would run into `headersTimeout`. */
function endOfPart(chunk: Buffer, start: number): number {
  const end = chunk.indexOf(END_OF_HEAD, start);
  return end < 0 ? chunk.length : end + END_OF_HEAD.length;
}
