import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { EnvironmentError } from '../config/environment';

const TIMEOUT_MS = 10_000;

/** Answers `GET /metrics` on a separate port. It does not keep the process alive. */
export class MetricsServer {
  private readonly server: Server;

  constructor(private readonly registry: Pick<Registry, 'contentType' | 'metrics'>) {
    const limits = {
      maxHeaderSize: 8 * 1024,
      headersTimeout: TIMEOUT_MS,
      requestTimeout: TIMEOUT_MS,
      keepAliveTimeout: TIMEOUT_MS,
    };
    this.server = createServer(limits, (request, response) => void this.answer(request, response));
    this.server.maxConnections = 16;
    this.server.setTimeout(TIMEOUT_MS, (socket) => socket.destroy());
    this.server.unref();
  }

  /**
   * @returns the port it listens on
   * @throws EnvironmentError if it cannot listen
   */
  async listen(port: number, host: string | undefined): Promise<number> {
    try {
      await new Promise<void>((resolve, reject) => {
        this.server.once('error', reject);
        this.server.listen(port, host, resolve);
      });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const reason = code === 'EADDRINUSE' ? 'another program uses this port' : message;
      throw new EnvironmentError([`METRICS_PORT ${port} cannot be listened on: ${reason}`]);
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

  private async answer({ url, method }: IncomingMessage, response: ServerResponse): Promise<void> {
    // The body is not read, so the connection is closed.
    if (method !== 'GET') response.setHeader('Connection', 'close');
    if (url?.split('?')[0] !== '/metrics') return void response.writeHead(404).end();
    if (method !== 'GET') return void response.writeHead(405, { Allow: 'GET' }).end();
    try {
      const text = await this.registry.metrics();
      response.writeHead(200, { 'Content-Type': this.registry.contentType, 'Cache-Control': 'no-store' });
      response.end(text);
    } catch {
      response.writeHead(500).end();
    }
  }
}
