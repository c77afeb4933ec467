import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as it was received. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  /** Nanoseconds since 1970. */
  readonly from: bigint;
  readonly to: bigint;
}

/** A span with those below it, in the order in which they began. */
export interface SpanTree {
  readonly name: string;
  readonly below: SpanTree[];
}

/** Takes traces as OpenTelemetry's collector does: OTLP over HTTP, in JSON. */
export class TraceCollector {
  /** Everything that was received, as it came. */
  text = '';
  readonly spans: ReceivedSpan[] = [];
  readonly resources: Record<string, unknown>[] = [];
  readonly requests: { path: string; type: string | undefined }[] = [];
  /** Connections that were cut before they had their answer. */
  cut = 0;
  /** The status of answers; absent: there are none. */
  status: number | undefined = 200;

  private constructor(private readonly server: Server) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) =>
      this.take(request, response),
    );
  }

  /** @param port a free one unless given */
  static async start(port = 0): Promise<TraceCollector> {
    const server = createServer();
    const collector = new TraceCollector(server);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return collector;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The one span of this name. */
  one(name: string, traceId?: string): ReceivedSpan {
    const found = this.spans.filter(
      (span) => span.name === name && (traceId === undefined || span.traceId === traceId),
    );
    if (found.length !== 1) throw new Error(`There are ${found.length} spans named ${name}`);
    return found[0]!;
  }

  below({ spanId }: ReceivedSpan): ReceivedSpan[] {
    return this.spans
      .filter(({ parentId }) => parentId === spanId)
      .sort((one, other) => Number(one.from - other.from));
  }

  tree(span: ReceivedSpan): SpanTree {
    return { name: span.name, below: this.below(span).map((one) => this.tree(one)) };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    response.once('close', () => {
      if (!response.writableFinished) this.cut += 1;
    });
    request.once('end', () => {
      this.requests.push({ path: request.url ?? '', type: request.headers['content-type'] });
      this.read(body);
      if (this.status !== undefined) response.writeHead(this.status).end('{}');
    });
  }

  private read(body: string): void {
    this.text += body;
    const { resourceSpans } = JSON.parse(body) as Exported;
    for (const { resource, scopeSpans } of resourceSpans) {
      this.resources.push(valuesOf(resource.attributes));
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        this.spans.push({
          traceId: span.traceId,
          spanId: span.spanId,
          parentId: span.parentSpanId || undefined,
          name: span.name,
          kind: span.kind,
          attributes: valuesOf(span.attributes),
          isError: span.status.code === 2,
          from: BigInt(span.startTimeUnixNano),
          to: BigInt(span.endTimeUnixNano),
        });
      }
    }
  }
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly name: string;
        readonly kind: number;
        readonly startTimeUnixNano: string;
        readonly endTimeUnixNano: string;
        readonly attributes: Attribute[];
        readonly status: { readonly code: number };
      }[];
    }[];
  }[];
}

/** Each has one value under the name of its type. */
const valuesOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
