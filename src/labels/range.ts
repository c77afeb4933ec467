import { distinct, groupBy } from '../platform/common/collections';
import { saysNano, substanceKey } from '../ingredients/raw-materials/substance-names';
import type { DeclarationDto, DeclarationEntryDto, Region } from './declaration.dto';
import { byCiNumber } from './label-entries';
import { rangeText } from './label-names';
import type { RangeDeclarationDto, RangeDifferenceDto } from './range.dto';

/** Most differences of an answer. */
const MAX_DIFFERENCES = 100;

/** An entry in each of the formulas, in their order; undefined where a formula lacks it. */
type Row = readonly (DeclarationEntryDto | undefined)[];

/**
 * Returns the label of formulas that differ in colorants only, or the differences.
 *
 * Sources: Regulation (EC) No 1223/2009, Article 19(1)(g); 21 CFR 701.3(g); GB 5296.3-2008 (多色号系列).
 *
 * @param declarations of two formulas or more, by the rules of one region and one product type
 */
export function rangeOf(declarations: readonly DeclarationDto[]): RangeDeclarationDto {
  const { region, productType, fromProfile, heading, closing } = declarations[0]!;
  const isColorant = ({ kind, group }: DeclarationEntryDto) =>
    group === 'colorants' || (region === 'cn' && productType !== 'hair-dye' && kind === 'colorant');
  const rows = rowsOf(declarations, (entry) => !isColorant(entry));
  const colorants = rowsOf(declarations, isColorant).toSorted((one, other) =>
    byCiNumber(firstOf(one), firstOf(other)),
  );
  const inAll = rows.filter((row) => !row.includes(undefined));
  const { ordered, stuck } = commonOrder(inAll, region);
  const kindOf = (row: Row): RangeDifferenceDto['kind'] | undefined => {
    if (row.includes(undefined)) return 'not-in-all';
    if (stuck.has(row)) return 'order';
    const isTraceInSome = new Set(row.map((entry) => entry?.group === 'trace')).size > 1;
    return isTraceInSome ? 'trace' : undefined;
  };
  const differences = rows.flatMap((row) => {
    const kind = kindOf(row);
    return kind ? [{ kind, ...nameOf(row), shares: sharesOf(row, declarations) }] : [];
  });
  const isOne = differences.length === 0;
  const entries = [...ordered, ...colorants].map((row, index) => ({ position: index + 1, ...entryOf(row) }));
  return {
    ...{ region, productType, fromProfile, heading },
    text: isOne ? rangeText(ordered.map(firstOf), colorants, region) : null,
    isComplete: isOne && declarations.every(({ isComplete }) => isComplete),
    formulas: declarations.map(({ formulaId, formulaName, versionNumber, isComplete, entries: own }) => ({
      ...{ formulaId, formulaName, versionNumber, isComplete },
      colorants: own.filter(isColorant).map(({ name, inciName }) => name ?? inciName),
    })),
    entries: isOne ? entries : [],
    differences: differences.slice(0, MAX_DIFFERENCES),
    problems: problemsOf(declarations),
    closing,
  };
}

/** The entries of all formulas, each once, in the order of the first formula that has them. */
function rowsOf(
  declarations: readonly DeclarationDto[],
  isWanted: (entry: DeclarationEntryDto) => boolean,
): Row[] {
  const keyOf = ({ name, inciName }: DeclarationEntryDto) =>
    name === null ? `?${substanceKey(inciName)}` : `${substanceKey(name)}|${saysNano(name)}`;
  const byKey = new Map<string, (DeclarationEntryDto | undefined)[]>();
  for (const [index, { entries }] of declarations.entries()) {
    for (const entry of entries.filter(isWanted)) {
      const row = byKey.get(keyOf(entry)) ?? declarations.map(() => undefined);
      row[index] ??= entry;
      byKey.set(keyOf(entry), row);
    }
  }
  return [...byKey.values()];
}

const firstOf = (row: Row): DeclarationEntryDto => row.find((entry) => entry !== undefined)!;

/**
 * Sorts the rows by their shares in the first formula, equal ones by the next formula, and so on. If any order is right
 * for every formula, this one is. In each formula, larger shares come first; the order of those below 1 percent (EU,
 * US), and of traces (China), is free.
 * @returns also the rows that stand in front of a larger share, or behind a smaller one, in some formula
 */
function commonOrder(rows: readonly Row[], region: Region): { ordered: Row[]; stuck: ReadonlySet<Row> } {
  const free = region === 'cn' ? 'trace' : 'below-one-percent';
  const shareIn = (row: Row, formula: number) =>
    row[formula]!.group === free ? 0 : row[formula]!.percentage;
  const ordered = rows.toSorted((one, other) => {
    const differing = one.findIndex((_, formula) => shareIn(one, formula) !== shareIn(other, formula));
    return differing < 0 ? 0 : shareIn(other, differing) - shareIn(one, differing);
  });
  const stuck = new Set<Row>();
  for (const formula of rows[0]?.keys() ?? []) {
    let least = Infinity;
    for (const row of ordered) {
      if (shareIn(row, formula) > least) stuck.add(row);
      least = Math.min(least, shareIn(row, formula));
    }
    let most = 0;
    for (const row of ordered.toReversed()) {
      if (shareIn(row, formula) < most) stuck.add(row);
      most = Math.max(most, shareIn(row, formula));
    }
  }
  return { ordered, stuck };
}

const nameOf = (row: Row) => ({ name: firstOf(row).name, inciName: firstOf(row).inciName });

const sharesOf = (row: Row, declarations: readonly DeclarationDto[]) =>
  declarations.map(({ formulaId, formulaName }, index) => ({
    ...{ formulaId, formulaName },
    percentage: row[index]?.percentage ?? null,
  }));

function entryOf(row: Row) {
  const shares = row.flatMap((entry) => (entry ? [entry.percentage] : []));
  const { group } = firstOf(row);
  return { ...nameOf(row), group, minPercentage: Math.min(...shares), maxPercentage: Math.max(...shares) };
}

function problemsOf(declarations: readonly DeclarationDto[]): RangeDeclarationDto['problems'] {
  const all = declarations.flatMap(({ formulaName, problems }) =>
    problems.map((problem) => ({ formulaName, problem })),
  );
  return [...groupBy(all, ({ problem }) => `${problem.code}|${substanceKey(problem.inciName)}`).values()].map(
    (same) => {
      const { code, message, inciName } = same[0]!.problem;
      const alternatives = distinct(same.flatMap(({ problem }) => problem.alternatives));
      const formulas = distinct(same.map(({ formulaName }) => formulaName));
      return { code, message, inciName, alternatives, formulas };
    },
  );
}
