export interface SemaphoreLimits {
  /** Number of permits for all clients together. */
  readonly permits: number;
  /** Number of permits for one client. */
  readonly perClient: (client: string) => number;
  /** Most waiting requests of one client; absent: any number. */
  readonly queuePerClient?: (client: string) => number;
}

interface Client {
  readonly name: string;
  running: number;
  /** Callbacks that start its waiting requests, in their order. */
  readonly waiting: (() => void)[];
  hasTurn: boolean;
}

/** The client's queue is full. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

/**
 * A semaphore that serves its clients in turn: a client with a hundred requests waits mostly for itself and hardly
 * delays other clients.
 *
 * The queues are arrays. V8 retains former tables of a `Set` that grows and shrinks, and with them every request
 * that has waited, until the next collection of the old generation.
 */
export class FairSemaphore {
  private readonly clients = new Map<string, Client>();
  /** Clients that are waiting and have permits left, the next one first. */
  private readonly turns: Client[] = [];
  running = 0;
  waiting = 0;

  constructor(private readonly limits: SemaphoreLimits) {}

  /**
   * Queues for a permit. Release it with `release`.
   * @param start called when the permit is granted
   * @returns a function that leaves the queue
   * @throws QueueFullError
   */
  enqueue(name: string, start: () => void): () => void {
    const client = this.clientOf(name);
    const { waiting } = client;
    if (waiting.length >= (this.limits.queuePerClient?.(name) ?? Infinity)) {
      throw new QueueFullError();
    }
    waiting.push(start);
    this.waiting += 1;
    if (client.running < this.limits.perClient(name)) this.queueForTurn(client);
    return () => {
      const place = waiting.indexOf(start);
      if (place < 0) return;
      waiting.splice(place, 1);
      this.waiting -= 1;
      if (waiting.length === 0 && client.hasTurn) {
        client.hasTurn = false;
        this.turns.splice(this.turns.indexOf(client), 1);
      }
      this.forgetIfIdle(client);
    };
  }

  /** Takes a permit if one is free now. */
  tryAcquire(name: string): boolean {
    if (this.running >= this.limits.permits) return false;
    const client = this.clients.get(name);
    if (client && client.running >= this.limits.perClient(name)) return false;
    this.start(client ?? this.clientOf(name));
    return true;
  }

  release(name: string): void {
    const client = this.clientOf(name);
    this.running -= 1;
    client.running -= 1;
    if (client.waiting.length > 0) this.queueForTurn(client);
    this.forgetIfIdle(client);
    if (this.turns.length === 0 || this.running >= this.limits.permits) return;
    const next = this.turns.shift()!;
    next.hasTurn = false;
    const resume = next.waiting.shift()!;
    this.waiting -= 1;
    this.start(next);
    // The client joins the end of the queue again.
    if (next.waiting.length > 0 && next.running < this.limits.perClient(next.name)) this.queueForTurn(next);
    resume();
  }

  private queueForTurn(client: Client): void {
    if (client.hasTurn) return;
    client.hasTurn = true;
    this.turns.push(client);
  }

  private start(client: Client): void {
    this.running += 1;
    client.running += 1;
  }

  private clientOf(name: string): Client {
    let client = this.clients.get(name);
    if (!client) this.clients.set(name, (client = { name, running: 0, waiting: [], hasTurn: false }));
    return client;
  }

  private forgetIfIdle(client: Client): void {
    if (client.running + client.waiting.length === 0) this.clients.delete(client.name);
  }
}
