import type { CompositionLine } from '../formulas/composition/composition';
import {
  type Expansion,
  type LineShare,
  NOTHING,
  type Share,
  shareBeside,
  sumOfShares,
} from '../formulas/composition/expansion';
import { ciNumberOf } from '../ingredients/raw-materials/registry-numbers';
import { saysNano, substanceKey } from '../ingredients/raw-materials/substance-names';
import { groupBy } from '../platform/common/collections';
import type {
  DeclarationEntryDto,
  EntryKind,
  LabelProductType,
  ListedShareDto,
  Region,
} from './declaration.dto';

/** A line's share of an entry. */
export interface EntryShare extends LineShare {
  /** True if the entry of the fragrance, or of a natural extract, counts it too. */
  readonly isCountedElsewhere: boolean;
}

/** An entry of the ingredient list before its shares are summed. */
export interface LabelEntry {
  /** Null if there is none to declare, because the composition or the name in the region is unknown. */
  readonly name: string | null;
  /** The INCI name of the entry; of the raw material if its composition is unknown. */
  readonly inciName: string;
  /** INCI names of all known substances in the entry, one for each. */
  readonly inciNames: readonly string[];
  readonly kind: EntryKind;
  readonly chineseNames: readonly string[];
  readonly shares: readonly EntryShare[];
}

/** Merges entries with the same name at the position of the first, because a label contains each name once. */
export function mergeByName(entries: readonly LabelEntry[]): LabelEntry[] {
  const keyOf = (entry: LabelEntry) =>
    entry.name === null ? entry : `${substanceKey(entry.name)}|${saysNano(entry.name)}`;
  return [...groupBy(entries, keyOf).values()].map((same) => (same.length === 1 ? same[0]! : merged(same)));
}

const merged = (entries: readonly LabelEntry[]): LabelEntry => ({
  ...entries[0]!,
  // The entry is a colorant only if all of its parts are.
  kind: entries.find(({ kind }) => kind !== 'colorant')?.kind ?? 'colorant',
  inciNames: distinctSubstances(entries.flatMap(({ inciNames }) => inciNames)),
  chineseNames: [...new Set(entries.flatMap(({ chineseNames }) => chineseNames))],
  shares: entries.flatMap(({ shares }) => shares),
});

/** One name per substance. The number identifies a colorant: `Titanium Dioxide (CI 77891)` and `CI 77891` are one. */
const distinctSubstances = (inciNames: readonly string[]): string[] =>
  [...groupBy(inciNames, (inciName) => ciNumberOf(inciName) ?? substanceKey(inciName)).values()].map(
    ([first]) => first!,
  );

/** Percent of the product below which the order is free (EU, US), and up to which an ingredient is a trace (China). */
const FREE_ORDER_BELOW = 1;
const TRACE_UP_TO = 0.1;

/**
 * Sorts entries in the order of the label. Entries with equal shares keep their order, which is that of the lines.
 * Colorants meant to colour the hair stand among the others.
 */
export function inLabelOrder(
  entries: readonly Omit<DeclarationEntryDto, 'position' | 'group'>[],
  { region, productType }: { region: Region; productType: LabelProductType },
): DeclarationEntryDto[] {
  const descending = entries.toSorted((one, other) => other.percentage - one.percentage);
  const hasColorantsLast = region !== 'cn' && productType !== 'hair-dye';
  const isColorant = ({ kind }: { kind: EntryKind }) => hasColorantsLast && kind === 'colorant';
  const groupOf = (percentage: number) => {
    if (region === 'cn') return percentage > TRACE_UP_TO ? 'descending' : 'trace';
    return percentage >= FREE_ORDER_BELOW ? 'descending' : 'below-one-percent';
  };
  const others = descending
    .filter((entry) => !isColorant(entry))
    .map((entry) => ({ ...entry, group: groupOf(entry.percentage) }) as const);
  const colorants = entries
    .filter(isColorant)
    .toSorted(byCiNumber)
    .map((entry) => ({ ...entry, group: 'colorants' }) as const);
  return [...others, ...colorants].map((entry, index) => ({ position: index + 1, ...entry }));
}

/** Colorants without a number come last. */
export function byCiNumber(one: { inciName: string }, other: { inciName: string }): number {
  const [first, second] = [ciNumberOf(one.inciName), ciNumberOf(other.inciName)];
  if (first === second) return 0;
  if (first === undefined) return 1;
  if (second === undefined) return -1;
  return first < second ? -1 : 1;
}

/** The sums of each line's contributions. With ranges, minimum and maximum may differ from the line's share. */
export type LineTotals = ReadonlyMap<CompositionLine, Share>;

export function lineTotals({ substances, unknown }: Expansion): LineTotals {
  const totals = new Map<CompositionLine, Share>();
  for (const { line, share } of [...substances.flatMap(({ contributions }) => contributions), ...unknown]) {
    const sum = totals.get(line);
    totals.set(line, sum ? sumOfShares([sum, share]) : share);
  }
  return totals;
}

/** Sums the shares of an entry, or of a substance that the list does not name. */
export function listedShare(
  { inciName, shares }: Pick<LabelEntry, 'inciName' | 'shares'>,
  totals: LineTotals,
): ListedShareDto {
  const ofLines = combineByLine(shares, totals);
  const counted = shares.filter(({ isCountedElsewhere }) => isCountedElsewhere);
  return {
    inciName,
    ...percentagesOf(sumOfShares(ofLines.map(({ share }) => share))),
    countedInFragrance: sumByLine(counted, totals).middle.toNumber(),
    lines: ofLines.map(originOf),
  };
}

export const percentagesOf = ({ min, middle, max }: Share) => ({
  percentage: middle.toNumber(),
  minPercentage: min.toNumber(),
  maxPercentage: max.toNumber(),
});

export const originOf = ({ phase, line, share }: LineShare): ListedShareDto['lines'][number] => ({
  ingredientId: line.ingredientId,
  ingredient: line.ingredient,
  phase,
  percentage: line.percentage,
  share: share.middle.toNumber(),
});

export const sumByLine = (shares: readonly LineShare[], totals: LineTotals): Share =>
  sumOfShares(combineByLine(shares, totals).map(({ share }) => share));

/** Combines the shares of each line, because a line may contribute several substances. */
const combineByLine = (shares: readonly LineShare[], totals: LineTotals): LineShare[] =>
  [...groupBy(shares, ({ line }) => line)].map(([line, same]) => ({
    phase: same[0]!.phase,
    line,
    share: possibleShare(sumOfShares(same.map(({ share }) => share)), line, totals),
  }));

/** Returns the possible share of some substances: the line's share minus the possible share of the others. Exact. */
function possibleShare(some: Share, line: CompositionLine, totals: LineTotals): Share {
  if (some.min.eq(some.max)) return some;
  const all = totals.get(line) ?? NOTHING;
  return shareBeside(some, { min: all.min.minus(some.min), max: all.max.minus(some.max) }, line);
}
