import type { Cluster } from '../cluster/cluster';

const MEGABYTE = 1024 * 1024;
const EVERY_MS = 5000;
/** What is promised for the last minute beside the one after the warm-up. */
const GROWTH = 1.1;
/** In minutes: a service that has just started fills its caches and its heap. At most a third of a run. */
const WARM_UP = 4;

/** A run that is shorter has no two minutes to compare after its warm-up. */
export const LEAST_MINUTES = 3;

export interface Sample {
  /** Since the start. */
  readonly minute: number;
  /** Of each instance; undefined for one that was not running. */
  readonly bytes: readonly (number | undefined)[];
}

export interface Growth {
  /** In Markdown. */
  readonly text: string;
  readonly holds: boolean;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? NaN;
}

/** Megabytes of each instance in the minute after the warm-up and in the last one of the run. */
export function growthOf(samples: readonly Sample[], minutes: number): Growth {
  const warm = Math.min(WARM_UP, minutes / 3);
  const between = (from: number, to: number, at: number) =>
    median(
      samples.filter(({ minute }) => minute >= from && minute < to).flatMap(({ bytes }) => bytes[at] ?? []),
    );
  const rows = (samples[0]?.bytes ?? []).map((_, at) => {
    const before = between(warm, warm + 1, at);
    const after = between(minutes - 1, minutes, at);
    return { at, before, after, growth: after / before };
  });
  const megabytes = (bytes: number) => (bytes / MEGABYTE).toFixed(0);
  const text = [
    `| instance | MB after ${warm.toFixed(1)} minutes | MB after ${(minutes - 1).toFixed(1)} | ratio |`,
    '| --- | --- | --- | --- |',
    ...rows.map(
      ({ at, before, after, growth }) =>
        `| ${at + 1} | ${megabytes(before)} | ${megabytes(after)} | ${growth.toFixed(2)} |`,
    ),
  ].join('\n');
  return { text, holds: rows.length > 0 && rows.every(({ growth }) => growth <= GROWTH) };
}

/** Looks at the memory of a cluster's instances until it is ended. */
export class MemoryWatch {
  private readonly samples: Sample[] = [];
  private readonly began = performance.now();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly cluster: Cluster) {
    this.timer = setInterval(() => this.look(), EVERY_MS);
  }

  get minutes(): number {
    return (performance.now() - this.began) / 60_000;
  }

  end(): Growth {
    clearInterval(this.timer);
    return growthOf(this.samples, this.minutes);
  }

  private look(): void {
    this.samples.push({
      minute: this.minutes,
      bytes: this.cluster.instances.map((instance) => (instance.isRunning ? instance.memory : undefined)),
    });
  }
}
