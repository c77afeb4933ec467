import type { CompositionLine } from '../../compositions/composition';
import { ciNumberOf } from '../../raw-materials/ci-numbers';
import {
  type Contribution,
  type ExpandedSubstance,
  type Expansion,
  NOTHING,
  type Share,
  shareOfLine,
  sumOfShares,
} from '../../raw-materials/expansion';
import type {
  Declaration,
  DeclarationEntry,
  DeclarationRules,
  Origin,
  ProductType,
  UndeclaredReason,
  UndeclaredSubstance,
} from './declaration-model';
import { groupEntries } from './declaration-order';
import { problemsOf } from './declaration-problems';
import { declaredName, FRAGRANCE, fragranceName } from './declared-names';
import { isFragrance, isFragranceLine } from './fragrance';

/** Percent of the product that an allergen must exceed to be named (EU). */
export const ALLERGEN_THRESHOLDS: Readonly<Record<ProductType, number>> = {
  'leave-on': 0.001,
  'rinse-off': 0.01,
};

/**
 * The ingredient list of a product by the rules of a region.
 * @param lines of the formula, in their order
 */
export function declare(
  expansion: Expansion,
  lines: readonly CompositionLine[],
  rules: DeclarationRules,
): Declaration {
  const parts = expansion.substances.map((substance) => partsOf(substance, rules));
  const entries = inOrderOf(lines, [
    ...parts.flatMap(({ entries: named }) => named),
    ...fragranceEntries(expansion, rules),
    ...unknownEntries(expansion),
  ]);
  return {
    entries: groupEntries(entries, rules.region),
    undeclared: parts.flatMap(({ undeclared }) => undeclared),
    problems: problemsOf(entries, expansion, rules.region),
  };
}

/** By the first line that each comes from; those of one line in the order of its composition. */
function inOrderOf(
  lines: readonly CompositionLine[],
  entries: readonly DeclarationEntry[],
): DeclarationEntry[] {
  const positions = new Map(lines.map((line, position) => [line, position]));
  const positionOf = ({ origins }: DeclarationEntry) => positions.get(origins[0]!.line) ?? 0;
  return entries.toSorted((one, other) => positionOf(one) - positionOf(other));
}

interface Parts {
  readonly entries: readonly DeclarationEntry[];
  readonly undeclared: readonly UndeclaredSubstance[];
}

/** What of a substance has a name of its own in the list, and what is not named. */
function partsOf(substance: ExpandedSubstance, rules: DeclarationRules): Parts {
  const { contributions } = substance;
  const isAid = ({ role }: Contribution) => role === 'impurity' || role === 'processing-aid';
  const present = contributions.filter((contribution) => !isAid(contribution));
  const named = namedPart(substance, present, rules);
  return {
    entries: named.entries,
    undeclared: [
      ...named.undeclared,
      ...undeclaredOf(
        substance,
        contributions.filter(({ role }) => role === 'impurity'),
        'impurity',
      ),
      ...undeclaredOf(
        substance,
        contributions.filter(({ role }) => role === 'processing-aid'),
        'processing-aid',
      ),
    ],
  };
}

function namedPart(
  substance: ExpandedSubstance,
  present: readonly Contribution[],
  rules: DeclarationRules,
): Parts {
  const outside = present.filter((contribution) => !isFragrance(substance, contribution));
  const mayBeAllergen = rules.region === 'eu' && substance.key !== FRAGRANCE;
  const allergens = mayBeAllergen ? present.filter(({ role }) => role === 'fragrance-allergen') : [];
  if (allergens.length === 0) return { entries: entriesOf(substance, outside, rules), undeclared: [] };
  if (sumOf(present).max.gt(ALLERGEN_THRESHOLDS[rules.productType])) {
    return { entries: entriesOf(substance, present, rules, 'allergen'), undeclared: [] };
  }
  // Something else than an allergen of a fragrance is named whatever its share.
  const isNamed = outside.some(({ role }) => role !== 'fragrance-allergen');
  const inFragrance = present.filter((contribution) => isFragrance(substance, contribution));
  return {
    entries: isNamed ? entriesOf(substance, outside, rules) : [],
    undeclared: undeclaredOf(substance, isNamed ? inFragrance : present, 'allergen-not-above-threshold'),
  };
}

const sumOf = (contributions: readonly Contribution[]): Share =>
  sumOfShares(contributions.map(({ share }) => share));

