import { createClient } from '@redis/client';

const clientOf = (url: string) =>
  createClient({
    url,
    // A command that cannot be sent fails immediately, so that its caller continues without Redis.
    disableOfflineQueue: true,
    commandsQueueMaxLength: 2_000,
    pingInterval: 2_000,
    socket: {
      connectTimeout: 2_000,
      socketTimeout: 5_000,
      reconnectStrategy: (attempts) => Math.min(1_000, 50 * 2 ** Math.min(attempts, 10)),
    },
  });

export type RedisClient = ReturnType<typeof clientOf>;

/** The only connection to Redis. It reconnects automatically, without giving up. */
export class RedisConnection {
  readonly client: RedisClient;
  private reason = 'no connection yet';

  /** @param onReady called after each successful connection */
  constructor(url: string, onReady: () => void) {
    this.client = clientOf(url);
    // Without a listener, an error would end the process.
    this.client.on('error', (error: unknown) => (this.reason = reasonOf(error)));
    this.client.on('ready', onReady);
  }

  /** Why there is no connection, without the address; undefined if there is one. */
  get fault(): string | undefined {
    return this.client.isReady ? undefined : this.reason;
  }

  /** Resolves after connecting, the first failure or the timeout, because the service can start without Redis. */
  async open(): Promise<void> {
    const { client } = this;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 2_000);
      const end = () => {
        clearTimeout(timer);
        resolve();
      };
      client.once('ready', end).once('error', end);
      // The client keeps trying until the service ends.
      client.connect().then(end, end);
    });
  }

  /** Asks Redis to close the connection. The client then reconnects and resolves the host name again. */
  renew(): void {
    this.client.sendCommand(['QUIT']).catch(() => undefined);
  }

  /** An attempt to connect that is in progress ends by its timeout. */
  close(): void {
    if (this.client.isOpen) this.client.destroy();
  }
}

const CODE = /^[A-Z][A-Z0-9_]{1,39}$/;

/** Returns only a code, or the first word of Redis's reply: messages may contain addresses and commands. */
export function reasonOf(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const words = [code, String(message).split(' ')[0]].map(String);
  return words.find((word) => CODE.test(word)) ?? (Object(error) as object).constructor.name;
}
