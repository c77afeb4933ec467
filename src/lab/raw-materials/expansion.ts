import Big from 'big.js';
import type { Composition, CompositionLine, CompositionPhase } from '../compositions/composition';
import type { Substance, SubstanceRole } from './substance';
import { isBlendName, saysNano, substanceKey, withoutNano } from './substance-names';

/** Percent of the formula. All three are the same where the share is known exactly. */
export interface Share {
  readonly min: Big;
  readonly middle: Big;
  readonly max: Big;
}

/** What one line of a formula brings of a substance. */
export interface Contribution {
  readonly phase: string;
  readonly line: CompositionLine;
  readonly share: Share;
  readonly role: SubstanceRole | null;
  /** Whether the composition of the raw material is given; else the line counts as its own INCI name. */
  readonly isGiven: boolean;
  readonly chineseName: string | null;
}

/** A substance of a formula, summed over raw materials and phases. */
export interface ExpandedSubstance {
  /** Equal for equal names: see `substanceKey`. */
  readonly key: string;
  /** As the first line names it. */
  readonly inciName: string;
  readonly isNano: boolean;
  readonly casNumbers: readonly string[];
  readonly ecNumbers: readonly string[];
  readonly share: Share;
  readonly contributions: readonly Contribution[];
}

/** A line whose substances are not known. */
export interface UnknownLine {
  readonly phase: string;
  readonly line: CompositionLine;
  /** `blend`: its INCI name is that of a blend, and it has no composition. `hidden`: the reader may not see it. */
  readonly reason: 'blend' | 'hidden';
}

export interface Expansion {
  /** In the order in which the lines bring them. */
  readonly substances: readonly ExpandedSubstance[];
  readonly unknown: readonly UnknownLine[];
}

type SubstancesByIngredient = ReadonlyMap<string, readonly Substance[]>;

/** Most substances that the lines of one version bring, each counted for each line. */
export const MAX_CONTRIBUTIONS = 20_000;

export function tooManyContributions({ phases }: Composition, substances: SubstancesByIngredient): boolean {
  let count = 0;
  for (const { lines } of phases) {
    for (const { ingredientId } of lines) count += substances.get(ingredientId)?.length ?? 1;
  }
  return count > MAX_CONTRIBUTIONS;
}

/** The substances of a version. Nothing is guessed: lines with an unknown composition are listed apart. */
export function expand(composition: Composition, substancesByIngredient: SubstancesByIngredient): Expansion {
  const found = new Map<string, ExpandedSubstance & { contributions: Contribution[] }>();
  const unknown: UnknownLine[] = [];
  for (const [phase, line] of phaseLinesOf(composition)) {
    const given = substancesByIngredient.get(line.ingredientId);
    const substances = given ?? ownSubstance(line);
    if (typeof substances === 'string') {
      unknown.push({ phase: phase.name, line, reason: substances });
      continue;
    }
    for (const substance of substances) {
      const { inciName, role, chineseName } = substance;
      const isNano = role === 'nano' || saysNano(inciName);
      const key = substanceKey(inciName);
      const share = shareOf(line, substance);
      const contribution = {
        phase: phase.name,
        line,
        share,
        role,
        chineseName,
        isGiven: given !== undefined,
      };
      const same = found.get(`${key}|${isNano}`);
      found.set(`${key}|${isNano}`, {
        key,
        inciName: same?.inciName ?? withoutNano(inciName),
        isNano,
        casNumbers: withNumber(same?.casNumbers, substance.casNumber),
        ecNumbers: withNumber(same?.ecNumbers, substance.ecNumber),
        share: same ? plus(same.share, share) : share,
        contributions: push(same?.contributions, contribution),
      });
    }
  }
  return { substances: [...found.values()], unknown };
}

const phaseLinesOf = ({ phases }: Composition): [CompositionPhase, CompositionLine][] =>
  phases.flatMap((phase) => phase.lines.map((line): [CompositionPhase, CompositionLine] => [phase, line]));

/** Without a composition a raw material is its own INCI name, unless that names several substances. */
function ownSubstance({ ingredient, catalogue }: CompositionLine): Substance[] | UnknownLine['reason'] {
  if (!catalogue) return 'hidden';
  const { inciName, chineseName } = ingredient;
  if (isBlendName(inciName)) return 'blend';
  const numbers = { casNumber: null, ecNumber: null };
  return [{ inciName, chineseName, ...numbers, minPercentage: 100, maxPercentage: 100, role: null }];
}

const HUNDREDTH = new Big('0.01');
const HALF = new Big('0.5');
export const NOTHING: Share = { min: new Big(0), middle: new Big(0), max: new Big(0) };

/** Exact: multiplications only. */
function shareOf({ percentage }: CompositionLine, { minPercentage, maxPercentage }: Substance): Share {
  const max = HUNDREDTH.times(percentage).times(maxPercentage);
  if (minPercentage === maxPercentage) return { min: max, middle: max, max };
  const min = HUNDREDTH.times(percentage).times(minPercentage);
  return { min, middle: min.plus(max).times(HALF), max };
}

const plus = (one: Share, other: Share): Share => ({
  min: one.min.plus(other.min),
  middle: one.middle.plus(other.middle),
  max: one.max.plus(other.max),
});

export const sumOfShares = (shares: readonly Share[]): Share => shares.reduce(plus, NOTHING);

/** The share of a line as a whole. */
export const shareOfLine = ({ percentage }: CompositionLine): Share => {
  const share = new Big(percentage);
  return { min: share, middle: share, max: share };
};

function withNumber(numbers: readonly string[] = [], number: string | null): readonly string[] {
  return number === null || numbers.includes(number) ? numbers : [...numbers, number];
}

function push<T>(list: T[] | undefined, item: T): T[] {
  if (!list) return [item];
  list.push(item);
  return list;
}
