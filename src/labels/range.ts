import { distinctBy, groupBy } from '../platform/common/collections';
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
  const { ordered, stuck } = commonOrder(rows, region);
  const kindOf = (row: Row): RangeDifferenceDto['kind'] | undefined => {
    if (row.includes(undefined)) return 'not-in-all';
    if (stuck.includes(row)) return 'order';
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
 * Returns the rows in an order that is right for every formula, and the rows for which there is none. In each formula,
 * larger shares come first; the order of those below 1 percent (EU, US), and of traces (China), is free.
 */
function commonOrder(rows: readonly Row[], region: Region): { ordered: Row[]; stuck: Row[] } {
  const isFree = ({ group }: DeclarationEntryDto) =>
    group === (region === 'cn' ? 'trace' : 'below-one-percent');
  const steps = [...(rows[0] ?? []).keys()].map((formula) => {
    const shareOf = (row: Row) => (!row[formula] || isFree(row[formula]) ? 0 : row[formula].percentage);
    return [...groupBy(rows, shareOf)].sort(([one], [other]) => other - one);
  });
  const ordered: Row[] = [];
  const isNextIn = new Map<Row, number>();
  const open = (formula: number) => {
    for (const row of steps[formula]![0]?.[1] ?? []) {
      const count = (isNextIn.get(row) ?? 0) + 1;
      isNextIn.set(row, count);
      if (count === steps.length) ordered.push(row);
    }
  };
  steps.forEach((_, formula) => open(formula));
  const left = steps.map(([first]) => first?.[1].length ?? 0);
  // The list grows while it is read: a row is added when no formula has a larger share left.
  for (let at = 0; at < ordered.length; at += 1) {
    for (const [formula, own] of steps.entries()) {
      left[formula]! -= 1;
      if (left[formula] !== 0) continue;
      own.shift();
      left[formula] = own[0]?.[1].length ?? 0;
      open(formula);
    }
  }
  const added = new Set(ordered);
  const stuck = new Set(steps.flatMap(([first]) => (first && first[0] > 0 ? first[1] : [])));
  return { ordered, stuck: [...stuck].filter((row) => !added.has(row)) };
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
      const alternatives = distinctBy(
        same.flatMap(({ problem }) => problem.alternatives),
        (name) => name,
      );
      return {
        code,
        message,
        inciName,
        alternatives,
        formulas: [...new Set(same.map(({ formulaName }) => formulaName))],
      };
    },
  );
}
