import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Behaviour, fails, hangs } from './behaviours';
import { type AskedBody, type WireProtocol } from './protocol';

/** The providers that are asked over a network: each has a fake next to this file. */
export const REMOTE_PROVIDERS = readdirSync(__dirname).flatMap(
  (file) => /^(.+)\.fake\.ts$/.exec(file)?.[1] ?? [],
);

/** A request that has reached a fake. */
export interface Received {
  /** When it came, in milliseconds of `performance.now()`. */
  readonly at: number;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly asked: AskedBody;
  /** Resolves when the connection is closed before the answer was finished. */
  readonly aborted: Promise<void>;
}

/**
 * A server that speaks one provider's protocol over real sockets and does with each request what the test
 * says.
 */
export class FakeProvider {
  readonly received: Received[] = [];
  /** What to do with the requests to come, one each; after them `otherwise`. */
  readonly script: Behaviour[] = [];
  otherwise: Behaviour = hangs;
  /** What a text's embedding is; without it there are none. */
  embedding: ((text: string) => number[]) | undefined;
  private readonly waiting: { count: number; resolve: () => void }[] = [];

  private constructor(
    readonly protocol: WireProtocol,
    private readonly server: Server,
  ) {
    server.on(
      'request',
      (request: IncomingMessage, response: ServerResponse) => void this.take(request, response),
    );
  }

  /** @param name of the provider */
  static async start(name: string): Promise<FakeProvider> {
    const { protocol } = (await import(join(__dirname, `${name}.fake`))) as { protocol: WireProtocol };
    const server = createServer({ keepAlive: true });
    const fake = new FakeProvider(protocol, server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return fake;
  }

  /** The base URL as the provider's SDK takes it. */
  get baseUrl(): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}${this.protocol.basePath}`;
  }

  /** Forgets the requests so far and the script. */
  reset(otherwise: Behaviour = hangs): void {
    this.received.length = 0;
    this.script.length = 0;
    this.otherwise = otherwise;
  }

  /** Resolves when this many requests have arrived. */
  async arrived(count: number): Promise<void> {
    if (this.received.length >= count) return;
    await new Promise<void>((resolve) => this.waiting.push({ count, resolve }));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = performance.now();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked = JSON.parse(Buffer.concat(chunks).toString('utf8')) as AskedBody;
    const aborted = new Promise<void>((resolve) =>
      response.once('close', () => {
        if (!response.writableFinished) resolve();
      }),
    );
    this.received.push({
      at,
      path: request.url ?? '',
      headers: request.headers,
      asked,
      aborted,
    });
    for (const { count, resolve } of this.waiting) if (this.received.length >= count) resolve();
    const { embeddings, path } = this.protocol;
    if (embeddings && this.embedding && request.url === embeddings.path) {
      const vectors = (asked.input as string[]).map(this.embedding);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(embeddings.body(asked, vectors)));
      return;
    }
    const behaviour = request.url === path ? (this.script.shift() ?? this.otherwise) : fails(404);
    await behaviour({ asked, response, protocol: this.protocol });
  }
}
