import type { CompositionLine } from '../formulas/composition/composition';
import { bareCiNumber, ciNumberOf } from '../ingredients/raw-materials/registry-numbers';
import {
  type Contribution,
  type ExpandedSubstance,
  type Expansion,
  type LineShare,
  shareOfLine,
  sumOfShares,
} from '../formulas/composition/expansion';
import { mayBePerfume } from '../formulas/composition/perfume';
import { allergenNameOf, isNatural } from '../ingredients/raw-materials/allergen-names';
import { AROMA, PARFUM, substanceKey } from '../ingredients/raw-materials/substance-names';
import { groupBy } from '../platform/common/collections';
import { inTurns } from '../platform/common/in-turns';
import type {
  DeclarationProblemDto,
  LabelProductType,
  ListedShareDto,
  ProblemCode,
  Region,
} from './declaration.dto';
import { isPresent, isPresentInFragrance } from './fragrance';
import { type LabelEntry, originOf, percentagesOf } from './label-entries';
import { latinName, mayBeDrug, tradeName } from './printed-names';
import { aromaticKindOf } from './natural-extracts';

/** A problem that a person must solve before the list is used on a label. */
type Problem = Omit<DeclarationProblemDto, 'message'>;

/** Problems that do not make the list incomplete. */
const WARNINGS: readonly ProblemCode[] = [
  'several-chinese-names',
  'macrogol-by-mass',
  'latin-plant-name',
  'over-the-counter-drug',
];

/** Returns true if the list may lack a name because of the problem. */
export const isIncomplete = ({ code }: Problem): boolean => !WARNINGS.includes(code);

const FRAGRANCES: readonly string[] = [PARFUM, AROMA];

interface ProductContext {
  readonly region: Region;
  readonly productType: LabelProductType;
}

/** @param entries of the list, each with the sum of its shares */
export async function problemsOf(
  entries: readonly (LabelEntry & { readonly listedShare: ListedShareDto })[],
  expansion: Expansion,
  context: ProductContext & { readonly above: ReadonlySet<string> },
): Promise<Problem[]> {
  const ofNames = await inTurns(entries, (entry) => nameProblems(entry, entry.listedShare, context));
  return [
    ...unknownCompositions(expansion),
    ...unclearFragrances(expansion),
    ...(context.region === 'eu' ? allergenProblems(expansion, context.above) : []),
    ...ofNames.flat(),
  ];
}

const unknownCompositions = ({ unknown }: Expansion): Problem[] =>
  combineByName(
    unknown
      .filter(({ perfume }) => perfume === null)
      .map(({ reason, ...part }) => ({
        ...part,
        code: reason === 'hidden' ? 'ingredient-hidden' : 'composition-unknown',
      })),
  );

/** Raw materials that may be a perfume by their category, and of which no name, number or role says what they are. */
function unclearFragrances({ substances }: Expansion): Problem[] {
  const parts = substances.flatMap(({ contributions }) => contributions);
  return combineByName(
    [...groupBy(parts, ({ line }) => line)].flatMap(([line, ofLine]) => {
      const { inciName } = line.ingredient;
      const isNamed = allergenNameOf(inciName) !== undefined || isNatural(substanceKey(inciName));
      if (isNamed || !mayBePerfume(line) || ofLine.some(({ perfume }) => perfume !== null)) return [];
      return [lineProblem('fragrance-unclear', ofLine[0]!.phase, line)];
    }),
  );
}

function allergenProblems(expansion: Expansion, above: ReadonlySet<string>): Problem[] {
  const unknown = unknownAllergens(expansion);
  const lines = new Set(unknown.map(({ line }) => line));
  const ofSubstances = expansion.substances.flatMap((substance) => [
    ...(above.has(substance.key) ? unknownRoles(substance, lines) : []),
    ...unknownNames(substance),
  ]);
  return [...combineByName(unknown), ...combineByName(ofSubstances)];
}

/**
 * A substance of a fragrance without a role may be an allergen. Reports it, unless the list names it anyway, or all
 * allergens of the fragrance are unknown.
 */
function unknownRoles(
  substance: ExpandedSubstance,
  unknownLines: ReadonlySet<CompositionLine>,
): LineProblem[] {
  const { key, inciName } = substance;
  if (FRAGRANCES.includes(key)) return [];
  const present = substance.contributions.filter(isPresent);
  const isNamed = present.some(({ role, perfume }) => role === 'fragrance-allergen' || perfume === null);
  if (isNamed) return [];
  return present
    .filter(({ role, line }) => role === null && !unknownLines.has(line))
    .map(({ phase, line, share }) => ({ code: 'allergen-role-unknown', inciName, phase, line, share }));
}

/** Reports allergens with an unknown name, which may belong to a group and count together with its members. */
function unknownNames({ key, inciName, contributions }: ExpandedSubstance): LineProblem[] {
  if (allergenNameOf(key) !== undefined) return [];
  return contributions
    .filter(({ role }) => role === 'fragrance-allergen')
    .map(({ phase, line, share }) => ({ code: 'allergen-name-unknown', inciName, phase, line, share }));
}

