import type { CompositionLine } from '../formulas/composition/composition';
import { ciNumberOf } from '../ingredients/raw-materials/ci-numbers';
import type { Contribution, ExpandedSubstance, Expansion } from '../formulas/composition/expansion';
import { substanceKey } from '../ingredients/raw-materials/substance-names';
import { atOnce, mapping, type Steps } from '../platform/common/steps';
import { allergenNameOf } from './allergens/allergen-names';
import { aboveThreshold } from './allergens/allergen-thresholds';
import type {
  Declaration,
  DeclarationEntry,
  DeclarationRules,
  InParts,
  ListedName,
  UndeclaredReason,
  UnlistedSubstance,
} from './declaration-model';
import { groupEntries } from './declaration-order';
import { problemsOf } from './declaration-problems';
import { declaredName, FRAGRANCE } from './declared-names';
import { isFragrance, isPresent } from './fragrance';
import { fragranceEntries } from './fragrance-entries';
import { mergedByName } from './merged-entries';
import { wholeExtracts } from './natural-extracts';
import { addedUp, lineTotals } from './shares-of-lines';
import { unknownEntries } from './unknown-entries';

/**
 * Returns the ingredient list of a product by the rules of a region.
 * @param lines of the formula, in their order
 */
export function* declaring(
  expansion: Expansion,
  lines: readonly CompositionLine[],
  rules: DeclarationRules,
): Steps<Declaration> {
  const totals = yield* lineTotals(expansion);
  const { substances, counted } = yield* wholeExtracts(expansion);
  const isCountedElsewhere: Context['isCountedElsewhere'] = (substance, contribution) =>
    isPresent(contribution) && (counted.has(contribution) || isFragrance(substance, contribution));
  const above = yield* aboveThreshold(substances, totals, rules);
  const context = { ...rules, above, isCountedElsewhere };
  const found = yield* mapping(substances, (substance) => partsOf(substance, context));
  const all = inOrderOf(lines, [
    ...found.flatMap(({ entries: named }) => named),
    ...fragranceEntries({ ...expansion, substances }, rules),
    ...unknownEntries(expansion),
  ]);
  yield;
  const entries = yield* addedUp(yield* mergedByName(all), totals);
  const undeclared = yield* addedUp(
    found.flatMap((parts) => parts.undeclared),
    totals,
  );
  const problems = yield* problemsOf(entries, { ...expansion, substances }, { ...rules, above });
  return { entries: groupEntries(entries, rules.region), undeclared, problems };
}

/** Runs `declaring` without interruption. */
export const declare = (...given: Parameters<typeof declaring>): Declaration => atOnce(declaring(...given));

/** Sorts entries by the first line of each; entries of one line stay in the order of its composition. */
function inOrderOf(
  lines: readonly CompositionLine[],
  entries: readonly InParts<ListedName>[],
): InParts<ListedName>[] {
  const positions = new Map(lines.map((line, position) => [line, position]));
  const positionOf = ({ parts }: InParts<ListedName>) => positions.get(parts[0]!.line) ?? 0;
  return entries.toSorted((one, other) => positionOf(one) - positionOf(other));
}

interface Context extends DeclarationRules {
  /** Substances whose amount is above the threshold of allergens. */
  readonly above: ReadonlySet<ExpandedSubstance>;
  /** Returns true if the entry of the fragrance, or of a natural extract, counts a line's contribution. */
  readonly isCountedElsewhere: (substance: ExpandedSubstance, contribution: Contribution) => boolean;
}

interface Found {
  readonly entries: readonly InParts<ListedName>[];
  readonly undeclared: readonly InParts<UnlistedSubstance>[];
}

/** Splits a substance into the part with its own name in the list, and the part that is not named. */
function partsOf(substance: ExpandedSubstance, context: Context): Found {
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

function namedPart(substance: ExpandedSubstance, present: readonly Contribution[], context: Context): Found {
  const isElsewhere = (contribution: Contribution) => context.isCountedElsewhere(substance, contribution);
  const outside = present.filter((contribution) => !isElsewhere(contribution));
  const mayBeAllergen = context.region === 'eu' && substance.key !== FRAGRANCE;
  const allergens = mayBeAllergen ? present.filter(({ role }) => role === 'fragrance-allergen') : [];
  if (allergens.length === 0) return { entries: entriesOf(substance, outside, context), undeclared: [] };
  if (context.above.has(substance)) {
    return { entries: entriesOf(substance, present, context, 'allergen'), undeclared: [] };
  }
  // A contribution that is not an allergen of a fragrance is named at any share.
  const isNamed = outside.some(({ role }) => role !== 'fragrance-allergen');
  const unnamed = isNamed ? present.filter(isElsewhere) : present;
  return {
    entries: isNamed ? entriesOf(substance, outside, context) : [],
    undeclared: undeclaredOf(substance, unnamed, 'allergen-not-above-threshold', context),
  };
}

function entriesOf(
  substance: ExpandedSubstance,
  contributions: readonly Contribution[],
  context: Context,
  kind: DeclarationEntry['kind'] = 'substance',
): InParts<ListedName>[] {
  if (contributions.length === 0) return [];
  const { key, isNano } = substance;
  const inciName = listedName(substance, context);
  const isColorant = contributions.every((contribution) => isOfColorant(substance, contribution));
  const chineseNames = chineseNamesOf(contributions);
  return [
    {
      ...portionOf(substance, contributions, context),
      inciName,
      name: declaredName({ key, inciName, isNano, isColorant, chineseNames }, context.region),
      inciNames: [inciName],
      kind: isColorant ? 'colorant' : kind,
      chineseNames,
    },
  ];
}

/** In the EU an allergen above the threshold has the name of its group. */
function listedName(substance: ExpandedSubstance, { region, above }: Context): string {
  const { key, inciName } = substance;
  const name = region === 'eu' && above.has(substance) ? allergenNameOf(key) : undefined;
  return name === undefined || substanceKey(name) === key ? inciName : name;
}

function undeclaredOf(
  substance: ExpandedSubstance,
  contributions: readonly Contribution[],
  reason: UndeclaredReason,
  context: Context,
): InParts<UnlistedSubstance>[] {
  return contributions.length === 0 ? [] : [{ ...portionOf(substance, contributions, context), reason }];
}

const portionOf = (
  substance: ExpandedSubstance,
  contributions: readonly Contribution[],
  { isCountedElsewhere }: Context,
) => ({
  inciName: substance.inciName,
  parts: contributions.map((contribution) => {
    const { phase, line, share } = contribution;
    return { phase, line, share, isCountedElsewhere: isCountedElsewhere(substance, contribution) };
  }),
});

/**
 * Returns true for a colorant: by its role, its CI number, or the category of a raw material without a composition.
 * Titanium dioxide as a UV filter is not a colorant, although its name may contain a CI number.
 */
function isOfColorant({ inciName }: ExpandedSubstance, { role, isGiven, line }: Contribution): boolean {
  const category = line.catalogue?.functionCategory;
  if (role === 'colorant' || (!isGiven && category === 'colorant')) return true;
  return ciNumberOf(inciName) !== undefined && category !== 'sunscreen';
}

const chineseNamesOf = (contributions: readonly Contribution[]): string[] => [
  ...new Set(contributions.flatMap(({ chineseName }) => chineseName?.trim() || [])),
];
