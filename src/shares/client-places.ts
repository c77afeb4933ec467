import { TooManyRequestsError } from '../common/errors/service-error';
import { ADDRESS_FACTOR, isAddressClient } from '../common/http/client';
import { type Patience, RETRY_AFTER, tooLong } from './patience';

/** Ends a wait for a place: without an error it is there. False when nobody is left to take it. */
export type Admit = (error?: Error) => boolean;

interface Share {
  taken: number;
  /** Those who wait, in the order of their coming; absent while nobody does. */
  waiting?: Set<Admit>;
}

/**
 * What each client may have in progress at once. The rest wait in the order of their coming, in a queue of
 * the client's own: nobody waits for another client's requests. For an address both are `ADDRESS_FACTOR`
 * times as large, because it may stand for many people.
 */
export class ClientPlaces {
  private readonly clients = new Map<string, Share>();

  /**
   * @param places requests of one client at once
   * @param queue requests of one client that may wait
   */
  constructor(
    private readonly places: number,
    private readonly queue: number,
  ) {}

  /** Clients that have anything in progress. */
  get size(): number {
    return this.clients.size;
  }

  /** Requests that wait, of all clients. */
  get waitingCount(): number {
    let count = 0;
    for (const { waiting } of this.clients.values()) count += waiting?.size ?? 0;
    return count;
  }

  /** Takes a place if one is free; each is given back with `release`. */
  take(client: string): boolean {
    const share = this.clients.get(client);
    if (!share) {
      this.clients.set(client, { taken: 1 });
      return true;
    }
    if (share.taken >= this.places * factorOf(client)) return false;
    share.taken++;
    return true;
  }

  /**
   * Enters the queue, where no place is free. `admit` is called once: with a place taken, or an error.
   * @param patience of the request that waits
   * @returns leaves the queue; false when its turn had come before, and there is a place to give back
   * @throws TooManyRequestsError when the queue is full
   */
  wait(client: string, admit: Admit, patience: Patience): () => boolean {
    const share = this.clients.get(client)!;
    share.waiting ??= new Set();
    if (share.waiting.size >= this.queue * factorOf(client)) throw new TooManyRequestsError(RETRY_AFTER);
    const { waiting } = share;
    const entry: Admit = (error) => {
      end();
      return admit(error);
    };
    const end = patience.wait(() => {
      waiting.delete(entry);
      entry(tooLong());
    });
    waiting.add(entry);
    return () => {
      const left = waiting.delete(entry);
      if (left) end();
      return left;
    };
  }

  /** Gives a place back, to who waits longest. */
  release(client: string): void {
    const share = this.clients.get(client)!;
    for (const next of share.waiting ?? []) {
      share.waiting!.delete(next);
      if (next()) return;
    }
    if (--share.taken === 0) this.clients.delete(client);
  }
}

const factorOf = (client: string) => (isAddressClient(client) ? ADDRESS_FACTOR : 1);