/**
 * A fragrance, or an oil or extract of an aromatic plant, may contain any allergen unless its composition names
 * allergens. If it names none, they were probably not stated, because hardly any fragrance is free of them.
 */
function unknownAllergens({ substances, unknown }: Expansion): LineProblem[] {
  const problems = new Map<CompositionLine, LineProblem>();
  const withAllergens = new Set<CompositionLine>();
  const add = (phase: string, line: CompositionLine) =>
    problems.set(line, lineProblem('allergens-unknown', phase, line));
  for (const substance of substances) {
    for (const contribution of substance.contributions) {
      const { phase, line, role } = contribution;
      if (isPresentInFragrance(contribution) || holdsAllergens(substance, contribution)) {
        add(phase, line);
      }
      if (role === 'fragrance-allergen') withAllergens.add(line);
    }
  }
  for (const line of withAllergens) problems.delete(line);
  for (const { phase, line, perfume } of unknown) if (perfume !== null) add(phase, line);
  return [...problems.values()];
}

/** An extract with a given composition may be free of allergens, but an essential oil never is. */
function holdsAllergens({ key }: ExpandedSubstance, contribution: Contribution): boolean {
  if (!isPresent(contribution)) return false;
  const kind = aromaticKindOf(key);
  return kind === 'essential-oil' || (kind === 'extract' && !contribution.isGiven);
}

/** A problem of one line. */
interface LineProblem extends LineShare {
  readonly code: ProblemCode;
  readonly inciName: string;
}

const lineProblem = (code: ProblemCode, phase: string, line: CompositionLine): LineProblem => ({
  ...{ code, phase, line, inciName: line.ingredient.inciName, share: shareOfLine(line) },
});

/** Combines the problems of each ingredient, or part of one, with all of its lines. */
function combineByName(problems: readonly LineProblem[]): Problem[] {
  const byName = groupBy(problems, ({ code, line, inciName }) => `${code}|${line.ingredientId}|${inciName}`);
  return [...byName.values()].map((same) => ({
    code: same[0]!.code,
    alternatives: [],
    inciName: same[0]!.inciName,
    ...percentagesOf(sumOfShares(same.map(({ share }) => share))),
    lines: same.map(originOf),
  }));
}

function nameProblems(
  entry: LabelEntry,
  { countedInFragrance: _, ...share }: ListedShareDto,
  context: ProductContext,
): Problem[] {
  if (entry.kind === 'unknown') return [];
  const { region } = context;
  const { inciName, inciNames, chineseNames } = entry;
  const problem = (code: ProblemCode, alternatives: readonly string[] = []): Problem => ({
    code,
    alternatives: [...alternatives],
    ...share,
  });
  const isCiNumber = bareCiNumber(substanceKey(inciName)) !== undefined;
  const isNamed = entry.kind !== 'fragrance';
  return [
    ...(entry.name === null ? [problem(region === 'cn' ? 'no-chinese-name' : 'no-inci-name')] : []),
    ...(region === 'cn' && isNamed && chineseNames.length > 1
      ? [problem('several-chinese-names', chineseNames)]
      : []),
    ...(region === 'cn' && isOfSeveral(inciNames) ? [problem('same-chinese-name', inciNames)] : []),
    ...(needsCiNumber(entry, context) ? [problem('no-ci-number')] : []),
    ...(region === 'us' && isCiNumber ? [problem('ci-number-only')] : []),
    ...(isNamed ? printedNameProblems(entry, context) : []).map(({ code, alternatives }) =>
      problem(code, alternatives),
    ),
  ];
}

function printedNameProblems(entry: LabelEntry, { region, productType }: ProductContext) {
  const { name } = entry;
  if (name === null) return [];
  const problems = [tradeName(name, region)];
  if (region === 'us') {
    problems.push(latinName(name));
    if (mayBeDrug(entry, productType)) problems.push({ code: 'over-the-counter-drug', alternatives: [] });
  }
  return problems.filter((problem) => problem !== undefined);
}

/** A colorant by its role, or by the category of a raw material that is nothing else. Dyes of hair have names. */
function needsCiNumber(
  { kind, inciName, shares }: LabelEntry,
  { region, productType }: ProductContext,
): boolean {
  if (region !== 'eu' || productType === 'hair-dye' || ciNumberOf(inciName) !== undefined) return false;
  const key = substanceKey(inciName);
  const isColorant = ({ line: { ingredient, catalogue } }: LineShare) =>
    catalogue?.functionCategory === 'colorant' && substanceKey(ingredient.inciName) === key;
  return kind === 'colorant' || shares.some(isColorant);
}

/** By rule, parfum and aroma have one common Chinese name. */
const isOfSeveral = (inciNames: readonly string[]): boolean =>
  inciNames.length > 1 && inciNames.some((inciName) => !FRAGRANCES.includes(substanceKey(inciName)));
