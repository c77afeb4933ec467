import { parentPort, workerData } from 'node:worker_threads';
import Big from 'big.js';
import loadHighs, { type Highs, type ModelData } from 'highs';
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

/** Most percent by which a percentage changes, and most steps of the last decimal by which rounding moves it. */
const MOST = 100;

/** A number of nodes, unlike a time, gives the same rounding every time. The gap is in steps. */
const OPTIONS = {
  ...{ output_flag: false, primal_feasibility_tolerance: 1e-9, mip_feasibility_tolerance: 1e-9 },
  ...{ mip_max_nodes: 10, mip_abs_gap: 0.01, mip_rel_gap: 0.01 },
};

const ONE = new Big(1);

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
    const optimum = program.optimum();
    if (!optimum) return { conflict: program.conflict() };
    const rounded = program.round(optimum);
    // Without the sign of a negative zero.
    return rounded
      ? { percentages: rounded.map((share) => share.toNumber() + 0) }
      : { failure: 'not-rounded' };
  } catch (error) {
    if (error instanceof TooDemanding) return { failure: 'too-demanding' };
    if (error instanceof highs.errors.HighsError) return { failure: 'not-rounded' };
    throw error;
  }
}

/** A sum of columns, each times a number. */
interface Row {
  readonly terms: readonly (readonly [column: number, value: number])[];
  readonly lower: number;
  readonly upper: number;
  readonly wish?: number;
}

/** Columns: the change of each percentage from its base, what of it is upwards, and what is downwards. */
class LinearProgram {
  private readonly present: readonly Big[];
  private readonly limits: readonly (Limit & { readonly wish?: number })[];
  private readonly rows: readonly Row[];

  constructor(
    private readonly highs: Highs,
    private readonly problem: Problem,
    private readonly deadline: number,
  ) {
    this.present = problem.present.map((share) => new Big(share));
    const all: Limit = { terms: this.present.map((_, line) => [line, '1']), min: '100', max: '100' };
    const wishes = problem.wishes.flatMap((limits, wish) => limits.map((limit) => ({ ...limit, wish })));
    this.limits = [all, ...wishes].map(scaled);
    this.rows = this.rowsFrom(this.present);
  }

  /** Undefined if the wishes exclude each other. */
  optimum(): Big[] | undefined {
    const { objective, costs } = this.problem;
    const greatest = Math.max(...costs.map(Number)) || 1;
    const objectives = [
      ...(objective === 'least-cost' ? [costs.map((cost) => Number(cost) / greatest)] : []),
      changes(this.present.map(() => 1)),
      changes(this.present.map(weightOf)),
    ];
    let rows = this.rows;
    let best: readonly number[] | undefined;
    for (const ofColumns of objectives) {
      const columns = this.minimize(ofColumns, rows);
      if (!columns) break;
      best = columns;
      const terms = [...ofColumns.entries()].filter(([, cost]) => cost !== 0);
      const least = terms.reduce((sum, [column, cost]) => sum + cost * columns[column]!, 0);
      const upper = least + 1e-9 * Math.max(1, Math.abs(least));
      rows = [...rows, { terms, lower: -this.highs.infinity, upper }];
    }
    return best && this.present.map((share, line) => share.plus(best[line]!));
  }

  conflict(): number[] {
    const isPossible = (wishes: readonly number[]) => {
      const wanted = new Set<number | undefined>([undefined, ...wishes]);
      const rows = this.rows.filter(({ wish }) => wanted.has(wish));
      return this.minimize([], rows) !== undefined;
    };
    return smallestConflict([...this.problem.wishes.keys()], isPossible).sort((one, other) => one - other);
  }

  /** The percentages nearest to the optimum that have the decimals of the problem and fulfil all wishes exactly. */
  round(optimum: readonly Big[]): Big[] | undefined {
    const base = optimum.map((share) => share.round(this.problem.decimals));
    if (this.isExact(base)) return base;
    const unit = new Big(10).pow(this.problem.decimals);
    const costs = changes(base.map((share) => 1 + weightOf(share)));
    const steps = this.minimize(costs, this.rowsFrom(base, unit), base, unit);
    const rounded = base.map((share, line) => share.plus(new Big(Math.round(steps?.[line] ?? 0)).div(unit)));
    return this.isExact(rounded) ? rounded : undefined;
  }

