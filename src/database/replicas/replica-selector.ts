import type { Clock } from '../../common/clock';
import { holds, type WalPosition } from './wal-position';

/** A replica that may lack what was acknowledged so long ago is not read, in milliseconds. */
export const MOST_LAG_MS = 5_000;

/**
 * What was acknowledged so long ago is in every replica that any instance reads, in milliseconds. Where
 * commits are not waited for (`synchronous_commit = off`) PostgreSQL writes them a little later.
 */
export const SETTLED_MS = MOST_LAG_MS + 1_000;

export interface SeenPrimary {
  readonly cluster: string;
  readonly position: WalPosition;
}

export interface SeenReplica extends SeenPrimary {
  readonly isStandby: boolean;
}

/** What is known of one replica. */
interface Known {
  readonly name: string;
  seen?: SeenReplica;
  /** Why it gave no answer to the last look. */
  lost?: string;
  /** When the primary was asked for the last position that it has replayed. */
  freshAt: number;
  /** Whether the log says that it is read; undefined before it says anything. */
  told?: boolean;
}

/** For who measures. */
export interface ReplicaState {
  readonly name: string;
  readonly isUsable: boolean;
  /** Bytes of log that the primary has written and it has not replayed, as far as they were looked at. */
  readonly lagBytes: number | undefined;
}

/**
 * Which replicas may be read now, by looks at them and at the primary. Times are those of the clock here:
 * what a replica has replayed is compared with what the primary had written when it was asked, so that no
 * server's clock matters, and an idle primary has no lag.
 */
export class ReplicaSelector {
  private readonly known: Known[];
  /** Positions of the primary, the oldest first, and when each was asked for: it held all that was before. */
  private samples: { readonly at: number; readonly position: WalPosition }[] = [];
  private cluster: string | undefined;
  private next = 0;
  private readonly beganAt: number;

  /**
   * @param names for the log
   * @param tell told when a replica is read, and when it is not any more, with the reason
   */
  constructor(
    names: readonly string[],
    private readonly clock: Pick<Clock, 'elapsed'>,
    private readonly tell: (name: string, reason: string | undefined) => void,
  ) {
    this.known = names.map((name) => ({ name, freshAt: -Infinity }));
    this.beganAt = clock.elapsed();
  }

  /** @param at when it was asked, before its answer */
  sawPrimary(at: number, { cluster, position }: SeenPrimary): void {
    const isAnother = cluster !== this.cluster || position.timeline !== this.samples[0]?.position.timeline;
    if (isAnother) this.samples = [];
    this.cluster = cluster;
    this.samples.push({ at, position });
    while (this.samples[0]!.at < at - MOST_LAG_MS) this.samples.shift();
    this.known.forEach((one) => this.judge(one));
  }

  sawReplica(index: number, seen: SeenReplica): void {
    const one = this.known[index]!;
    one.seen = seen;
    one.lost = undefined;
    this.judge(one);
  }

  /** @param reason for the log */
  lostReplica(index: number, reason: string): void {
    const one = this.known[index]!;
    one.lost = reason;
    this.judge(one);
  }

  /** Whether any is read. */
  get hasUsable(): boolean {
    return this.known.some((one) => this.isUsable(one));
  }

  /**
   * One that has all that was written up to `wanted`, in turns.
   * @returns undefined where there is none
   */
  choose(wanted: WalPosition | undefined): number | undefined {
    for (let tried = 0; tried < this.known.length; tried++) {
      const index = (this.next + tried) % this.known.length;
      const one = this.known[index]!;
      if (!this.isUsable(one) || (wanted && !holds(one.seen!.position, wanted))) continue;
      this.next = index + 1;
      return index;
    }
    return undefined;
  }

  /**
   * Whether each replica has all that was written up to there. One that is no copy of the primary does not
   * count: no instance reads it.
   */
  isEverywhere(position: WalPosition): boolean {
    return this.known.every(({ seen }) => seen && (this.noCopy(seen) ?? holds(seen.position, position)));
  }

  get states(): ReplicaState[] {
    const last = this.samples.at(-1)?.position;
    return this.known.map((one) => {
      const behind = last && one.seen && Number(last.lsn - one.seen.position.lsn);
      return {
        name: one.name,
        isUsable: this.isUsable(one),
        lagBytes: behind === undefined ? undefined : Math.max(0, behind),
      };
    });
  }

  /** Why nobody reads it, whatever it has replayed. */
  private noCopy({ isStandby, cluster }: SeenReplica): string | undefined {
    if (!isStandby) return 'it is no standby';
    if (this.cluster !== undefined && cluster !== this.cluster) return 'it is no copy of this database';
    return undefined;
  }

  private faultOf({ lost, seen }: Known): string | undefined {
    return lost ?? (seen && this.noCopy(seen));
  }

  private isUsable(one: Known): boolean {
    return this.faultOf(one) === undefined && this.clock.elapsed() - one.freshAt <= MOST_LAG_MS;
  }

  private judge(one: Known): void {
    const { seen } = one;
    const fault = this.faultOf(one);
    one.freshAt =
      seen && fault === undefined
        ? (this.samples.findLast(({ position }) => isReplayed(seen, position))?.at ?? -Infinity)
        : -Infinity;
    const isUsable = this.isUsable(one);
    // It is given time to catch up with the first position before that is news.
    const isEarly =
      one.told === undefined && fault === undefined && this.clock.elapsed() - this.beganAt <= MOST_LAG_MS;
    if (isUsable === one.told || (!isUsable && isEarly)) return;
    one.told = isUsable;
    this.tell(one.name, isUsable ? undefined : (fault ?? `it is more than ${MOST_LAG_MS / 1000} s behind`));
  }
}

/** Of the same history: one on a later timeline than the primary's follows another one. */
const isReplayed = (seen: SeenReplica, position: WalPosition): boolean =>
  seen.position.timeline === position.timeline && holds(seen.position, position);
