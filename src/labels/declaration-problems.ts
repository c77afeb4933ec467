import type { CompositionLine } from '../formulas/composition/composition';
import { bareCiNumber, ciNumberOf } from '../ingredients/raw-materials/ci-numbers';
import {
  type Contribution,
  type ExpandedSubstance,
  type Expansion,
  shareOfLine,
  sumOfShares,
} from '../formulas/composition/expansion';
import { substanceKey } from '../ingredients/raw-materials/substance-names';
import { mapping, type Steps } from '../platform/common/steps';
import { allergenNameOf } from './allergens/allergen-names';
import { aromaticKindOf } from './allergens/aromatic-plants';
import type { DeclarationEntry, DeclarationProblem, Origin, ProblemCode, Region } from './declaration-model';
import { AROMA, FRAGRANCE } from './declared-names';
import { isFragrance, isFragranceLine, isPresent, isPresentInFragrance } from './fragrance';
import { grouped } from './grouped';

/** Problems that do not make the list incomplete. */
const WARNINGS: readonly ProblemCode[] = ['several-chinese-names', 'no-ci-number', 'trade-name'];

/** Returns true if the list may lack a name because of the problem. */
export const isIncomplete = ({ code }: DeclarationProblem): boolean => !WARNINGS.includes(code);

const FRAGRANCES: readonly string[] = [FRAGRANCE, AROMA];

const TRADE_NAME = /[®™]|\((?:R|TM)\)/i;

export function* problemsOf(
  entries: readonly DeclarationEntry[],
  expansion: Expansion,
  { region, above }: { region: Region; above: ReadonlySet<ExpandedSubstance> },
): Steps<DeclarationProblem[]> {
  const ofNames = yield* mapping(entries, (entry) => nameProblems(entry, region));
  return [
    ...unknownCompositions(expansion),
    ...(region === 'eu' ? yield* allergenProblems(expansion, above) : []),
    ...ofNames.flat(),
  ];
}

function unknownCompositions({ unknown }: Expansion): DeclarationProblem[] {
  const parts = unknown.filter(({ line }) => !isFragranceLine(line));
  return byName(
    parts.map(({ reason, ...rest }) => ({
      code: reason === 'hidden' ? ('ingredient-hidden' as const) : ('composition-unknown' as const),
      ...rest,
    })),
  );
}

function* allergenProblems(
  expansion: Expansion,
  above: ReadonlySet<ExpandedSubstance>,
): Steps<DeclarationProblem[]> {
  const unknown = yield* unknownAllergens(expansion);
  const lines = new Set(unknown.flatMap(({ origins }) => origins.map(({ line }) => line)));
  const ofSubstances = yield* mapping(expansion.substances, (substance) => [
    ...(above.has(substance) ? unknownRoles(substance, lines) : []),
    ...unknownNames(substance),
  ]);
  return [...unknown, ...byName(ofSubstances.flat())];
}

/**
 * A substance of a fragrance without a role may be an allergen. Reports it, unless the list names it anyway, or all
 * allergens of the fragrance are unknown.
 */
function unknownRoles(
  substance: ExpandedSubstance,
  unknownLines: ReadonlySet<CompositionLine>,
): FoundProblem[] {
  const { key, inciName } = substance;
  if (FRAGRANCES.includes(key)) return [];
  const present = substance.contributions.filter(isPresent);
  const isNamed = present.some(
    (contribution) => contribution.role === 'fragrance-allergen' || !isFragrance(substance, contribution),
  );
  if (isNamed) return [];
  return present
    .filter(({ role, line }) => role === null && !unknownLines.has(line))
    .map(({ phase, line, share }) => ({ code: 'allergen-role-unknown', inciName, phase, line, share }));
}

/** Reports allergens with an unknown name, which may belong to a group and count together with its members. */
function unknownNames({ key, inciName, contributions }: ExpandedSubstance): FoundProblem[] {
  if (allergenNameOf(key) !== undefined) return [];
  return contributions
    .filter(({ role }) => role === 'fragrance-allergen')
    .map(({ phase, line, share }) => ({ code: 'allergen-name-unknown', inciName, phase, line, share }));
}