  private isExact(shares: readonly Big[]): boolean {
    const isWithin = ({ terms, min, max }: Limit) => {
      const sum = valueOf(terms, shares);
      return (min === undefined || sum.gte(min)) && (max === undefined || sum.lte(max));
    };
    return shares.every((share) => share.gte(0)) && this.limits.every(isWithin);
  }

  /** All limits of changes from `base`. Differences are exact before they become floating-point numbers. */
  private rowsFrom(base: readonly Big[], unit = ONE): Row[] {
    const { infinity } = this.highs;
    const limits = this.limits.map(({ terms, min, max, wish }): Row => {
      const value = valueOf(terms, base);
      const inUnits = (bound: string) => new Big(bound).minus(value).times(unit).toNumber();
      return {
        terms: terms.map(([line, coefficient]) => [line, Number(coefficient)]),
        lower: min === undefined ? -infinity : inUnits(min),
        upper: max === undefined ? infinity : inUnits(max),
        wish,
      };
    });
    const parts = base.map((_, line): Row => ({
      terms: [
        [line, 1],
        [base.length + line, -1],
        [2 * base.length + line, 1],
      ],
      ...{ lower: 0, upper: 0 },
    }));
    return [...limits, ...parts];
  }

  /**
   * The changes of least cost, in units of which one percent has `unit`. Steps of rounding are integers.
   * @param costs of the first columns; the others cost nothing
   * @returns undefined if there are none
   */
  private minimize(
    costs: readonly number[],
    rows: readonly Row[],
    base = this.present,
    unit = ONE,
  ): number[] | undefined {
    const { infinity, constants } = this.highs;
    const { integer, continuous } = constants.variableType;
    const [count, numCols, numRows] = [base.length, 3 * base.length, rows.length];
    const terms = rows.flatMap((row) => row.terms);
    const columns = [...Array(numCols).keys()];
    let start = 0;
    const data: ModelData = {
      ...{ numCols, numRows, colCost: columns.map((column) => costs[column] ?? 0) },
      colLower: columns.map((line) => Math.max(-MOST, base[line]?.times(unit).neg().toNumber() ?? 0)),
      colUpper: columns.map((column) => (column < count ? MOST : infinity)),
      rowLower: rows.map(({ lower }) => lower),
      rowUpper: rows.map(({ upper }) => upper),
      matrix: {
        ...{ format: 'csr', numCols, numRows },
        starts: [0, ...rows.map((row) => (start += row.terms.length))],
        indices: terms.map(([column]) => column),
        values: terms.map(([, value]) => value),
      },
      integrality: columns.map((column) => (unit !== ONE && column < count ? integer : continuous)),
    };
    return this.highs.withModel(data, (model) => {
      const seconds = (this.deadline - performance.now()) / 1000;
      if (seconds <= 0) throw new TooDemanding();
      model.options.set({ ...OPTIONS, time_limit: seconds });
      model.run();
      const { optimal, infeasible, unboundedOrInfeasible, solutionLimit } = constants.modelStatus;
      const status = model.getModelStatus();
      if (status === infeasible || status === unboundedOrInfeasible) return undefined;
      if (status !== optimal && status !== solutionLimit) throw new TooDemanding();
      return [...model.getSolution().colValue];
    });
  }
}

/** Costs of changes, up and down. */
const changes = (costs: readonly number[]): number[] => [...costs.map(() => 0), ...costs, ...costs];

/** Less for larger lines, so that they change first. */
const weightOf = (share: Big): number => 1 / (share.toNumber() + 1);

/** The same limit with a greatest coefficient of one digit. HiGHS takes neither very large nor very small ones. */
function scaled<Given extends Limit>({ terms, min, max, ...given }: Given) {
  const greatest = terms.reduce((most, [, one]) => (most.lt(one) ? new Big(one) : most), new Big(0));
  const scale = new Big(`1e${-greatest.e}`);
  const times = (value: string) => scale.times(value).toFixed();
  return {
    ...given,
    terms: terms.map(([line, one]) => [line, times(one)] as const),
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
