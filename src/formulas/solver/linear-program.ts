import { parentPort, workerData } from 'node:worker_threads';
import Big from 'big.js';
import loadHighs, { type Highs, type Model, type ModelData } from 'highs';
import { sumOf } from '../../platform/common/collections';

/** The sum of each coefficient times the percentage of its line is within these bounds. Exact decimals. */
export interface Limit {
  readonly terms: readonly (readonly [line: number, coefficient: string])[];
  readonly min?: string;
  readonly max?: string;
}

/** Percentages of lines that make exactly 100 are sought. Plain data, so that a thread can receive it. */
export interface Problem {
  readonly objective: 'least-cost' | 'least-change';
  /** Decimals of the percentages that are sought. */
  readonly decimals: number;
  /** The percentage of each line now. */
  readonly present: readonly number[];
  /** Cost per kilogram of the product of one percent of each line. Exact decimals. */
  readonly costs: readonly string[];
  /** The limits of a wish hold together. */
  readonly wishes: readonly (readonly Limit[])[];
}

export type Solution =
  | { readonly percentages: readonly number[] }
  /** Indexes of wishes that exclude each other. */
  | { readonly conflict: readonly number[] }
  | { readonly failure: 'not-rounded' | 'too-demanding' };

/** Most steps of the last decimal by which rounding moves a percentage from the optimum. */
const ROUNDING_STEPS = 100;

/** By how many steps limits are narrowed if the solver, which adds fractions inexactly, has exceeded one. */
const MARGINS = [0, 0.001];

/** A number of nodes, unlike a time, gives the same rounding every time. The gap is in steps. */
const OPTIONS = {
  ...{ output_flag: false, primal_feasibility_tolerance: 1e-9 },
  ...{ mip_max_nodes: 10, mip_abs_gap: 0.01, mip_rel_gap: 0.01 },
};

const HUNDRED = new Big(100);
const ZERO = new Big(0);

class TooDemanding extends Error {}

let loading: Promise<Highs> | undefined;

/**
 * Finds the percentages of least cost or least change that fulfil all wishes, or wishes that exclude each other.
 *
 * Of equally cheap percentages those that change least are taken; of equal changes, those of the larger lines. HiGHS
 * finds the optimum; then the percentages are rounded, and compared with all limits in exact decimals.
 */
export async function solve(problem: Problem, timeoutMs: number): Promise<Solution> {
  const highs = await (loading ??= loadHighs());
  const program = new LinearProgram(highs, problem, performance.now() + timeoutMs);
  try {
    return highs.withModel(program.model(), (model): Solution => {
      const optimum = program.optimum(model);
      if (!optimum) return { conflict: program.conflict(model) };
      const rounded = program.round(optimum);
      // Without the sign of a negative zero.
      return rounded
        ? { percentages: rounded.map((share) => share.toNumber() + 0) }
        : { failure: 'not-rounded' };
    });
  } catch (error) {
    if (error instanceof TooDemanding) return { failure: 'too-demanding' };
    if (error instanceof highs.errors.HighsError) return { failure: 'not-rounded' };
    throw error;
  }
}

type Row = readonly [
  terms: readonly (readonly [column: number, value: number])[],
  lower: number,
  upper: number,
];

/**
 * Columns: the percentages, what they are above given ones, and what they are below. Rows: the sum, the change of each
 * line, all limits, and the objective.
 */
class LinearProgram {
  private readonly present: readonly Big[];
  private readonly limits: readonly (Limit & { readonly wish: number })[];
  /** Costs as shares of the greatest one, or changes. */
  private readonly objective: readonly number[];

  constructor(
    private readonly highs: Highs,
    private readonly problem: Problem,
    private readonly deadline: number,
  ) {
    const { costs, present, wishes } = problem;
    this.present = present.map((share) => new Big(share));
    this.limits = wishes.flatMap((limits, wish) => limits.map((limit) => ({ ...scaled(limit), wish })));
    const greatest = Math.max(...costs.map(Number)) || 1;
    this.objective =
      problem.objective === 'least-cost'
        ? [...costs.map((cost) => Number(cost) / greatest), ...present.flatMap(() => [0, 0])]
        : changes(present.map(() => 1));
  }

