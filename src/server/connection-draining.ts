import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Environment } from '../environment/environment';

/** How often connections that have become idle are looked for while the service stops, in milliseconds. */
const SWEEP_INTERVAL = 50;

/**
 * Lets the service stop without cutting a request and without waiting for people who do not ask anything.
 *
 * Node closes idle connections once, when the server is closed. A connection that becomes idle afterwards
 * would stay for its keep-alive time, one that goes on sending requests for ever, and one that never sent
 * anything (browsers open such in advance) too, because the check for header timeouts ends with the server.
 */
@Injectable()
export class ConnectionDraining implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('Service');
  private readonly connections = new Set<Socket>();

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly environment: Environment,
  ) {}

  onModuleInit(): void {
    this.server?.on('connection', (socket: Socket) => {
      this.connections.add(socket);
      socket.once('close', () => this.connections.delete(socket));
    });
  }

  /** Nest closes the server next, and waits for its last connection. */
  beforeApplicationShutdown(): void {
    const { server } = this;
    if (!server?.listening) return;
    server.prependListener('request', (_: IncomingMessage, response: ServerResponse) => {
      response.setHeader('Connection', 'close');
    });
    const sweep = setInterval(() => {
      server.closeIdleConnections();
      for (const socket of this.connections) if (socket.bytesRead === 0) socket.destroy();
    }, SWEEP_INTERVAL);
    const limit = setTimeout(() => {
      this.logger.warn(`${this.connections.size} connections were cut: they held up the end for too long`);
      server.closeAllConnections();
    }, this.environment.stopTimeoutSeconds * 1000);
    server.once('close', () => {
      clearInterval(sweep);
      clearTimeout(limit);
    });
  }

  /** Nothing where the application runs without HTTP, as commands do. */
  private get server(): Server | undefined {
    return this.adapterHost.httpAdapter?.getHttpServer() as Server | undefined;
  }
}
