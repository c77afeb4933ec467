import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: any;
}

/** What a server answers: a status alone, or with a body. */
export type Reply = number | { status: number; body: string };

/** Another system, as a server on this machine: it notes what it receives, and answers what a test says. */
export class LocalServer {
  readonly received: Received[] = [];
  private readonly server: Server;

  private constructor(private reply: (received: Received) => Reply) {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const received = { path: request.url!, headers: request.headers, body: JSON.parse(text) };
        this.received.push(received);
        const reply = this.reply(received);
        if (typeof reply === 'number') response.writeHead(reply).end();
        else response.writeHead(reply.status, { 'Content-Type': 'application/json' }).end(reply.body);
      });
    });
  }

  static async start(reply: (received: Received) => Reply): Promise<LocalServer> {
    const local = new LocalServer(reply);
    await new Promise<void>((resolve) => local.server.listen(0, '127.0.0.1', resolve));
    return local;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  answer(reply: (received: Received) => Reply): void {
    this.reply = reply;
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