  /** Undefined if the wishes exclude each other. */
  optimum(model: Model): readonly number[] | undefined {
    const first = this.run(model);
    if (!first) return undefined;
    const most = model.getObjectiveValue();
    const objectiveRow = 1 + first.length + this.limits.length;
    model.changeRowBounds(objectiveRow, -this.highs.infinity, most + 1e-9 * Math.max(1, Math.abs(most)));
    const isCost = this.problem.objective === 'least-cost';
    setCosts(model, changes(this.present.map((share) => (isCost ? 1 : weightOf(share)))));
    return this.run(model) ?? first;
  }

  conflict(model: Model): number[] {
    const { infinity } = this.highs;
    const isPossible = (wishes: readonly number[]) => {
      const wanted = new Set(wishes);
      for (const [index, { wish, min, max }] of this.limits.entries()) {
        const [lower = -infinity, upper = infinity] = wanted.has(wish) ? [min, max] : [];
        model.changeRowBounds(1 + this.present.length + index, Number(lower), Number(upper));
      }
      return this.run(model) !== undefined;
    };
    setCosts(model, changes(this.present.map(() => 0)));
    return smallestConflict([...this.problem.wishes.keys()], isPossible).sort((one, other) => one - other);
  }

  /** The percentages nearest to the optimum that have the decimals of the problem and fulfil all wishes exactly. */
  round(optimum: readonly number[]): Big[] | undefined {
    const base = optimum.map((share) => new Big(share).round(this.problem.decimals));
    if (this.isExact(base)) return base;
    const unit = new Big(10).pow(this.problem.decimals);
    const { integer, continuous } = this.highs.constants.variableType;
    for (const margin of MARGINS) {
      const data = {
        ...this.model({ base, given: base, unit, margin, most: ROUNDING_STEPS }),
        colCost: changes(base.map((share) => 1 + weightOf(share))),
        integrality: [...base.map(() => integer), ...base.flatMap(() => [continuous, continuous])],
      };
      const steps = this.highs.withModel(data, (model) => this.run(model)) ?? [];
      const rounded = base.map((share, line) => share.plus(new Big(Math.round(steps[line] ?? 0)).div(unit)));
      if (this.isExact(rounded)) return rounded;
    }
    return undefined;
  }

  private isExact(shares: readonly Big[]): boolean {
    if (!sumOf(shares).eq(HUNDRED) || shares.some((share) => share.lt(0))) return false;
    return this.limits.every(({ terms, min, max }) => {
      const sum = valueOf(terms, shares);
      return (min === undefined || sum.gte(min)) && (max === undefined || sum.lte(max));
    });
  }

  /** @returns the percentages; undefined if there are none */
  private run(model: Model): number[] | undefined {
    const seconds = (this.deadline - performance.now()) / 1000;
    if (seconds <= 0) throw new TooDemanding();
    model.options.set({ ...OPTIONS, time_limit: seconds });
    model.zeroAllClocks();
    model.run();
    const { optimal, infeasible, unboundedOrInfeasible, solutionLimit } = this.highs.constants.modelStatus;
    const status = model.getModelStatus();
    if (status === infeasible || status === unboundedOrInfeasible) return undefined;
    if (status !== optimal && status !== solutionLimit) throw new TooDemanding();
    return [...model.getSolution().colValue].slice(0, this.present.length);
  }

