import Big from 'big.js';
import type { Composition, CompositionLine, CompositionPhase } from './composition';
import { type Perfume, perfumeOf } from './perfume';
import { sumOf } from '../../platform/common/collections';
import { inTurns } from '../../platform/common/in-turns';
import type { Substance, SubstanceRole } from '../../ingredients/raw-materials/substance';
import {
  isBlendName,
  saysNano,
  substanceKey,
  withoutNano,
} from '../../ingredients/raw-materials/substance-names';

/** Percent of the formula. All three are equal if the share is known exactly. */
export interface Share {
  readonly min: Big;
  readonly middle: Big;
  readonly max: Big;
}

/** The share of the formula that one of its lines contributes. */
export interface LineShare {
  readonly phase: string;
  readonly line: CompositionLine;
  readonly share: Share;
}

/** The share of a substance that one line of a formula contributes. */
export interface Contribution extends LineShare {
  readonly role: SubstanceRole | null;
  /** True if the composition of the raw material is given; otherwise the line counts as its own INCI name. */
  readonly isGiven: boolean;
  readonly chineseName: string | null;
  /** The perfume that the contribution is part of. */
  readonly perfume: Perfume | null;
}

/** A substance of a formula, summed over raw materials and phases. */
export interface ExpandedSubstance {
  /** Equal for equal names: see `substanceKey`. */
  readonly key: string;
  /** The name in the first line. */
  readonly inciName: string;
  readonly isNano: boolean;
  readonly casNumbers: readonly string[];
  readonly ecNumbers: readonly string[];
  readonly share: Share;
  readonly contributions: readonly Contribution[];
}

/** A line, or a part of its composition, whose substances are unknown. */
export interface UnknownPart extends LineShare {
  /** INCI name of the line's ingredient, or of the part of its composition. */
  readonly inciName: string;
  /** `blend`: the name is that of a blend of unknown composition. `hidden`: the reader may not see the ingredient. */
  readonly reason: 'blend' | 'hidden';
  /** The perfume that it is part of. */
  readonly perfume: Perfume | null;
}

export interface Expansion {
  /** In the order of the lines. */
  readonly substances: readonly ExpandedSubstance[];
  readonly unknown: readonly UnknownPart[];
}

type SubstancesByIngredient = ReadonlyMap<string, readonly Substance[]>;

/** Most contributions of the lines of one version. A substance counts once per line. */
export const MAX_CONTRIBUTIONS = 10_000;

