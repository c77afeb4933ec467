import type { Pool } from 'pg';
import type { CancellingPool } from '../abandonable-read';
import type { Clock } from '../../common/clock';
import { currentUser } from '../../common/request-context';
import type { ConnectionShares } from '../connection-shares';
import type { PipeliningPool } from '../pipeline';
import { cutConnections } from '../cut-connections';
import type { AskPosition } from './followed-writes';
import { ReplicaSelector, type ReplicaState, SETTLED_MS } from './replica-selector';
import { type RepeatedLook, SilentServerError } from './repeated-look';
import type { PrimaryRow, ReplicaRow } from './replica-statements';
import { positionIn, positionOf, textOf, type WalPosition } from './wal-position';

/** Each server is looked at so often, in milliseconds. */
const LOOK_EVERY_MS = 1_000;

/** The same of replicas while a write waits for them. */
const LOOK_AGAIN_MS = 50;

/** Statement timeout, and a statement that was cancelled: its client has gone. */
const CANCELLED_STATE = '57014';

/** Where all instances keep the position of each user's last write; later ones stay. */
export interface SharedPositions {
  /** @returns whether it is kept there */
  keep(user: string, position: string): Promise<boolean>;
  /** @returns null where there is none, so no write of late; undefined where that is not known */
  find(user: string): Promise<string | null | undefined>;
}

/** Connections to ask, and the shares of them. */
export interface ReadPlace {
  readonly pool: Pool & Partial<CancellingPool & PipeliningPool>;
  readonly shares: ConnectionShares;
}

export interface ReplicaServer extends ReadPlace {
  /** For the log and for metrics: host and port. */
  readonly name: string;
  readonly look: RepeatedLook<ReplicaRow>;
}

export interface ReplicaFigures extends ReplicaState {
  /** Statements that it has answered, and those that it failed: they went to the primary. */
  readonly answered: number;
  readonly failed: number;
}

/** A statement that failed because of the replica it went to: the primary can answer it. */
export class ReplicaFault extends Error {
  constructor(cause: unknown) {
    super('A replica failed', { cause });
  }

  /** Whether another server may answer: any failure may be the replica's own, but one that took its time. */
  static isOne(error: unknown): boolean {
    return (error as { code?: unknown } | undefined)?.code !== CANCELLED_STATE;
  }
}

interface Counted {
  answered: number;
  failed: number;
  /** What gives up a statement that is under way. */
  readonly underWay: Set<() => void>;
}

/**
 * Reads that may lag, on replicas: each user's only where they have what that user has written. Whoever reads
 * outside of a request, or before it is known whose it is, has no position: the primary is asked.
 */
export class ReplicaReads {
  private readonly selector: ReplicaSelector;
  private readonly counted: Counted[];
  private timer: NodeJS.Timeout | undefined;
  private isLookingAtPrimary = false;

  constructor(
    private readonly servers: readonly ReplicaServer[],
    private readonly primary: RepeatedLook<PrimaryRow>,
    private readonly positions: SharedPositions,
    private readonly clock: Clock,
    tell: (name: string, reason: string | undefined) => void,
  ) {
    this.selector = new ReplicaSelector(
      servers.map(({ name }) => name),
      clock,
      tell,
    );
    this.counted = servers.map(() => ({ answered: 0, failed: 0, underWay: new Set<() => void>() }));
  }

  open(): void {
    this.lookAround();
    this.timer = setInterval(() => this.lookAround(), LOOK_EVERY_MS).unref();
  }

  close(): void {
    clearInterval(this.timer);
    this.primary.close();
    for (const { look } of this.servers) look.close();
  }

  get figures(): ReplicaFigures[] {
    return this.selector.states.map((state, index) => {
      const { answered, failed } = this.counted[index]!;
      return { ...state, answered, failed };
    });
  }

  /**
   * What a replica answers.
   * @param ask rejects with a `ReplicaFault` where the replica is to blame
   * @returns undefined where the primary is to be asked
   */
  async read<T>(ask: (place: ReadPlace) => Promise<T>): Promise<{ readonly answer: T } | undefined> {
    const user = currentUser()?.id;
    if (user === undefined || !this.selector.hasUsable) return undefined;
    const kept = await this.positions.find(user);
    if (kept === undefined) return undefined;
    const wanted = kept === null ? undefined : positionOf(kept);
    // What is no position may stand for any.
    if (kept !== null && !wanted) return undefined;
    const index = this.selector.choose(wanted);
    return index === undefined ? undefined : this.askReplica(index, ask);
  }

  /**
   * To be awaited before a write is acknowledged: then its position is known to all instances, or there is no
   * replica to read that lacks it.
   */
  async written(ask: AskPosition): Promise<void> {
    const user = currentUser()?.id;
    if (user === undefined) return;
    const since = this.clock.elapsed();
    const position = await ask().then(
      ([row]) => positionIn(row!),
      () => undefined,
    );
    if (position && (await this.positions.keep(user, textOf(position)))) return;
    await this.isSettled(position, since + SETTLED_MS);
  }

  private async isSettled(position: WalPosition | undefined, until: number): Promise<void> {
    while (this.clock.elapsed() < until) {
      if (position) {
        await Promise.all(this.servers.map((_, index) => this.lookAt(index)));
        if (this.selector.isEverywhere(position)) return;
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  }

  private async askReplica<T>(
    index: number,
    ask: (place: ReadPlace) => Promise<T>,
  ): Promise<{ readonly answer: T } | undefined> {
    const counted = this.counted[index]!;
    let giveUp: (() => void) | undefined;
    const isGone = new Promise<never>((_, reject) => {
      giveUp = () => reject(new ReplicaFault(new SilentServerError()));
    });
    counted.underWay.add(giveUp!);
    try {
      const answer = await Promise.race([ask(this.servers[index]!), isGone]);
      counted.answered += 1;
      return { answer };
    } catch (error) {
      if (!(error instanceof ReplicaFault)) throw error;
      counted.failed += 1;
      return undefined;
    } finally {
      counted.underWay.delete(giveUp!);
    }
  }

  private lookAround(): void {
    void this.lookAtPrimary();
    this.servers.forEach((_, index) => void this.lookAt(index));
  }

  private async lookAtPrimary(): Promise<void> {
    // The answer to a look is as old as its beginning.
    if (this.isLookingAtPrimary) return;
    this.isLookingAtPrimary = true;
    const at = this.clock.elapsed();
    try {
      const row = await this.primary.look();
      this.selector.sawPrimary(at, { cluster: row.cluster, position: positionIn(row) });
    } catch {
      // What is not known of it makes replicas look old. That it is away is told by whoever needs it.
    } finally {
      this.isLookingAtPrimary = false;
    }
  }

  private async lookAt(index: number): Promise<void> {
    const { look, pool } = this.servers[index]!;
    try {
      const row = await look.look();
      const { cluster, isStandby } = row;
      this.selector.sawReplica(index, { cluster, isStandby, position: positionIn(row) });
    } catch (error) {
      this.selector.lostReplica(index, reasonOf(error));
      if (!(error instanceof SilentServerError)) return;
      // What it has been asked would wait for as long as a statement may take.
      for (const giveUp of this.counted[index]!.underWay) giveUp();
      cutConnections(pool, 'The replica is silent');
    }
  }
}

/** Errors of connections to several addresses of one name have no message. */
function reasonOf(error: unknown): string {
  const { message, code } = (error ?? {}) as { message?: unknown; code?: unknown };
  return String(message || code || error);
}
