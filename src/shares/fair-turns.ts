import { type ServiceError } from '../common/errors/service-error';
import { tooLong, TURN_PATIENCE } from './client-places';

interface Waiting {
  /** Without an error its turn has come. */
  readonly admit: (error?: Error) => void;
}

interface Client {
  running: number;
  waiting: Set<Waiting>;
}

export interface TurnLimits {
  /** What runs at once over all clients, at least 1. Asked anew each time. */
  readonly limit: () => number;
  /** What of it one client may have, at least 1; absent: all of it. */
  readonly perClient?: number;
  /** Most that may wait over all clients; absent: as many as come. */
  readonly queue?: number;
  /** The error of a full queue. */
  readonly full?: () => ServiceError;
}

/**
 * Bounds one kind of work over all clients, with fair turns: each client in turn has one piece of its work
 * done, so one that asks for much waits for itself and hardly makes others wait.
 */
export class FairTurns {
  private readonly clients = new Map<string, Client>();
  /** Clients that wait, in the order of their turns. */
  private readonly order = new Set<Client>();
  private running = 0;
  private waiting = 0;

  constructor(private readonly limits: TurnLimits) {}

  /** Clients whose work runs or waits. */
  get size(): number {
    return this.clients.size;
  }

  /**
   * Does the work when its turn comes.
   * @param gone aborted when nobody waits for the result any more: what still waits is then not done
   * @throws UnavailableError when the turn does not come in time, or the queue is full
   */
  async run<T>(client: string, work: () => Promise<T>, gone?: AbortSignal): Promise<T> {
    await this.turn(client, gone);
    try {
      return await work();
    } finally {
      this.end(client);
    }
  }

  /** Resolves when the client's turn has come, which is to be ended with `end`. */
  async turn(client: string, gone?: AbortSignal): Promise<void> {
    if (gone?.aborted) throw tooLong();
    if (this.waiting >= (this.limits.queue ?? Infinity)) throw this.limits.full?.() ?? tooLong();
    await new Promise<void>((resolve, reject) => this.wait(client, gone, resolve, reject));
  }

  end(name: string): void {
    const client = this.clients.get(name)!;
    this.running--;
    client.running--;
    this.forget(name, client);
    this.admit();
  }

  private wait(name: string, gone: AbortSignal | undefined, resolve: () => void, reject: (e: Error) => void) {
    let client = this.clients.get(name);
    if (!client) this.clients.set(name, (client = { running: 0, waiting: new Set() }));
    const { waiting } = client;
    const giveUp = () => {
      waiting.delete(entry);
      this.waiting--;
      if (waiting.size === 0) this.order.delete(client);
      this.forget(name, client);
      entry.admit(tooLong());
    };
    const timer = setTimeout(giveUp, TURN_PATIENCE).unref();
    const entry: Waiting = {
      admit: (error) => {
        clearTimeout(timer);
        gone?.removeEventListener('abort', giveUp);
        if (error) reject(error);
        else resolve();
      },
    };
    gone?.addEventListener('abort', giveUp);
    waiting.add(entry);
    this.waiting++;
    this.order.add(client);
    this.admit();
  }

  private admit(): void {
    const { limit, perClient = Infinity } = this.limits;
    let free = Math.max(1, limit()) - this.running;
    if (free <= 0) return;
    for (const client of this.order) {
      if (client.running >= perClient) continue;
      this.start(client);
      if (--free === 0) return;
    }
  }

  private start(client: Client): void {
    const [next] = client.waiting;
    client.waiting.delete(next!);
    this.waiting--;
    client.running++;
    this.running++;
    // Those behind it come first.
    this.order.delete(client);
    if (client.waiting.size > 0) this.order.add(client);
    next!.admit();
  }

  private forget(name: string, client: Client): void {
    if (client.running + client.waiting.size === 0) this.clients.delete(name);
  }
}
