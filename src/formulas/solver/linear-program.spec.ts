import Big from 'big.js';
import fc from 'fast-check';
import { sumOf } from '../../platform/common/collections';
import { type Limit, type Problem, solve } from './linear-program';

const TIMEOUT_MS = 20_000;

const problem = (given: Partial<Problem> & Pick<Problem, 'present'>): Problem => ({
  objective: 'least-change',
  decimals: 3,
  costs: given.present.map(() => '0'),
  wishes: [],
  ...given,
});
const solved = async (given: Problem) => {
  const solution = await solve(given, TIMEOUT_MS);
  if (!('percentages' in solution)) throw new Error(JSON.stringify(solution));
  return solution.percentages;
};
const share = (line: number, min: number, max: number): Limit => ({
  terms: [[line, '1']],
  min: String(min),
  max: String(max),
});
const content = (coefficients: readonly string[], bounds: { min?: string; max?: string }): Limit => ({
  terms: coefficients.map((coefficient, line) => [line, coefficient] as const),
  ...bounds,
});
const valueOf = ({ terms }: Limit, shares: readonly number[]) =>
  sumOf(terms.map(([line, coefficient]) => new Big(shares[line]!).times(coefficient)));

function expectFulfilled(shares: readonly number[], { wishes, decimals }: Problem) {
  expect(sumOf(shares).toFixed()).toBe('100');
  for (const one of shares) {
    expect(one).toBeGreaterThanOrEqual(0);
    expect(new Big(one).round(decimals).eq(one)).toBe(true);
  }
  for (const limit of wishes.flat()) {
    const value = valueOf(limit, shares);
    if (limit.min !== undefined) expect(value.gte(limit.min)).toBe(true);
    if (limit.max !== undefined) expect(value.lte(limit.max)).toBe(true);
  }
}

const costOf = (shares: readonly number[], { costs }: Problem) =>
  sumOf(shares.map((one, line) => new Big(one).times(costs[line]!)));
const changeOf = (shares: readonly number[], { present }: Problem) =>
  sumOf(shares.map((one, line) => new Big(one).minus(present[line]!).abs()));

describe('solve', () => {
  it('finds the least cost within bounds', async () => {
    const given = problem({
      objective: 'least-cost',
      present: [80, 15, 5],
      costs: ['0.001', '0.12', '0.3'],
      wishes: [[share(0, 60, 90)], [share(1, 6, 20)], [share(2, 4, 8)]],
    });
    expect(await solved(given)).toEqual([90, 6, 4]);
  });

  it('changes as little as possible, and of equal changes that of the largest line', async () => {
    expect(await solved(problem({ present: [80, 15, 5] }))).toEqual([80, 15, 5]);
    expect(await solved(problem({ present: [15, 80, 5], wishes: [[share(2, 0, 0)]] }))).toEqual([15, 85, 0]);
    expect(await solved(problem({ present: [79.7, 15, 5] }))).toEqual([80, 15, 5]);
  });

  it('of equally cheap percentages takes those that change least', async () => {
    const given = problem({ objective: 'least-cost', present: [50, 30, 20], costs: ['0.1', '0.1', '0.2'] });
    expect(await solved(given)).toEqual([70, 30, 0]);
  });

  it('rounds into the limits: 90 % of a blend may be 0.5 %', async () => {
    const given = problem({
      present: [99, 1],
      wishes: [[content(['0', '0.9'], { max: '0.5' })]],
    });
    expect(await solved(given)).toEqual([99.445, 0.555]);
  });

  it('finds a rounding that only a few percentages have', async () => {
    const given = problem({
      present: [60, 25, 15],
      wishes: [
        [content(['0', '0.3', '0.7'], { min: '20.001', max: '20.001' })],
        [content(['0.001', '0.37', '0'], { max: '9.25' })],
      ],
    });
    expectFulfilled(await solved(given), given);
  });

  it('exceeds no limit by less than the solver notices', async () => {
    const limit = content(['0', '0.3333333'], { max: '0.0009999998' });
    expect(await solved(problem({ present: [99.99, 0.01], wishes: [[limit]] }))).toEqual([99.998, 0.002]);
  });

  it.each(['1e17', '1e300', '1e-12', '1e-300'])(
    'finds percentages with coefficients around %s',
    async (size) => {
      const exact = (value: number) => new Big(size).times(value).toFixed();
      const limit = content([exact(1), exact(3)], { max: exact(160) });
      expect(await solved(problem({ present: [60, 40], wishes: [[limit]] }))).toEqual([70, 30]);
      const wishes = [[limit], [share(1, 31, 40)]];
      expect(await solve(problem({ present: [60, 40], wishes }), TIMEOUT_MS)).toEqual({ conflict: [0, 1] });
    },
  );

  it('finds no percentages where HiGHS cannot calculate', async () => {
    const given = problem({ objective: 'least-cost', present: [60, 40], costs: ['1e400', '1'] });
    expect(await solve(given, TIMEOUT_MS)).toEqual({ failure: 'not-rounded' });
  });

  it('says that no percentages with so few decimals fulfil the wishes', async () => {
    const given = problem({ present: [99, 1], wishes: [[share(1, 0.0001, 0.0002)]] });
    expect(await solve(given, TIMEOUT_MS)).toEqual({ failure: 'not-rounded' });
    expect(await solved({ ...given, decimals: 4 })).toEqual([99.9998, 0.0002]);
  });

  it('names wishes that exclude each other, and no other', async () => {
    const wishes = [
      [share(0, 60, 70)],
      [share(1, 0, 10)],
      [share(2, 0, 30)],
      [share(1, 0, 50)],
      [share(2, 0, 5)],
    ];
    expect(await solve(problem({ present: [70, 20, 10], wishes }), TIMEOUT_MS)).toEqual({
      conflict: [0, 1, 4],
    });
  });

  it('gives up in time', async () => {
    expect(await solve(problem({ present: [100] }), 0)).toEqual({ failure: 'too-demanding' });
  });
});