/**
 * A fragrance, or an oil or extract of an aromatic plant, may contain any allergen unless its composition names
 * allergens. If it names none, they were probably not stated, because hardly any fragrance is free of them.
 */
function* unknownAllergens({ substances, unknown }: Expansion): Steps<DeclarationProblem[]> {
  const found = new Map<CompositionLine, Omit<FoundProblem, 'code'>>();
  const withAllergens = new Set<CompositionLine>();
  const add = (phase: string, line: CompositionLine) =>
    found.set(line, { phase, line, inciName: line.ingredient.inciName, share: shareOfLine(line) });
  for (const substance of substances) {
    yield;
    for (const contribution of substance.contributions) {
      const { phase, line, role } = contribution;
      if (isPresentInFragrance(substance, contribution) || holdsAllergens(substance, contribution)) {
        add(phase, line);
      }
      if (role === 'fragrance-allergen') withAllergens.add(line);
    }
  }
  for (const line of withAllergens) found.delete(line);
  for (const { phase, line } of unknown) if (isFragranceLine(line)) add(phase, line);
  return byName([...found.values()].map((problem) => ({ code: 'allergens-unknown' as const, ...problem })));
}

/** An extract with a given composition may be free of allergens, but an essential oil never is. */
function holdsAllergens({ key }: ExpandedSubstance, contribution: Contribution): boolean {
  if (!isPresent(contribution)) return false;
  const kind = aromaticKindOf(key);
  return kind === 'essential-oil' || (kind === 'extract' && !contribution.isGiven);
}

interface FoundProblem extends Origin {
  readonly code: ProblemCode;
  readonly inciName: string;
}

/** Combines the problems of each ingredient, or part of one, with all of its lines. */
function byName(found: readonly FoundProblem[]): DeclarationProblem[] {
  return grouped(found, ({ code, line, inciName }) => `${code}|${line.ingredientId}|${inciName}`).map(
    (parts) => ({
      code: parts[0]!.code,
      inciName: parts[0]!.inciName,
      alternatives: [],
      share: sumOfShares(parts.map(({ share }) => share)),
      origins: parts.map(({ phase, line, share }) => ({ phase, line, share })),
    }),
  );
}

function nameProblems(entry: DeclarationEntry, region: Region): DeclarationProblem[] {
  if (entry.kind === 'unknown') return [];
  const { inciName, inciNames, share, origins, chineseNames } = entry;
  const problem = (code: ProblemCode, alternatives: readonly string[] = []) => ({
    code,
    inciName,
    alternatives,
    share,
    origins,
  });
  const hasCiNumber = ciNumberOf(inciName) !== undefined;
  const isCiNumber = bareCiNumber(substanceKey(inciName)) !== undefined;
  const isNamed = entry.kind !== 'fragrance';
  return [
    ...(entry.name === null ? [problem(region === 'cn' ? 'no-chinese-name' : 'no-inci-name')] : []),
    ...(region === 'cn' && isNamed && chineseNames.length > 1
      ? [problem('several-chinese-names', chineseNames)]
      : []),
    ...(region === 'cn' && isOfSeveral(inciNames) ? [problem('same-chinese-name', inciNames)] : []),
    ...(region === 'eu' && entry.kind === 'colorant' && !hasCiNumber ? [problem('no-ci-number')] : []),
    ...(region === 'us' && isCiNumber ? [problem('ci-number-only')] : []),
    ...(isNamed && TRADE_NAME.test(entry.name ?? inciName) ? [problem('trade-name')] : []),
  ];
}

/** By rule, parfum and aroma have one common Chinese name. */
const isOfSeveral = (inciNames: readonly string[]): boolean =>
  inciNames.length > 1 && inciNames.some((inciName) => !FRAGRANCES.includes(substanceKey(inciName)));
