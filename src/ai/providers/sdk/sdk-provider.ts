import { AiFailure } from '../../provider/ai-failure';

export interface Connection {
  readonly key: string;
  readonly baseUrl?: string;
}

/** Attempts end by the pipeline's own deadline, long before the SDK's. */
export const SDK_TIMEOUT_MS = 600_000;

/** One SDK client, made anew when key or address have changed. Calls under way keep the one they began with. */
export class ClientKeeper<Client> {
  private kept: { readonly connection: Connection; readonly client: Client } | undefined;

  constructor(private readonly open: (connection: Connection) => Client) {}

  /** @throws AiFailure `not-configured` without a key */
  client(provider: string, { key, baseUrl }: Partial<Connection>): Client {
    if (key === undefined) throw new AiFailure('not-configured', provider, { retryable: false });
    if (this.kept?.connection.key !== key || this.kept.connection.baseUrl !== baseUrl) {
      const connection = { key, baseUrl };
      this.kept = { connection, client: this.open(connection) };
    }
    return this.kept.client;
  }
}
