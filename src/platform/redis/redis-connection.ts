import { createClient } from '@redis/client';

/** Time that the start waits for Redis, in milliseconds. */
const START_TIMEOUT_MS = 2_000;

/** Timeout of one attempt to connect, in milliseconds. */
const CONNECT_MS = 2_000;

/** Interval of pings, and the longest silence before the connection counts as lost, in milliseconds. */
const PING_EVERY_MS = 2_000;
const SILENCE_MS = 5_000;

/** First and longest pause between attempts to connect, in milliseconds. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** Most unanswered commands. */
const MOST_COMMANDS = 2_000;

const clientOf = (url: string) =>
  createClient({
    url,
    // A command that cannot be sent fails immediately, so that its caller continues without Redis.
    disableOfflineQueue: true,
    commandsQueueMaxLength: MOST_COMMANDS,
    pingInterval: PING_EVERY_MS,
    socket: {
      connectTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      reconnectStrategy: (attempts) =>
        Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempts, 10)),
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
      const timer = setTimeout(resolve, START_TIMEOUT_MS);
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
