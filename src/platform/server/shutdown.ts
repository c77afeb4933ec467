import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import {
  type BeforeApplicationShutdown,
  type INestApplication,
  Injectable,
  Logger,
  type OnModuleInit,
  ShutdownSignal,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Clock } from '../common/clock';
import { Environment } from '../config/environment';
import { DatabaseService } from '../database/database.service';
import { HealthService } from '../health/health.service';

/** Ctrl-C and supervisors. Not SIGHUP: listening to it would disable `nohup`. */
const STOP_SIGNALS = [ShutdownSignal.SIGINT, ShutdownSignal.SIGTERM];

/**
 * Lets the HTTP server stop without cutting a request. Node closes the connections that are idle at that moment.
 * This class closes connections that become idle later, and those that have never sent anything.
 */
@Injectable()
export class ConnectionDraining implements OnModuleInit, BeforeApplicationShutdown {
  private readonly connections = new Set<Socket>();
  private isDraining = false;

  constructor(private readonly adapterHost: HttpAdapterHost) {}

  onModuleInit(): void {
    this.server?.on('connection', (socket: Socket) => {
      this.connections.add(socket);
      socket.once('close', () => this.connections.delete(socket));
    });
  }

  /**
   * From now on every answer closes its connection, while the server still listens.
   * @returns true if the server listens
   */
  drain(): boolean {
    const { server } = this;
    if (!server?.listening) return false;
    if (!this.isDraining)
      server.prependListener('request', (_, response) => response.setHeader('Connection', 'close'));
    this.isDraining = true;
    return true;
  }

  /** Nest closes the server next and waits for its last connection. */
  beforeApplicationShutdown(): void {
    const { server } = this;
    if (!server || !this.drain()) return;
    // For answers that began before: 1 ms, because 0 would mean no timeout.
    server.keepAliveTimeout = 1;
    for (const socket of this.connections) if (socket.bytesRead === 0) socket.destroy();
  }

  /** Commands run without HTTP. */
  private get server(): Server | undefined {
    return this.adapterHost.httpAdapter?.getHttpServer() as Server | undefined;
  }
}

/**
 * Ends the process with code 0 after a clean stop. A second signal ends it immediately with code 1. After the first
 * signal, health answers 503. After `STOP_DELAY` the application is closed. Everything that has not ended by
 * `STOP_TIMEOUT` is cut, and two seconds later the process ends with code 1 in any case.
 * @returns a function that stops listening to the signals
 */
export function stopOnSignals(app: INestApplication): () => void {
  const clock = app.get(Clock);
  const logger = new Logger('Service');
  let firstAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    const now = clock.elapsed();
    if (firstAt !== undefined) {
      // npm repeats the Ctrl-C that the terminal has sent to all processes. A signal this soon is that repetition.
      if (now - firstAt > 1000) process.exit(1);
      return;
    }
    firstAt = now;
    cutAtTimeout(app, logger);
    void stop(app, logger, signal);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  return () => {
    for (const signal of STOP_SIGNALS) process.off(signal, onSignal);
  };
}

async function stop(app: INestApplication, logger: Logger, signal: string): Promise<void> {
  app.get(HealthService).markStopping();
  const delay = app.get(Environment).stopDelaySeconds;
  // Before the service listens, no load balancer sends it requests.
  const isDelayed = delay > 0 && app.get(ConnectionDraining).drain();
  const when = isDelayed ? ` in ${delay} s, new requests are answered until then` : '';
  logger.log(`Stopping${when}: requests in progress are answered first; a second signal stops at once`);
  if (isDelayed) await new Promise((resolve) => setTimeout(resolve, delay * 1000));
  try {
    // Nest passes the signal to hooks, although its type does not declare it.
    await (app as { close(signal?: string): Promise<void> }).close(signal);
    process.exit(0);
  } catch (error) {
    logger.error('The stop has failed', error);
    process.exit(1);
  }
}

/** The timers need no clearing, because a stop in time ends the process. */
function cutAtTimeout(app: INestApplication, logger: Logger): void {
  setTimeout(
    () => {
      logger.warn('The stop has taken too long: connections to clients and to the database are cut');
      (app.getHttpServer() as Server).closeAllConnections();
      app.get(DatabaseService).cut();
      setTimeout(() => {
        logger.error('The service has not ended although everything was cut: it is ended');
        process.exit(1);
      }, 2000);
    },
    app.get(Environment).stopTimeoutSeconds * 1000,
  );
}
