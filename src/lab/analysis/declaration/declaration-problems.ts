import { ciNumberOf } from '../../raw-materials/ci-numbers';
import { type Expansion, shareOfLine, sumOfShares } from '../../raw-materials/expansion';
import type { DeclarationEntry, DeclarationProblem, Origin, ProblemCode, Region } from './declaration-model';
import { isFragrance, isFragranceLine } from './fragrance';

/** Problems with which the list may still be complete. */
const WARNINGS: readonly ProblemCode[] = ['several-chinese-names', 'no-ci-number', 'trade-name'];

/** Whether the list may lack a name because of it. */
export const isIncomplete = ({ code }: DeclarationProblem): boolean => !WARNINGS.includes(code);

const TRADE_NAME = /[®™]|\((?:R|TM)\)/i;

export function problemsOf(
  entries: readonly DeclarationEntry[],
  expansion: Expansion,
  region: Region,
): DeclarationProblem[] {
  return [
    ...unknownCompositions(expansion),
    ...(region === 'eu' ? unknownAllergens(expansion) : []),
    ...entries.flatMap((entry) => nameProblems(entry, region)),
  ];
}

function unknownCompositions({ unknown }: Expansion): DeclarationProblem[] {
  const lines = unknown.filter(({ line }) => !isFragranceLine(line));
  return byIngredient(
    lines.map(({ reason, ...rest }) => ({
      code: reason === 'hidden' ? ('ingredient-hidden' as const) : ('composition-unknown' as const),
      ...rest,
    })),
  );
}

/** A fragrance whose composition nobody has given may hold any allergen. */
function unknownAllergens({ substances, unknown }: Expansion): DeclarationProblem[] {
  const own = substances.flatMap((substance) =>
    substance.contributions.filter(
      (contribution) => !contribution.isGiven && isFragrance(substance, contribution),
    ),
  );
  const lines = [...own, ...unknown.filter(({ line }) => isFragranceLine(line))];
  return byIngredient(lines.map(({ phase, line }) => ({ code: 'allergens-unknown' as const, phase, line })));
}

/** One problem for each ingredient, with all of its lines. */
function byIngredient(
  found: readonly (Omit<Origin, 'share'> & { code: ProblemCode })[],
): DeclarationProblem[] {
  const ids = [...new Set(found.map(({ line }) => line.ingredientId))];
  return ids.map((id) => {
    const lines = found.filter(({ line }) => line.ingredientId === id);
    const origins = lines.map(({ phase, line }) => ({ phase, line, share: shareOfLine(line) }));
    return {
      code: lines[0]!.code,
      inciName: lines[0]!.line.ingredient.inciName,
      alternatives: [],
      share: sumOfShares(origins.map(({ share }) => share)),
      origins,
    };
  });
}

function nameProblems(entry: DeclarationEntry, region: Region): DeclarationProblem[] {
  if (entry.kind === 'unknown') return [];
  const { inciName, share, origins, chineseNames } = entry;
  const problem = (code: ProblemCode, alternatives: readonly string[] = []) => ({
    code,
    inciName,
    alternatives,
    share,
    origins,
  });
  const hasCiNumber = ciNumberOf(inciName) !== undefined;
  const isNamed = entry.kind !== 'fragrance';
  return [
    ...(entry.name === null ? [problem('no-chinese-name')] : []),
    ...(region === 'cn' && isNamed && chineseNames.length > 1
      ? [problem('several-chinese-names', chineseNames)]
      : []),
    ...(region === 'eu' && entry.kind === 'colorant' && !hasCiNumber ? [problem('no-ci-number')] : []),
    ...(region === 'us' && hasCiNumber ? [problem('ci-number-only')] : []),
    ...(isNamed && TRADE_NAME.test(entry.name ?? inciName) ? [problem('trade-name')] : []),
  ];
}
