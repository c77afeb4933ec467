import { Agent, request } from 'node:http';

/** Whoever has no answer by then has none, in milliseconds. */
const PATIENCE_MS = 30_000;

export interface Answer {
  /** 0: there was none. */
  readonly status: number;
  readonly body: any;
}

/** Requests to one address, on connections that are kept. */
export class Client {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 200 });

  constructor(
    private readonly url: string,
    private readonly token?: string,
  ) {}

  /** Somebody new. */
  async register(username: string): Promise<Client> {
    const { status, body } = await this.ask('POST', '/auth/register', { username, password: 'secret' });
    if (status !== 201) throw new Error(`No account: ${status} ${JSON.stringify(body)}`);
    return new Client(this.url, body.data.token as string);
  }

  ask(method: string, path: string, content?: object): Promise<Answer> {
    const payload = content && JSON.stringify(content);
    return new Promise((resolve) => {
      const headers = {
        ...(this.token && { Authorization: `Bearer ${this.token}` }),
        ...(payload && {
          'Content-Type': 'application/json',
          'Content-Length': String(Buffer.byteLength(payload)),
        }),
      };
      const end = (status: number, text = '') => {
        clearTimeout(patience);
        resolve({ status, body: parsed(text) });
      };
      const sent = request(`${this.url}/api${path}`, { method, agent: this.agent, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => end(answer.statusCode!, Buffer.concat(chunks).toString()));
        answer.on('error', () => end(0));
      });
      const patience = setTimeout(() => sent.destroy(), PATIENCE_MS);
      sent.on('error', () => end(0)).end(payload);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
