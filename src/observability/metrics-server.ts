import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EnvironmentError } from '../environment/environment';

/** Whoever asks for metrics: a few collectors, each every some seconds. More are closed. */
const MOST_CONNECTIONS = 16;

/** How long a request may take to come, and its answer to be taken, in milliseconds. */
const PATIENCE_MS = 10_000;

const MOST_HEADER_BYTES = 8 * 1024;

interface Exposition {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** Answers `GET /metrics` on a port of its own, and nothing else. It keeps no process alive. */
export class MetricsServer {
  private readonly server: Server;
  /** One at a time, for all who ask meanwhile: what is asked often costs no more. */
  private collecting: Promise<string> | undefined;

  constructor(private readonly exposition: Exposition) {
    const limits = {
      maxHeaderSize: MOST_HEADER_BYTES,
      headersTimeout: PATIENCE_MS,
      requestTimeout: PATIENCE_MS,
      keepAliveTimeout: PATIENCE_MS,
      connectionsCheckingInterval: PATIENCE_MS,
    };
    this.server = createServer(limits, (request, response) => void this.answer(request, response));
    this.server.maxConnections = MOST_CONNECTIONS;
    this.server.setTimeout(PATIENCE_MS, (socket) => socket.destroy());
    this.server.unref();
  }

  /**
   * @returns the port it listens on
   * @throws EnvironmentError where it cannot
   */
  async listen(port: number, host: string | undefined): Promise<number> {
    try {
      await new Promise<void>((resolve, reject) => {
        this.server.once('error', reject);
        this.server.listen(port, host, resolve);
      });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const why = code === 'EADDRINUSE' ? 'another program uses this port' : message;
      throw new EnvironmentError([`METRICS_PORT ${port} cannot be listened on: ${why}`]);
    }
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // No body is read: with one, the connection ends behind the answer.
    if (request.headers['content-length'] || request.headers['transfer-encoding']) {
      response.setHeader('Connection', 'close');
    }
    if (request.url?.split('?')[0] !== '/metrics') return void response.writeHead(404).end();
    if (request.method !== 'GET') return void response.writeHead(405, { Allow: 'GET' }).end();
    try {
      this.collecting ??= this.exposition.metrics().finally(() => (this.collecting = undefined));
      const text = await this.collecting;
      response.writeHead(200, { 'Content-Type': this.exposition.contentType, 'Cache-Control': 'no-store' });
      response.end(text);
    } catch {
      response.writeHead(500).end();
    }
  }
}