/** Small problems over three to five lines in steps of 5 %, some possible and some not. */
const problems = (objective: Problem['objective']) =>
  fc
    .integer({ min: 3, max: 5 })
    .chain((count) => {
      const amounts = (max: number) =>
        fc.array(fc.integer({ min: 0, max }), { minLength: count, maxLength: count });
      const bound = fc.tuple(
        fc.nat(count - 1),
        fc.integer({ min: 0, max: 12 }),
        fc.integer({ min: 0, max: 12 }),
      );
      return fc.record({
        parts: amounts(20).filter((parts) => parts.some(Boolean)),
        costs: amounts(50),
        bounds: fc.array(bound, { maxLength: 5 }),
        contents: fc.array(fc.tuple(amounts(10), fc.integer({ min: 0, max: 80 }), fc.boolean()), {
          maxLength: 3,
        }),
      });
    })
    .map(({ parts, costs, bounds, contents }) => {
      const sum = sumOf(parts);
      return problem({
        objective,
        present: parts.map((part) => new Big(part).times(100).div(sum).round(2).toNumber()),
        costs: costs.map((cost) => new Big(cost).div(100).toFixed()),
        wishes: [
          ...bounds.map(([line, one, other]) => [
            share(line, Math.min(one, other) * 5, Math.max(one, other) * 5),
          ]),
          ...contents.map(([coefficients, amount, isMax]) => [
            content(
              coefficients.map((coefficient) => new Big(coefficient).div(10).toFixed()),
              { [isMax ? 'max' : 'min']: String(amount) },
            ),
          ]),
        ],
      });
    });

/** All multiples of 5 % that make 100. */
function* multiples(count: number, rest = 20): Generator<number[]> {
  if (count === 1) return yield [rest * 5];
  for (let first = 0; first <= rest; first += 1) {
    for (const others of multiples(count - 1, rest - first)) yield [first * 5, ...others];
  }
}
const fulfils = (shares: readonly number[], wishes: Problem['wishes']) =>
  wishes.flat().every((limit) => {
    const value = valueOf(limit, shares);
    return !(limit.min && value.lt(limit.min)) && !(limit.max && value.gt(limit.max));
  });
const RUNS = Math.ceil(120 * Number(process.env.TEST_SAMPLE_SHARE ?? 0.25));

describe.each(['least-cost', 'least-change'] as const)('%s', (objective) => {
  const sizeOf = objective === 'least-cost' ? costOf : changeOf;

  it('every solution fulfils every wish exactly, and no multiples of 5 % are better', async () => {
    await fc.assert(
      fc.asyncProperty(problems(objective), async (given) => {
        const solution = await solve(given, TIMEOUT_MS);
        const possible = [...multiples(given.present.length)].filter((shares) =>
          fulfils(shares, given.wishes),
        );
        if (!('percentages' in solution)) return void expect(possible).toEqual([]);
        expectFulfilled(solution.percentages, given);
        const size = sizeOf(solution.percentages, given);
        // Rounding moves each percentage by a few thousandths.
        const rounding = objective === 'least-cost' ? 0.01 : 0.03;
        for (const shares of possible) expect(size.minus(rounding).lte(sizeOf(shares, given))).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  it('every conflict is one, and without any of its wishes there is none', async () => {
    await fc.assert(
      fc.asyncProperty(problems(objective), async (given) => {
        const solution = await solve(given, TIMEOUT_MS);
        if (!('conflict' in solution)) return;
        const named = solution.conflict.map((wish) => given.wishes[wish]!);
        for (const shares of multiples(given.present.length)) expect(fulfils(shares, named)).toBe(false);
        for (const [left] of named.entries()) {
          const others = { ...given, wishes: named.filter((_, index) => index !== left) };
          expectFulfilled(await solved(others), others);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
