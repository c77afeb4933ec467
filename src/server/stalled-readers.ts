import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type BeforeApplicationShutdown, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/** How long a reader may take no byte of an answer that waits for it, in milliseconds. */
const STALL_LIMIT = 20_000;

/** How often it is looked for such readers, in milliseconds. */
const SWEEP_INTERVAL = 1000;

/** What Node keeps of a connection. */
type Connection = Socket & { _httpMessage?: ServerResponse | null; _handle?: { writeQueueSize?: number } };

interface Waiting {
  /** Bytes that the reader has not taken. */
  bytes: number;
  /** When they were seen first, in milliseconds of the monotonic clock. */
  since: number;
}

/**
 * Disconnects readers of ordinary answers who take nothing: what they do not take stays in memory. Event
 * streams see to theirs (`StallTimeout`). One look at all connections each second costs the answers nothing.
 */
@Injectable()
export class StalledReaders implements OnModuleInit, BeforeApplicationShutdown {
  private readonly connections = new Map<Connection, Waiting | undefined>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly adapterHost: HttpAdapterHost) {}

  onModuleInit(): void {
    // Commands run without HTTP.
    const server = this.adapterHost.httpAdapter?.getHttpServer() as Server | undefined;
    server?.on('connection', (socket: Connection) => {
      this.connections.set(socket, undefined);
      socket.once('close', () => this.connections.delete(socket));
    });
    if (server) this.timer = setInterval(() => this.sweep(performance.now()), SWEEP_INTERVAL).unref();
  }

  beforeApplicationShutdown(): void {
    // Stopping has a limit of its own.
    clearInterval(this.timer);
  }

  /** @param now milliseconds of a monotonic clock */
  sweep(now: number): void {
    for (const [socket, before] of this.connections) {
      const bytes = unread(socket);
      if (bytes === 0 || bytes !== before?.bytes) {
        this.connections.set(socket, bytes === 0 ? undefined : { bytes, since: now });
      } else if (now - before.since >= STALL_LIMIT) {
        socket.destroy();
      }
    }
  }
}

/** Bytes of a complete answer that wait for their reader. */
function unread(socket: Connection): number {
  if (!socket._httpMessage?.writableEnded) return 0;
  // Of a large part that is being taken only the handle knows how much is left.
  return socket.writableLength + (socket._handle?.writeQueueSize ?? 0);
}
