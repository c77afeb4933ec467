import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type BeforeApplicationShutdown, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/** How often connections that have become idle are looked for while the service stops, in milliseconds. */
const SWEEP_INTERVAL = 50;

/**
 * Lets the service stop without cutting a request and without waiting for people who do not ask anything.
 *
 * Node closes idle connections once, when the server is closed. A connection that becomes idle afterwards
 * would stay for its keep-alive time, one that goes on sending requests for ever, and one that never sent
 * anything (browsers open such in advance) too, because the check for header timeouts ends with the server.
 * Requests that go on for too long are cut by `stopOnSignals`.
 */
@Injectable()
export class ConnectionDraining implements OnModuleInit, BeforeApplicationShutdown {
  private readonly connections = new Set<Socket>();
  private isAsking = false;

  constructor(private readonly adapterHost: HttpAdapterHost) {}

  onModuleInit(): void {
    this.server?.on('connection', (socket: Socket) => {
      this.connections.add(socket);
      socket.once('close', () => this.connections.delete(socket));
    });
  }

  /**
   * From here on every answer closes its connection, the server still listens: a proxy has no idle connection
   * left on which it would send a request when that ends. @returns whether it listens
   */
  askToLeave(): boolean {
    const { server } = this;
    if (!server?.listening) return false;
    if (!this.isAsking) {
      this.isAsking = true;
      server.prependListener('request', (_: IncomingMessage, response: ServerResponse) => {
        response.setHeader('Connection', 'close');
      });
    }
    return true;
  }

  /** Nest closes the server next, and waits for its last connection. */
  beforeApplicationShutdown(): void {
    const { server } = this;
    if (!server || !this.askToLeave()) return;
    const sweep = setInterval(() => {
      server.closeIdleConnections();
      for (const socket of this.connections) if (socket.bytesRead === 0) socket.destroy();
    }, SWEEP_INTERVAL);
    server.once('close', () => clearInterval(sweep));
  }

  /** Nothing where the application runs without HTTP, as commands do. */
  private get server(): Server | undefined {
    return this.adapterHost.httpAdapter?.getHttpServer() as Server | undefined;
  }
}
