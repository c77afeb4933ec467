import { figuresOf, LENGTH_BOUNDS, sharedFigures, UPKEEP_KINDS } from '../figures';

interface Noting {
  timed<T>(run: () => T): T;
  upkeep(sql: string): void;
}
// eslint-disable-next-line @typescript-eslint/no-require-imports -- plain JavaScript, as the thread loads it
const { Figures } = require('./figures.cjs') as {
  Figures: new (places: object, now: () => number) => Noting;
};

describe('The figures of the embedded database', () => {
  const shared = sharedFigures();
  let time = 0;
  const places = { shared, bounds: LENGTH_BOUNDS, upkeepKinds: UPKEEP_KINDS };
  const noting = new Figures(places, () => time);
  const takes = (ms: number) => noting.timed(() => (time += ms));

  it('are read where they were noted', () => {
    for (const ms of [1, 3, 700, 31_000]) takes(ms);
    expect(() =>
      noting.timed(() => {
        time += 2000;
        throw new Error('a fault');
      }),
    ).toThrow('a fault');
    for (const sql of [
      'checkpoint',
      'analyze users',
      'vacuum (analyze) users',
      'vacuum (freeze) users',
      'select 1',
    ])
      noting.upkeep(sql);
    const { lengths, seconds, upkeep, restarts } = figuresOf(shared, 2);
    expect(lengths).toEqual([1, 2, 2, 2, 2, 2, 3, 4, 4, 5]);
    expect(seconds).toBeCloseTo(33.704);
    expect(upkeep).toEqual({ checkpoint: 1, analyze: 1, vacuum: 2 });
    expect(restarts).toBe(2);
  });
});
