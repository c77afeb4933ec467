import { type ServiceError } from '../common/errors/service-error';
import { beginWait, type Caller } from './caller';
import { tooLong } from './patience';

/** Called when its turn has come. */
type Waiting = () => void;

interface Client {
  running: number;
  waiting: Set<Waiting>;
}

export interface TurnLimits {
  /** What runs at once over all clients, at least 1. Asked anew each time. */
  readonly limit: () => number;
  /** What of it one client may have, at least 1; absent: all of it. Asked anew each time. */
  readonly perClient?: () => number;
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

  /** Pieces of work that run, and that wait for their turn. */
  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.running, waiting: this.waiting };
  }

  /**
   * Does the work when its turn comes; not when the caller has gone before.
   * @throws UnavailableError when the turn does not come in time, or the queue is full
   */
  async run<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    const wait = this.turn(caller);
    if (wait) await wait;
    try {
      return await work();
    } finally {
      this.end(caller.client);
    }
  }

  /**
   * The caller's turn, which is to be ended with `end`: undefined where it has come, else resolves when it
   * does. (Most need not wait, and a promise less for each is worth it: docs/decisions/0014.)
   */
  turn(caller: Caller): Promise<void> | undefined {
    if (caller.gone?.aborted) return Promise.reject(tooLong());
    if (this.startAtOnce(caller.client)) return undefined;
    if (this.waiting >= (this.limits.queue ?? Infinity))
      return Promise.reject(this.limits.full?.() ?? tooLong());
    return new Promise<void>((resolve, reject) => this.wait(caller, resolve, reject));
  }

  end(name: string): void {
    const client = this.clients.get(name)!;
    this.running--;
    client.running--;
    this.forget(name, client);
    this.admit();
  }

  /**
   * What may start. Of a share that was larger a client may still have more: that is missing to nobody else.
   */
  private get free(): number {
    const { limit, perClient } = this.limits;
    let free = Math.max(1, limit()) - this.running;
    if (free > 0 || !perClient) return free;
    const most = perClient();
    for (const { running } of this.clients.values()) free += Math.max(0, running - most);
    return free;
  }

  /** Where nobody waits, a wait need not be begun. */
  private startAtOnce(name: string): boolean {
    const { perClient } = this.limits;
    if (this.waiting > 0 || this.free <= 0) return false;
    const client = this.clients.get(name);
    if (client && perClient && client.running >= perClient()) return false;
    if (client) client.running++;
    else this.clients.set(name, { running: 1, waiting: new Set() });
    this.running++;
    return true;
  }

  private wait(caller: Caller, resolve: () => void, reject: (error: Error) => void): void {
    const name = caller.client;
    let client = this.clients.get(name);
    if (!client) this.clients.set(name, (client = { running: 0, waiting: new Set() }));
    const { waiting } = client;
    const end = beginWait(caller, () => {
      waiting.delete(entry);
      this.waiting--;
      if (waiting.size === 0) this.order.delete(client);
      this.forget(name, client);
      reject(tooLong());
    });
    const entry: Waiting = () => {
      end();
      resolve();
    };
    waiting.add(entry);
    this.waiting++;
    this.order.add(client);
    this.admit();
  }

  private admit(): void {
    let { free } = this;
    if (free <= 0) return;
    const most = this.limits.perClient?.() ?? Infinity;
    for (const client of this.order) {
      if (client.running >= most) continue;
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
    next!();
  }

  private forget(name: string, client: Client): void {
    if (client.running + client.waiting.size === 0) this.clients.delete(name);
  }
}
