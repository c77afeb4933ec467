import { AsyncResource } from 'node:async_hooks';
import type { Client } from 'pg';
import { within } from '../../common/within';
import type { Connection } from '../unhurried';

/** How long a look may take, a new connection included, in milliseconds. */
export const LOOK_PATIENCE_MS = 2_000;

/** Nothing came in time: the server, or the way to it, hangs. */
export class SilentServerError extends Error {
  constructor() {
    super(`no answer within ${LOOK_PATIENCE_MS / 1000} s`);
  }
}

/**
 * One statement, asked again and again on a connection of its own: it has to wait for nobody's work. Lost, it
 * is made anew at the next look.
 */
export class RepeatedLook<Row extends object> {
  private client: Client | undefined;
  private underWay: Promise<Row> | undefined;
  private isClosed = false;
  /** Outside of requests, whoever looks first. */
  private readonly begin = AsyncResource.bind(() => this.ask());

  /** @param make a client that is not connected yet */
  constructor(
    private readonly make: () => Client,
    private readonly text: string,
  ) {}

  /** The answer to the look that is under way, if one is. Rejects when there is none in time. */
  look(): Promise<Row> {
    this.underWay ??= this.begin().finally(() => (this.underWay = undefined));
    return this.underWay;
  }

  close(): void {
    this.isClosed = true;
    const { client } = this;
    this.client = undefined;
    if (client) letGo(client);
  }

  private async ask(): Promise<Row> {
    if (this.isClosed) throw new Error('Looks no more');
    const client = this.client ?? this.newClient();
    try {
      return await within(
        LOOK_PATIENCE_MS,
        () => new SilentServerError(),
        async () => {
          if (this.client !== client) await client.connect();
          if (!this.isClosed) this.client = client;
          const { rows } = await client.query<Row>(this.text);
          return rows[0]!;
        },
      );
    } catch (error) {
      this.lost(client);
      letGo(client);
      throw error;
    } finally {
      if (this.isClosed) letGo(client);
    }
  }

  private newClient(): Client {
    const client = this.make();
    // Unheard, an error would end the process.
    client.on('error', () => this.lost(client));
    client.on('end', () => this.lost(client));
    return client;
  }

  private lost(client: Client): void {
    if (this.client === client) this.client = undefined;
  }
}

/** What hangs does not answer a goodbye. */
function letGo(client: Client): void {
  (client as unknown as { connection: Connection }).connection.stream.destroy();
}