  /**
   * The model, counted from `base` in units of which one percent has `unit`. All differences are exact before they
   * become floating-point numbers.
   * @param given the percentages from which changes are counted
   * @param most most units from `base`
   */
  model({
    base = this.present.map(() => ZERO),
    given = this.present,
    unit = new Big(1),
    margin = 0,
    most = 100,
  } = {}): ModelData {
    const [count, far] = [base.length, this.highs.infinity];
    const inUnits = (share: Big) => share.times(unit).toNumber();
    const within = (terms: Row[0], { min, max }: { min?: Big; max?: Big }, narrowed = 0): Row => [
      terms,
      min ? inUnits(min) + narrowed : -far,
      max ? inUnits(max) - narrowed : far,
    ];
    const equal = (terms: Row[0], share: Big) => within(terms, { min: share, max: share });
    const rows: Row[] = [
      equal(
        base.map((_, line) => [line, 1]),
        HUNDRED.minus(sumOf(base)),
      ),
      ...base.map((share, line) =>
        equal(
          [
            [line, 1],
            [count + line, -1],
            [2 * count + line, 1],
          ],
          given[line]!.minus(share),
        ),
      ),
      ...this.limits.map(({ terms, min, max }) => {
        const from = (bound?: string) =>
          bound === undefined ? undefined : new Big(bound).minus(valueOf(terms, base));
        const hasFractions = terms.some(([, coefficient]) => coefficient !== '1');
        const numbers = terms.map(([line, coefficient]) => [line, Number(coefficient)] as const);
        return within(numbers, { min: from(min), max: from(max) }, hasFractions ? margin : 0);
      }),
      within(
        [...this.objective.entries()].filter(([, cost]) => cost !== 0),
        {},
      ),
    ];
    const [numCols, numRows] = [3 * count, rows.length];
    const terms = rows.flatMap(([ofRow]) => ofRow);
    let start = 0;
    return {
      ...{ numCols, numRows, colCost: this.objective },
      colLower: [...base.map((share) => Math.max(-most, -inUnits(share))), ...base.flatMap(() => [0, 0])],
      colUpper: [...base.map(() => most), ...base.flatMap(() => [far, far])],
      rowLower: rows.map(([, lower]) => lower),
      rowUpper: rows.map(([, , upper]) => upper),
      matrix: {
        ...{ format: 'csr', numCols, numRows },
        starts: [0, ...rows.map(([ofRow]) => (start += ofRow.length))],
        indices: terms.map(([column]) => column),
        values: terms.map(([, value]) => value),
      },
    };
  }
}

/** Costs of changes, up and down. */
const changes = (costs: readonly number[]): number[] => [...costs.map(() => 0), ...costs, ...costs];

/** Less for larger lines, so that they change first. */
const weightOf = (share: Big): number => 1 / (share.toNumber() + 1);

const setCosts = (model: Model, costs: readonly number[]) =>
  model.changeColsCost({ kind: 'range', from: 0, to: costs.length - 1 }, costs);

/** The same limit with a greatest coefficient of one digit. HiGHS takes neither very large nor very small ones. */
function scaled({ terms, min, max }: Limit): Limit {
  const greatest = terms.reduce((most, [, one]) => (most.lt(one) ? new Big(one) : most), ZERO);
  const scale = new Big(`1e${-greatest.e}`);
  const times = (value: string) => scale.times(value).toFixed();
  return {
    terms: terms.map(([line, one]) => [line, times(one)]),
    min: min && times(min),
    max: max && times(max),
  };
}

const valueOf = (terms: Limit['terms'], shares: readonly Big[]): Big =>
  sumOf(terms.map(([line, coefficient]) => shares[line]!.times(coefficient)));

/**
 * Returns a set of wishes that exclude each other, of which none can be left out without the others being possible
 * (QuickXplain, U. Junker 2004). It asks about few sets if the conflict is small.
 * @param wishes not possible together
 * @param isPossible true for no wishes at all
 */
export function smallestConflict<Wish>(
  wishes: readonly Wish[],
  isPossible: (wishes: readonly Wish[]) => boolean,
): Wish[] {
  const explain = (given: readonly Wish[], isNew: boolean, doubtful: readonly Wish[]): Wish[] => {
    if (isNew && !isPossible(given)) return [];
    if (doubtful.length === 1) return [...doubtful];
    const half = Math.ceil(doubtful.length / 2);
    const [first, second] = [doubtful.slice(0, half), doubtful.slice(half)];
    const ofSecond = explain([...given, ...first], true, second);
    const ofFirst = explain([...given, ...ofSecond], ofSecond.length > 0, first);
    return [...ofFirst, ...ofSecond];
  };
  return explain([], false, wishes);
}

// A thread that is started with a problem sends its solution.
const { problem, timeoutMs } = (workerData ?? {}) as { problem?: Problem; timeoutMs?: number };
if (parentPort && problem && timeoutMs) {
  const port = parentPort;
  void solve(problem, timeoutMs).then((solution) => port.postMessage(solution));
}
