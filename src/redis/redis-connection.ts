import { createClient } from '@redis/client';

/** How long the start waits for a Redis that does not answer, in milliseconds. */
const START_TIMEOUT_MS = 2_000;

/** How long one attempt to connect may take, in milliseconds. */
const CONNECT_MS = 2_000;

/** How often a ping checks that the connection is alive, and how long it may be silent, in milliseconds. */
const PING_EVERY_MS = 2_000;
const SILENCE_MS = 5_000;

/** Pauses between attempts to connect, in milliseconds: the first, and the longest. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** Commands that may be unanswered at once. */
const MOST_COMMANDS = 2_000;

const clientOf = (url: string) =>
  createClient({
    url,
    // What cannot be sent now fails now: whoever waits does without Redis, and nothing piles up.
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

/** The one connection to Redis. It comes back by itself, for as long as it takes. */
export class RedisConnection {
  readonly client: RedisClient;
  private reason = 'no connection yet';

  /** @param onReady called each time it has come to be */
  constructor(url: string, onReady: () => void) {
    this.client = clientOf(url);
    // Without a listener an error would end the process.
    this.client.on('error', (error: unknown) => (this.reason = reasonOf(error)));
    this.client.on('ready', onReady);
  }

  /** Why there is no connection, without a word of the address; undefined where there is one. */
  get fault(): string | undefined {
    return this.client.isReady ? undefined : this.reason;
  }

  /** Resolves when it is there, has failed once, or has been waited for: a start does not need Redis. */
  async open(): Promise<void> {
    const { client } = this;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, START_TIMEOUT_MS);
      const end = () => {
        clearTimeout(timer);
        resolve();
      };
      client.once('ready', end).once('error', end);
      // It goes on trying until the service ends.
      client.connect().then(end, end);
    });
  }

  /** Lets Redis end the connection; the next one is made by itself, to what the name stands for then. */
  renew(): void {
    this.client.sendCommand(['QUIT']).catch(() => undefined);
  }

  /** What is just being made ends by its silence. */
  close(): void {
    if (this.client.isOpen) this.client.destroy();
  }
}

const CODE = /^[A-Z][A-Z0-9_]{1,39}$/;

/** Messages may hold addresses and commands: a code, or the first word of what Redis says, which is one. */
export function reasonOf(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const words = [code, String(message).split(' ')[0]].map(String);
  return words.find((word) => CODE.test(word)) ?? (Object(error) as object).constructor.name;
}
