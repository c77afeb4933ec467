export interface SemaphoreLimits {
  /** Permits of all clients together. */
  readonly permits: number;
  /** Permits of one client. */
  readonly perClient: (client: string) => number;
  /** How many of one client's requests may wait; absent: any number. */
  readonly queuePerClient?: (client: string) => number;
}

interface Client {
  readonly name: string;
  running: number;
  readonly waiting: Set<() => void>;
}

/** The client's queue is full. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

/**
 * A semaphore that serves its clients in turn: whoever sends a hundred requests waits for their own, and
 * hardly makes others wait.
 */
export class FairSemaphore {
  private readonly clients = new Map<string, Client>();
  /** Clients that wait and have not used up their own permits, the next one first. */
  private readonly turns = new Set<Client>();
  running = 0;
  waiting = 0;

  constructor(private readonly limits: SemaphoreLimits) {}

  /**
   * Resolves with a permit, which `release` gives back.
   * @throws QueueFullError, or the reason of the signal when that aborts before there is a permit
   */
  acquire(name: string, signal: AbortSignal): Promise<void> {
    if (this.tryAcquire(name)) return Promise.resolve();
    const client = this.clientOf(name);
    const { waiting } = client;
    if (waiting.size >= (this.limits.queuePerClient?.(name) ?? Infinity)) {
      return Promise.reject(new QueueFullError());
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(start);
        this.waiting -= 1;
        if (waiting.size === 0) this.turns.delete(client);
        this.forgetIfIdle(client);
        reject(signal.reason as Error);
      };
      const start = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      signal.addEventListener('abort', leave);
      waiting.add(start);
      this.waiting += 1;
      if (client.running < this.limits.perClient(name)) this.turns.add(client);
    });
  }

  /** Takes a permit if there is one now. */
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
    if (client.waiting.size > 0) this.turns.add(client);
    this.forgetIfIdle(client);
    const [next] = this.turns;
    if (!next || this.running >= this.limits.permits) return;
    const [resume] = next.waiting;
    next.waiting.delete(resume!);
    this.waiting -= 1;
    this.start(next);
    // The other clients come first.
    this.turns.delete(next);
    if (next.waiting.size > 0 && next.running < this.limits.perClient(next.name)) this.turns.add(next);
    resume!();
  }

  private start(client: Client): void {
    this.running += 1;
    client.running += 1;
  }

  private clientOf(name: string): Client {
    let client = this.clients.get(name);
    if (!client) this.clients.set(name, (client = { name, running: 0, waiting: new Set() }));
    return client;
  }

  private forgetIfIdle(client: Client): void {
    if (client.running + client.waiting.size === 0) this.clients.delete(client.name);
  }
}
