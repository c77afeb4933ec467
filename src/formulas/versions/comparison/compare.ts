import Big from 'big.js';
import { groupBy } from '../../../platform/common/collections';
import { linesOf, type Composition } from '../../composition/composition';
import type { ShownExchangeRatesDto as ExchangeRates } from '../../../ingredients/exchange-rates/exchange-rates.dto';
import { percentageOf } from '../../percentage-sum';
import { versionOf } from '../../costing/analysis.fields';
import { costChangeOf } from '../../costing/cost';
import type { ComparisonDto, FromTo, LineChangeDto, PhaseChangeDto } from '../comparison.dto';
import { keptInOrder } from './kept-in-order';
import {
  type ComparedPhase,
  type Pair,
  pairLines,
  type PlacedLine,
  placedLines,
  withoutPaired,
} from './pair-lines';
import { pairPhases } from './pair-phases';

interface PlacedPhase {
  readonly name: string;
  readonly index: number;
}

/** Something in both compositions, only in the earlier one, or only in the later one. */
type Sides<T> = readonly [from: T | undefined, to: T | undefined];

/** The differences of two versions, of the same or of two formulas. */
export function compareVersions(from: Composition, to: Composition, rates: ExchangeRates): ComparisonDto {
  const [earlier, later] = [percentageOf(linesOf(from)), percentageOf(linesOf(to))];
  return {
    from: { ...versionOf(from), createdAt: from.createdAt },
    to: { ...versionOf(to), createdAt: to.createdAt },
    ...compare(from.phases, to.phases),
    totals: {
      from: earlier.toNumber(),
      to: later.toNumber(),
      difference: later.minus(earlier).toNumber(),
    },
    cost: costChangeOf(from, to, rates),
  };
}

/** Returns the difference in exact decimals; null unless both values exist. */
export const differenceOf = ({ from, to }: FromTo<number>): number | null =>
  from === null || to === null ? null : new Big(to).minus(from).toNumber();

export type CompositionChanges = Pick<ComparisonDto, 'phases' | 'lines'>;

/**
 * The changes of phases and lines that turn one composition into another. Those that are not listed are the same in
 * both, in the same order. Their positions differ only because of listed ones before them.
 */
export function compare(from: readonly ComparedPhase[], to: readonly ComparedPhase[]): CompositionChanges {
  const pairs = pairPhases(from, to);
  return { phases: phaseChanges(from, to, pairs), lines: lineChanges(from, to, pairs) };
}

function phaseChanges(
  from: readonly ComparedPhase[],
  to: readonly ComparedPhase[],
  indexes: readonly Pair<number>[],
): PhaseChangeDto[] {
  const placed = (phases: readonly ComparedPhase[]) => phases.map(({ name }, index) => ({ name, index }));
  const [before, after] = [placed(from), placed(to)];
  const pairs = indexes.map(([a, b]): Pair<PlacedPhase> => [before[a]!, after[b]!]);
  const [removed, added] = withoutPaired(before, after, pairs);
  const isRenamed = ([a, b]: Pair<PlacedPhase>) => a.name !== b.name;
  const moved = movedOf(pairs, isRenamed);
  return [
    ...removed.map((phase) => phaseChange('removed', [phase, undefined])),
    ...pairs.filter(isRenamed).map((pair) => phaseChange('renamed', pair)),
    ...pairs
      .filter((pair) => moved.has(pair) && !isRenamed(pair))
      .map((pair) => phaseChange('reordered', pair)),
    ...added.map((phase) => phaseChange('added', [undefined, phase])),
  ].sort((x, y) => (x.position.to ?? x.position.from)! - (y.position.to ?? y.position.from)!);
}

const phaseChange = (change: PhaseChangeDto['change'], sides: Sides<PlacedPhase>): PhaseChangeDto => ({
  change,
  name: fromTo(sides, ({ name }) => name),
  position: fromTo(sides, ({ index }) => index + 1),
});

function lineChanges(
  from: readonly ComparedPhase[],
  to: readonly ComparedPhase[],
  phasePairs: readonly Pair<number>[],
): LineChangeDto[] {
  const [before, after] = [placedLines(from), placedLines(to)];
  const pairs = pairLines(before, after, phasePairs);
  const [removed, added] = withoutPaired(before, after, pairs);
  const partnerOf = new Map(phasePairs);
  const stayed = pairs.filter(([a, b]) => partnerOf.get(a.phase) === b.phase);
  const moved = new Set(pairs.filter(([a, b]) => partnerOf.get(a.phase) !== b.phase));
  for (const inPhase of groupBy(stayed, ([{ phase }]) => String(phase)).values()) {
    for (const pair of movedOf(inPhase, isChanged)) moved.add(pair);
  }
  const changeOf = (change: LineChangeDto['change'], sides: Sides<PlacedLine>) =>
    lineChange(change, sides, from, to);
  return [
    ...removed.map((line) => changeOf('removed', [line, undefined])),
    ...pairs.filter(isChanged).map((pair) => changeOf('changed', pair)),
    ...pairs.filter((pair) => moved.has(pair) && !isChanged(pair)).map((pair) => changeOf('moved', pair)),
    ...added.map((line) => changeOf('added', [undefined, line])),
  ].sort(inOrderOfWork(partnerOf));
}

const isChanged = ([{ line: a }, { line: b }]: Pair<PlacedLine>): boolean =>
  a.percentage !== b.percentage || a.processNotes !== b.processNotes;

function lineChange(
  change: LineChangeDto['change'],
  sides: Sides<PlacedLine>,
  from: readonly ComparedPhase[],
  to: readonly ComparedPhase[],
): LineChangeDto {
  const [before, after] = sides;
  return {
    change,
    ingredient: (after ?? before)!.line.ingredient,
    phase: { from: before ? from[before.phase]!.name : null, to: after ? to[after.phase]!.name : null },
    phasePosition: fromTo(sides, ({ phase }) => phase + 1),
    position: fromTo(sides, ({ index }) => index + 1),
    percentage: fromTo(sides, ({ line }) => line.percentage),
    processNotes: fromTo(sides, ({ line }) => line.processNotes),
  };
}

const fromTo = <T, Value>([from, to]: Sides<T>, valueOf: (side: T) => Value | null): FromTo<Value> => ({
  from: from === undefined ? null : valueOf(from),
  to: to === undefined ? null : valueOf(to),
});

/** As the later composition is worked through; what was removed stands where it was. */
function inOrderOfWork(partnerOf: ReadonlyMap<number, number>) {
  const phaseOf = ({ phasePosition: { from, to } }: LineChangeDto) =>
    to ?? (partnerOf.get(from! - 1) ?? from! - 1) + 1;
  const placeOf = ({ position: { from, to } }: LineChangeDto) => (to ?? from)!;
  return (x: LineChangeDto, y: LineChangeDto) => phaseOf(x) - phaseOf(y) || placeOf(x) - placeOf(y);
}

/**
 * The fewest things that have moved, so that all others keep their order. Things that are listed for another
 * reason count as moved rather than one that would not be listed otherwise.
 */
function movedOf<T extends { readonly index: number }>(
  pairs: readonly Pair<T>[],
  isListed: (pair: Pair<T>) => boolean,
): Set<Pair<T>> {
  const sorted = pairs.toSorted(([x], [y]) => x.index - y.index);
  const places = sorted.map(([, { index }]) => index);
  const weights = sorted.map((pair) => (isListed(pair) ? 1 : sorted.length + 1));
  const kept = keptInOrder(places, weights, Math.max(0, ...places) + 1);
  return new Set(sorted.filter((_, index) => !kept.has(index)));
}