function entriesOf(
  substance: ExpandedSubstance,
  contributions: readonly Contribution[],
  { region }: DeclarationRules,
  kind: DeclarationEntry['kind'] = 'substance',
): DeclarationEntry[] {
  if (contributions.length === 0) return [];
  const { inciName, isNano } = substance;
  const isColorant = ciNumberOf(inciName) !== undefined || contributions.some(isOfColorant);
  const chineseNames = chineseNamesOf(contributions);
  return [
    {
      ...portionOf(substance, contributions),
      name: declaredName({ inciName, isNano, isColorant, chineseNames }, region),
      kind: isColorant ? 'colorant' : kind,
      chineseNames,
    },
  ];
}

function undeclaredOf(
  substance: ExpandedSubstance,
  contributions: readonly Contribution[],
  reason: UndeclaredReason,
): UndeclaredSubstance[] {
  return contributions.length === 0 ? [] : [{ ...portionOf(substance, contributions), reason }];
}

const portionOf = (substance: ExpandedSubstance, contributions: readonly Contribution[]) => ({
  inciName: substance.inciName,
  share: sumOf(contributions),
  countedInFragrance: sumOf(
    contributions.filter((contribution) => isPresentInFragrance(substance, contribution)),
  ),
  origins: contributions.map(({ phase, line, share }) => ({ phase, line, share })),
});

/** Impurities and processing aids of a fragrance are no part of what the label calls fragrance. */
const isPresentInFragrance = (substance: ExpandedSubstance, contribution: Contribution): boolean =>
  contribution.role !== 'impurity' &&
  contribution.role !== 'processing-aid' &&
  isFragrance(substance, contribution);

/** A colorant without a composition is one by its category; of a dispersion only what is said to be. */
const isOfColorant = ({ role, isGiven, line }: Contribution): boolean =>
  role === 'colorant' || (!isGiven && line.catalogue?.functionCategory === 'colorant');

const chineseNamesOf = (contributions: readonly Contribution[]): string[] => [
  ...new Set(contributions.flatMap(({ chineseName }) => chineseName?.trim() || [])),
];

/** All fragrances of a formula are one name. */
function fragranceEntries(
  { substances, unknown }: Expansion,
  { region }: DeclarationRules,
): DeclarationEntry[] {
  const known = substances.flatMap((substance) =>
    substance.contributions.filter((contribution) => isPresentInFragrance(substance, contribution)),
  );
  const whole = unknown.filter(({ line }) => isFragranceLine(line));
  const origins = mergedByLine([
    ...known.map(({ phase, line, share }) => ({ phase, line, share })),
    ...whole.map(({ phase, line }) => ({ phase, line, share: shareOfLine(line) })),
  ]);
  if (origins.length === 0) return [];
  const name = fragranceName(region);
  const share = sumOfShares(origins.map((origin) => origin.share));
  return [
    {
      name,
      inciName: 'Parfum',
      kind: 'fragrance',
      chineseNames: [],
      share,
      countedInFragrance: NOTHING,
      origins,
    },
  ];
}

/** One origin for each line, although it brings many substances. */
function mergedByLine(origins: readonly Origin[]): Origin[] {
  const shares = new Map<CompositionLine, Origin[]>();
  for (const origin of origins) {
    const same = shares.get(origin.line);
    if (same) same.push(origin);
    else shares.set(origin.line, [origin]);
  }
  return [...shares.values()].map((same) => ({
    ...same[0]!,
    share: sumOfShares(same.map(({ share }) => share)),
  }));
}

/** Raw materials whose composition is not known stand where all of them together would. */
function unknownEntries({ unknown }: Expansion): DeclarationEntry[] {
  const lines = unknown.filter(({ line }) => !isFragranceLine(line));
  const byIngredient = new Map<string, Origin[]>();
  for (const { phase, line } of lines) {
    const origin = { phase, line, share: shareOfLine(line) };
    const same = byIngredient.get(line.ingredientId);
    if (same) same.push(origin);
    else byIngredient.set(line.ingredientId, [origin]);
  }
  return [...byIngredient.values()].map((origins) => ({
    name: null,
    inciName: origins[0]!.line.ingredient.inciName,
    kind: 'unknown' as const,
    chineseNames: [],
    share: sumOfShares(origins.map(({ share }) => share)),
    countedInFragrance: NOTHING,
    origins,
  }));
}
