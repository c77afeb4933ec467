import type { Cluster } from '../cluster/cluster';

const MEGABYTE = 1024 * 1024;
const EVERY_MS = 5000;
/** What is promised for the last minute beside the fifth. */
const GROWTH = 1.1;
const FIRST_MINUTE = 4;

interface Sample {
  readonly minute: number;
  readonly bytes: readonly number[];
}

const median = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;

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

  end(): void {
    clearInterval(this.timer);
  }

  /** Megabytes of each instance in the fifth minute and in the last one, and whether that is as promised. */
  report(): { text: string; holds: boolean } {
    const last = Math.ceil(this.minutes) - 1;
    const first = Math.min(FIRST_MINUTE, last);
    const of = (minute: number, instance: number) =>
      median(
        this.samples
          .filter((sample) => Math.floor(sample.minute) === minute)
          .map(({ bytes }) => bytes[instance]!),
      );
    const rows = this.cluster.instances.map((_, at) => {
      const [before, after] = [of(first, at), of(last, at)];
      return { at, before, after, growth: after / before };
    });
    const megabytes = (bytes: number) => (bytes / MEGABYTE).toFixed(0);
    const text = [
      `| instance | MB in minute ${first + 1} | MB in minute ${last + 1} | ratio |`,
      '| --- | --- | --- | --- |',
      ...rows.map(
        ({ at, before, after, growth }) =>
          `| ${at + 1} | ${megabytes(before)} | ${megabytes(after)} | ${growth.toFixed(2)} |`,
      ),
    ].join('\n');
    return { text, holds: rows.every(({ growth }) => growth <= GROWTH) };
  }

  private look(): void {
    this.samples.push({
      minute: this.minutes,
      bytes: this.cluster.instances.map(({ memory }) => memory),
    });
  }
}
