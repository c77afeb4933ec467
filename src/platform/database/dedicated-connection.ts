import { Client } from 'pg';

/** Timeout of connecting, and of each query, in milliseconds. */
const TIMEOUT_MS = 1_000;

/**
 * A separate connection to the database server, opened by the first query. Its queries never wait for the pool.
 * After a failed query, the next one uses a new connection.
 */
export class DedicatedConnection {
  private client: Client | undefined;
  private isClosed = false;

  constructor(
    private readonly url: string,
    private readonly applicationName: string,
  ) {}

  async query<Row extends object>(text: string): Promise<Row[]> {
    const client = this.client ?? (await this.connect());
    try {
      const { rows } = await client.query<Row>(text);
      return rows;
    } catch (error) {
      this.discard(client);
      throw error;
    }
  }

  close(): void {
    this.isClosed = true;
    if (this.client) this.discard(this.client);
  }

  private async connect(): Promise<Client> {
    const client = new Client({
      connectionString: this.url,
      application_name: this.applicationName,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      keepAlive: true,
    });
    // An unhandled event would end the process.
    client.on('error', () => this.discard(client));
    try {
      await client.connect();
      if (this.isClosed) throw new Error('The connection is closed');
    } catch (error) {
      this.discard(client);
      throw error;
    }
    this.client = client;
    return client;
  }

  private discard(client: Client): void {
    if (this.client === client) this.client = undefined;
    client.end().catch(() => undefined);
  }
}
