import { AsyncResource } from 'node:async_hooks';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Time in which a client must send a complete request, in milliseconds. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Time in which a client must read something of its answer, in milliseconds. */
const READ_TIMEOUT_MS = 30_000;

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/**
 * Sets Node's own timeouts, which bound how long a client can hold a connection and its memory, and limits
 * pipelining.
 */
export function limitConnections(server: Server, keepAliveSeconds: number): void {
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.headersTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = keepAliveSeconds * 1000;
  // See `disconnectStalledReader`.
  server.timeout = READ_TIMEOUT_MS / 2;
  server.on('request', (_, response) => response.on('timeout', disconnectStalledReader));
  limitPipelining(server);
}

/**
 * Node calls this when a connection was idle for `server.timeout` during a request, and only the second time if a part
 * of the last write was sent. The handler may still be working, or the event stream may be silent. Only a client that
 * does not read its answer is disconnected.
 */
function disconnectStalledReader(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
}

/** `parser` is Node's own; it is absent when the connection has changed to another protocol. */
type Connection = Socket & { parser?: object | null };

/** The response to the latest request of each connection. */
const latest = new WeakMap<Socket, ServerResponse>();

/** Returns the response that the connection is waiting for or sending. */
export function pendingResponse(socket: Socket): ServerResponse | undefined {
  const response = latest.get(socket);
  return response && !response.closed && !response.destroyed ? response : undefined;
}

/**
 * A client may send requests without waiting for the answers. Node would parse 64 KB of them at once, up to two
 * thousand requests, and start all their handlers. Here the parser gets one head at a time, and nothing while a
 * complete request of the connection is unanswered (docs/decisions/0047).
 */
function limitPipelining(server: Server): void {
  const resumeInTurn = turnsOfConnections();
  server.on('request', ({ socket }, response) => {
    latest.set(socket, response);
    closeWithConnection(socket, response);
  });
  server.on('connection', (socket: Connection) => {
    const [parse] = socket.listeners('data') as [(part: Buffer) => void];
    const resume = () => resumeInTurn(socket);
    const read = (chunk: Buffer) => {
      for (let start = 0, end; start < chunk.length; start = end) {
        if (socket.destroyed) return;
        if (!socket.parser) {
          socket.off('data', read).unshift(chunk.subarray(start));
          return;
        }
        const pending = pendingResponse(socket);
        const isBehind = pending?.req.complete === true;
        // Node itself pauses a connection whose client does not read its answers, and resumes it.
        if (isBehind || socket.isPaused()) {
          if (isBehind) pending.off('close', resume).once('close', resume);
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
 * Returns a function that resumes one waiting connection in each turn of the event loop. libuv accepts one connection
 * in each turn, so new connections would wait as long as the requests of all waiting connections together take.
 */
function turnsOfConnections(): (socket: Socket) => void {
  const waiting: Socket[] = [];
  // Bound, so that the requests of one connection are not handled in the context of another.
  const resumeNext = AsyncResource.bind(() => {
    waiting.shift()!.resume();
    if (waiting.length > 0) setImmediate(resumeNext);
  });
  return (socket) => {
    if (waiting.push(socket) === 1) setImmediate(resumeNext);
  };
}

/**
 * When a connection is lost, Node closes only the response that it is sending. Without this function, a response
 * that waits behind it would never close and would hold its concurrency permit for ever.
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

/** Returns the position after the next end of a head. Parsing only a part of a head would start `headersTimeout`. */
function endOfPart(chunk: Buffer, start: number): number {
  const end = chunk.indexOf(END_OF_HEAD, start);
  return end < 0 ? chunk.length : end + END_OF_HEAD.length;
}
