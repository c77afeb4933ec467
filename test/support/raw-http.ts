import { Agent, request } from 'node:http';

export interface RawRequest {
  method: string;
  /** As it goes over the wire: encoded, or deliberately not well encoded. */
  path: string;
  headers?: Record<string, string>;
  body?: Buffer;
}

export interface RawResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sends requests exactly as given, without the help and the checks of an HTTP library. */
export class RawHttp {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly port: number) {}

  send({ method, path, headers = {}, body }: RawRequest): Promise<RawResponse> {
    return new Promise((resolve, reject) => {
      const length = body ? { 'Content-Length': String(body.length) } : {};
      const outgoing = request(
        {
          host: '127.0.0.1',
          port: this.port,
          agent: this.agent,
          method,
          path,
          headers: { ...headers, ...length },
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () =>
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              text: Buffer.concat(chunks).toString('utf8'),
            }),
          );
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
