export type Random = () => number;

/** Deterministic uniform numbers in [0, 1) (mulberry32): a failure must come back on the next run. */
export function randomNumbers(seed: number): Random {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const SHARE = Number(process.env.TEST_SAMPLE_SHARE ?? 0.25);

/** Part of a table of cases that takes long, another one for each `turn`: a quarter, all with TEST_SAMPLE_SHARE=1. */
export function sampled<T>(cases: readonly T[], turn: number): T[] {
  const every = Math.max(1, Math.round(1 / SHARE));
  return cases.filter((_, index) => (index + turn) % every === 0);
}

/** How many samples a test draws: a quarter of `count`, all with TEST_SAMPLE_SHARE=1, fewer under mutation testing. */
export function samples(count: number): number {
  return Math.ceil(count * SHARE);
}
