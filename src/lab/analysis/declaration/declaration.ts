import type { CompositionLine } from '../../compositions/composition';
import { ciNumberOf } from '../../raw-materials/ci-numbers';
import {
  type Contribution,
  type ExpandedSubstance,
  type Expansion,
  type Share,
  sumOfShares,
} from '../../raw-materials/expansion';
import { atOnce, mapping, type Steps } from '../../steps';
import type {
  Declaration,
  DeclarationEntry,
  DeclarationRules,
  ProductType,
  UndeclaredReason,
  UndeclaredSubstance,
} from './declaration-model';
import { groupEntries } from './declaration-order';
import { problemsOf } from './declaration-problems';
import { declaredName, FRAGRANCE } from './declared-names';
import { isFragrance, isPresent } from './fragrance';
import { fragranceEntries } from './fragrance-entries';
import { mergedByName } from './merged-entries';
import { wholeExtracts } from './natural-extracts';
import { sumOfLine } from './sum-of-line';
import { unknownEntries } from './unknown-entries';

/** Percent of the product that an allergen must exceed to be named (EU). */
export const ALLERGEN_THRESHOLDS: Readonly<Record<ProductType, number>> = {
  'leave-on': 0.001,
  'rinse-off': 0.01,
};

/**
 * The ingredient list of a product by the rules of a region.
 * @param lines of the formula, in their order
 */
export function* declaring(
  expansion: Expansion,
  lines: readonly CompositionLine[],
  rules: DeclarationRules,
): Steps<Declaration> {
  const sumOfParts = sumOfLine(expansion);
  const { substances, counted } = yield* wholeExtracts(expansion, sumOfParts);
  const isCountedElsewhere: Context['isCountedElsewhere'] = (substance, contribution) =>
    counted.has(contribution) || isFragrance(substance, contribution);
  const context = { ...rules, isCountedElsewhere };
  const parts = yield* mapping(substances, (substance) => partsOf(substance, context));
  const all = inOrderOf(lines, [
    ...parts.flatMap(({ entries: named }) => named),
    ...fragranceEntries({ ...expansion, substances }, rules, sumOfParts),
    ...unknownEntries(expansion),
  ]);
  yield;
  const entries = yield* mergedByName(all, sumOfParts);
  const problems = yield* problemsOf(entries, expansion, rules.region);
  return {
    entries: groupEntries(entries, rules.region),
    undeclared: parts.flatMap(({ undeclared }) => undeclared),
    problems,
  };
}

/** As `declaring`, at once. */
export const declare = (...given: Parameters<typeof declaring>): Declaration => atOnce(declaring(...given));

/** By the first line that each comes from; those of one line in the order of its composition. */
function inOrderOf(
  lines: readonly CompositionLine[],
  entries: readonly DeclarationEntry[],
): DeclarationEntry[] {
  const positions = new Map(lines.map((line, position) => [line, position]));
  const positionOf = ({ origins }: DeclarationEntry) => positions.get(origins[0]!.line) ?? 0;
  return entries.toSorted((one, other) => positionOf(one) - positionOf(other));
}

interface Context extends DeclarationRules {
  /** Whether the entry of the fragrance, or of a natural extract, counts what a line brings of a substance. */
  readonly isCountedElsewhere: (substance: ExpandedSubstance, contribution: Contribution) => boolean;
}

interface Parts {
  readonly entries: readonly DeclarationEntry[];
  readonly undeclared: readonly UndeclaredSubstance[];
}

/** The part of a substance that has a name of its own in the list, and the part that is not named. */
function partsOf(substance: ExpandedSubstance, context: Context): Parts {
  const { contributions } = substance;
  const named = namedPart(substance, contributions.filter(isPresent), context);
  const withRole = (reason: 'impurity' | 'processing-aid') =>
    undeclaredOf(
      substance,
      contributions.filter(({ role }) => role === reason),
      reason,
      context,
    );
  return {
    entries: named.entries,
    undeclared: [...named.undeclared, ...withRole('impurity'), ...withRole('processing-aid')],
  };
}

function namedPart(substance: ExpandedSubstance, present: readonly Contribution[], context: Context): Parts {
  const isElsewhere = (contribution: Contribution) => context.isCountedElsewhere(substance, contribution);
  const outside = present.filter((contribution) => !isElsewhere(contribution));
  const mayBeAllergen = context.region === 'eu' && substance.key !== FRAGRANCE;
  const allergens = mayBeAllergen ? present.filter(({ role }) => role === 'fragrance-allergen') : [];
  if (allergens.length === 0) return { entries: entriesOf(substance, outside, context), undeclared: [] };
  if (sumOf(present).max.gt(ALLERGEN_THRESHOLDS[context.productType])) {
    return { entries: entriesOf(substance, present, context, 'allergen'), undeclared: [] };
  }
  // Something else than an allergen of a fragrance is named whatever its share.
  const isNamed = outside.some(({ role }) => role !== 'fragrance-allergen');
  const unnamed = isNamed ? present.filter(isElsewhere) : present;
  return {
    entries: isNamed ? entriesOf(substance, outside, context) : [],
    undeclared: undeclaredOf(substance, unnamed, 'allergen-not-above-threshold', context),
  };
}

const sumOf = (contributions: readonly Contribution[]): Share =>
  sumOfShares(contributions.map(({ share }) => share));

function entriesOf(
  substance: ExpandedSubstance,
  contributions: readonly Contribution[],
  context: Context,
  kind: DeclarationEntry['kind'] = 'substance',
): DeclarationEntry[] {
  if (contributions.length === 0) return [];
  const { key, inciName, isNano } = substance;
  const isColorant = contributions.every((contribution) => isOfColorant(substance, contribution));
  const chineseNames = chineseNamesOf(contributions);
  return [
    {
      ...portionOf(substance, contributions, context),
      name: declaredName({ key, inciName, isNano, isColorant, chineseNames }, context.region),
      kind: isColorant ? 'colorant' : kind,
      chineseNames,
    },
  ];
}

function undeclaredOf(
  substance: ExpandedSubstance,
  contributions: readonly Contribution[],
  reason: UndeclaredReason,
  context: Context,
): UndeclaredSubstance[] {
  return contributions.length === 0 ? [] : [{ ...portionOf(substance, contributions, context), reason }];
}

const portionOf = (
  substance: ExpandedSubstance,
  contributions: readonly Contribution[],
  { isCountedElsewhere }: Context,
) => ({
  inciName: substance.inciName,
  share: sumOf(contributions),
  countedInFragrance: sumOf(
    contributions.filter(
      (contribution) => isPresent(contribution) && isCountedElsewhere(substance, contribution),
    ),
  ),
  origins: contributions.map(({ phase, line, share }) => ({ phase, line, share })),
});

/**
 * By its role, its CI number, or the category of a raw material without a composition. Titanium dioxide that
 * filters UV light is no colorant although its name may hold a CI number.
 */
function isOfColorant({ inciName }: ExpandedSubstance, { role, isGiven, line }: Contribution): boolean {
  const category = line.catalogue?.functionCategory;
  if (role === 'colorant' || (!isGiven && category === 'colorant')) return true;
  return ciNumberOf(inciName) !== undefined && category !== 'sunscreen';
}

const chineseNamesOf = (contributions: readonly Contribution[]): string[] => [
  ...new Set(contributions.flatMap(({ chineseName }) => chineseName?.trim() || [])),
];
