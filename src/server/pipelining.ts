import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../common/http/client';

/** Requests that may wait on one connection behind the one in progress; then no more of it is read. */
const MOST_WAITING = 8;

/** Where so many wait on all connections of an address, or on all that there are, each may have only one. */
const MOST_OF_ADDRESS = 256;
const MOST_IN_ALL = 1024;

/** Bytes that are parsed at once: the heads of twenty requests at most. */
const PART_BYTES = 512;
const END_OF_HEAD = Buffer.from('\r\n\r\n');

const KNOWN = Symbol('what is known of a connection');
interface Connection extends Socket {
  /** Since its first request: how many wait, and whose connection it is. */
  [KNOWN]?: { waiting: number; readonly address: string };
  /** Node's own: none where the connection has changed to another protocol. */
  parser?: object | null;
  /** Node's own: its client has not taken its answers, and when it has, Node reads on. */
  _paused?: boolean;
}

/**
 * Handles the requests of one connection one after the other, and takes few of them off the socket at a time.
 * A client may send requests without waiting for answers (pipelining): Node would parse 64 KB at once, two
 * thousand requests, of each connection, and hand all of them out.
 *
 * The first request of a connection is handled after two turns of the event loop, if its client is still
 * there. Where new connections had to wait, many of their clients have left by then, and to find that out
 * costs least before anything is done: the request is read in one turn, the connection's end in the next. One
 * that has ended only its own side counts as gone: Node would end the other, too.
 */
export class Pipelining {
  private waiting = 0;
  private readonly ofAddress = new Map<string, number>();

  /**
   * Stands before whatever handles the server's requests by now: even Express's first steps, done for all
   * that wait or have left, would make others wait.
   */
  constructor(server: Server) {
    const listeners = server.rawListeners('request') as RequestListener[];
    server.removeAllListeners('request');
    server.on('connection', (connection: Connection) => this.readInParts(connection));
    server.on('request', (request, response) =>
      this.inTurn(request, response, () => {
        for (const listener of listeners) listener.call(server, request, response);
      }),
    );
  }

  /** Node's parser reads the socket itself until somebody else listens to it. */
  private readInParts(connection: Connection): void {
    const [parse] = connection.listeners('data') as [(part: Buffer) => void];
    connection.off('data', parse);
    const read = (chunk: Buffer) => {
      for (let start = 0, end; start < chunk.length; start = end) {
        if (connection.destroyed) return;
        if (!connection.parser) {
          // Given away by the part before (CONNECT, Upgrade): the rest is for whoever reads from now on.
          connection.off('data', read);
          return start > 0 && connection.unshift(chunk.subarray(start));
        }
        if (connection.isPaused() || !this.mayRead(connection)) {
          connection.pause();
          return connection.unshift(chunk.subarray(start));
        }
        end = endOfPart(chunk, start);
        parse(chunk.subarray(start, end));
      }
    };
    connection.on('data', read);
    connection.once('close', () => this.count(connection, -(connection[KNOWN]?.waiting ?? 0)));
  }

  private mayRead({ [KNOWN]: known }: Connection): boolean {
    if (!known || known.waiting === 0) return true;
    if (known.waiting >= MOST_WAITING || this.waiting >= MOST_IN_ALL) return false;
    return this.ofAddress.get(known.address)! < MOST_OF_ADDRESS;
  }

  /** If the connection closes before the turn has come, the request is dropped. */
  private inTurn(request: IncomingMessage, response: ServerResponse, handle: () => void): void {
    const connection = request.socket as Connection;
    if (!connection[KNOWN]) {
      connection[KNOWN] = { waiting: 0, address: networkOf(connection.remoteAddress) };
      setImmediate(() => setImmediate(() => connection.destroyed || handle()));
      return;
    }
    // Node gives the connection to one answer at a time.
    if (response.socket !== null) return handle();
    this.count(connection, 1);
    // Its turn comes in the middle of another request's work, of which it is no part.
    const handleApart = AsyncResource.bind(handle);
    const assign = response.assignSocket.bind(response);
    response.assignSocket = (socket) => {
      assign(socket);
      if (connection.destroyed) return;
      this.count(connection, -1);
      if (connection.isPaused() && !connection._paused && this.mayRead(connection)) connection.resume();
      handleApart();
    };
  }

  private count(connection: Connection, more: number): void {
    if (more === 0) return;
    const known = connection[KNOWN]!;
    known.waiting += more;
    this.waiting += more;
    const ofAddress = (this.ofAddress.get(known.address) ?? 0) + more;
    if (ofAddress > 0) this.ofAddress.set(known.address, ofAddress);
    else this.ofAddress.delete(known.address);
  }
}

/** Behind the end of a head, so that no request is left half read where no more of the connection is. */
function endOfPart(chunk: Buffer, start: number): number {
  if (chunk.length - start <= PART_BYTES) return chunk.length;
  const end = chunk.indexOf(END_OF_HEAD, start + PART_BYTES - END_OF_HEAD.length);
  return end < 0 ? chunk.length : end + END_OF_HEAD.length;
}
