import { type Expansion, NOTHING, sumOfShares } from '../../raw-materials/expansion';
import { substanceKey } from '../../raw-materials/substance-names';
import type { DeclarationEntry, DeclarationRules, Origin } from './declaration-model';
import { AROMA, FRAGRANCE, fragranceName } from './declared-names';
import { isFragranceLine, isPresentInFragrance } from './fragrance';
import { mergedByLine } from './merged-entries';
import type { SumOfLine } from './sum-of-line';

interface Part extends Origin {
  /** Of the substance; of the raw material where that is not known. */
  readonly key: string;
}

/** All perfumes of a formula are one name, and all that is an aroma is another. */
export function fragranceEntries(
  expansion: Expansion,
  { region }: DeclarationRules,
  sumOf: SumOfLine,
): DeclarationEntry[] {
  const parts = partsOf(expansion);
  const aromaLines = new Set(parts.filter(isAroma).map(({ line }) => line));
  const keyOf = ({ key, line }: Part) => (key !== FRAGRANCE && aromaLines.has(line) ? AROMA : FRAGRANCE);
  return ([FRAGRANCE, AROMA] as const).flatMap((key) => {
    const origins = mergedByLine(
      parts.filter((part) => keyOf(part) === key).map(({ phase, line, share }) => ({ phase, line, share })),
      sumOf,
    );
    if (origins.length === 0) return [];
    return [
      {
        name: fragranceName(key, region),
        inciName: fragranceName(key, 'eu'),
        kind: 'fragrance' as const,
        chineseNames: [],
        share: sumOfShares(origins.map(({ share }) => share)),
        countedInFragrance: NOTHING,
        origins,
      },
    ];
  });
}

const isAroma = ({ key, line }: Part): boolean =>
  key === AROMA || (isFragranceLine(line) && substanceKey(line.ingredient.inciName) === AROMA);

function partsOf({ substances, unknown }: Expansion): Part[] {
  const known = substances.flatMap((substance) =>
    substance.contributions
      .filter((contribution) => isPresentInFragrance(substance, contribution))
      .map(({ phase, line, share }) => ({ key: substance.key, phase, line, share })),
  );
  const whole = unknown
    .filter(({ line }) => isFragranceLine(line))
    .map(({ phase, line, share, inciName }) => ({ key: substanceKey(inciName), phase, line, share }));
  return [...known, ...whole];
}