export function countContributions({ phases }: Composition, substances: SubstancesByIngredient): number {
  const counts = phases.flatMap(({ ingredients }) =>
    ingredients.map(
      ({ ingredientId, catalogue }) =>
        substances.get(ingredientId)?.length ?? (catalogue?.card?.solvent ? 2 : 1),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** How many contributions expansions have together. */
export const contributionsIn = (expansions: readonly Expansion[]): number =>
  expansions
    .flatMap(({ substances }) => substances)
    .reduce((sum, { contributions }) => sum + contributions.length, 0);

/**
 * Returns the substances of a version. It makes no guesses: lines with an unknown composition, and blends within a
 * composition, are listed separately.
 */
export async function expand(
  composition: Composition,
  substancesByIngredient: SubstancesByIngredient,
): Promise<Expansion> {
  const summed = new Map<string, SummedSubstance>();
  const unknown: UnknownPart[] = [];
  const bounds = new Map(
    await inTurns(substancesByIngredient, ([id, given]) => [id, possibleBounds(given)] as const),
  );
  await inTurns(phaseLinesOf(composition), ([{ name: phase }, line]) => {
    const { ingredient, ingredientId } = line;
    const given = substancesByIngredient.get(ingredientId);
    const substances = given ?? ownSubstances(line);
    const perfumeOfPart = perfumeOf(line, given);
    if (typeof substances === 'string') {
      const { inciName } = ingredient;
      const perfume = perfumeOfPart({ inciName, role: null });
      unknown.push({ phase, line, inciName, share: shareOfLine(line), reason: substances, perfume });
      return;
    }
    const boundsOf = bounds.get(ingredientId) ?? boundsOfStrength(line);
    for (const [index, substance] of substances.entries()) {
      // A solvent that the card names is given, too.
      const isGiven = given !== undefined || index > 0;
      const ownNumbers = isGiven ? [] : (line.catalogue?.casNumbers ?? []);
      const { inciName, role, chineseName } = substance;
      const share = shareOf(line, boundsOf[index]!);
      const perfume = perfumeOfPart(substance);
      if (isUnknownBlend(substance)) unknown.push({ phase, line, inciName, share, reason: 'blend', perfume });
      else add(summed, substance, ownNumbers, { phase, line, share, role, chineseName, isGiven, perfume });
    }
  });
  return { substances: [...summed.values()], unknown };
}

type SummedSubstance = ExpandedSubstance & { readonly contributions: Contribution[] };

function add(
  summed: Map<string, SummedSubstance>,
  substance: Substance,
  ownNumbers: readonly string[],
  contribution: Contribution,
): void {
  const { inciName, role } = substance;
  const isNano = role === 'nano' || saysNano(inciName);
  const key = substanceKey(inciName);
  const same = summed.get(`${key}|${isNano}`);
  summed.set(`${key}|${isNano}`, {
    key,
    inciName: same?.inciName ?? withoutNano(inciName),
    isNano,
    casNumbers: [substance.casNumber, ...ownNumbers].reduce(withNumber, same?.casNumbers ?? []),
    ecNumbers: withNumber(same?.ecNumbers ?? [], substance.ecNumber),
    share: same ? plus(same.share, contribution.share) : contribution.share,
    contributions: push(same?.contributions, contribution),
  });
}

/** A substance that is not declared, or declared as fragrance, needs no names. */
export const isUnknownBlend = ({ inciName, role }: Pick<Substance, 'inciName' | 'role'>): boolean =>
  role !== 'impurity' && role !== 'processing-aid' && role !== 'fragrance' && isBlendName(inciName);

const phaseLinesOf = ({ phases }: Composition): [CompositionPhase, CompositionLine][] =>
  phases.flatMap((phase) =>
    phase.ingredients.map((line): [CompositionPhase, CompositionLine] => [phase, line]),
  );

/**
 * Without a composition, a raw material is its own INCI name, unless that names several substances. Its CAS numbers
 * are those in the catalogue. If its card has a strength, it is that and the solvent.
 */
function ownSubstances({ ingredient, catalogue }: CompositionLine): Substance[] | UnknownPart['reason'] {
  if (!catalogue) return 'hidden';
  const { inciName, chineseName } = ingredient;
  const { card } = catalogue;
  if (!card?.solvent && isBlendName(inciName)) return 'blend';
  const shares = { minPercentage: 100, maxPercentage: 100 };
  const own = { inciName, chineseName, casNumber: null, ecNumber: null, ...shares, role: null };
  return card?.solvent ? [own, { ...card.solvent, ...shares, role: 'solvent' }] : [own];
}

/** Bounds of the substances of `ownSubstances`. */
function boundsOfStrength({ catalogue }: CompositionLine): Bounds[] {
  const own = new Big(catalogue?.card?.strength ?? 100);
  return [own, HUNDRED.minus(own)].map((share) => ({ min: share, max: share }));
}

const HUNDREDTH = new Big('0.01');
const HALF = new Big('0.5');
export const NOTHING: Share = { min: new Big(0), middle: new Big(0), max: new Big(0) };

/** Percent of the raw material. */
export interface Bounds {
  readonly min: Big;
  readonly max: Big;
}

const HUNDRED = new Big(100);

function possibleBounds(substances: readonly Substance[]): Bounds[] {
  const given = substances.map(({ minPercentage, maxPercentage }) => ({
    min: new Big(minPercentage),
    max: new Big(maxPercentage),
  }));
  const all = { min: sumOf(given.map(({ min }) => min)), max: sumOf(given.map(({ max }) => max)) };
  return given.map((bounds) => narrowedBounds(bounds, all));
}

/**
 * Narrows the range of a substance so that it and the others can add up to 100 percent: `A 0 to 50, Aqua 60` contains
 * 40 percent of A. Exact.
 * @param all the sums over the complete composition
 */
export function narrowedBounds({ min, max }: Bounds, all: Bounds): Bounds {
  if (all.min.gt(HUNDRED) || all.max.lt(HUNDRED)) return { min, max };
  return boundsBeside({ min, max }, { min: all.min.minus(min), max: all.max.minus(max) }, HUNDRED);
}

/** The part of the bounds that leaves the others room: together they are the total. Exact. */
function boundsBeside({ min, max }: Bounds, others: Bounds, total: Big): Bounds {
  const [least, most] = [total.minus(others.max), total.minus(others.min)];
  return { min: min.gt(least) ? min : least, max: max.lt(most) ? max : most };
}

/** The share of a line that some of its parts can have beside the others. */
export const shareBeside = (some: Bounds, others: Bounds, { percentage }: CompositionLine): Share =>
  shareWithin(boundsBeside(some, others, new Big(percentage)));

const shareWithin = ({ min, max }: Bounds): Share => ({ min, middle: min.plus(max).times(HALF), max });

/** Exact, because it only multiplies. */
function shareOf({ percentage }: CompositionLine, bounds: Bounds): Share {
  const max = HUNDREDTH.times(percentage).times(bounds.max);
  if (bounds.min.eq(bounds.max)) return { min: max, middle: max, max };
  return shareWithin({ min: HUNDREDTH.times(percentage).times(bounds.min), max });
}

const plus = (one: Share, other: Share): Share => ({
  min: one.min.plus(other.min),
  middle: one.middle.plus(other.middle),
  max: one.max.plus(other.max),
});

export const sumOfShares = (shares: readonly Share[]): Share =>
  shares.length === 1 ? shares[0]! : shares.reduce(plus, NOTHING);

/** Returns the share of the entire line. */
export const shareOfLine = ({ percentage }: CompositionLine): Share => {
  const share = new Big(percentage);
  return { min: share, middle: share, max: share };
};

function withNumber(numbers: readonly string[], number: string | null): readonly string[] {
  return number === null || numbers.includes(number) ? numbers : [...numbers, number];
}

function push<T>(list: T[] | undefined, item: T): T[] {
  if (!list) return [item];
  list.push(item);
  return list;
}
