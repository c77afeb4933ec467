import type { Expansion } from '../formulas/composition/expansion';
import { substanceKey } from '../ingredients/raw-materials/substance-names';
import type { DeclarationRules, InParts, ListedName, Origin } from './declaration-model';
import { AROMA, FRAGRANCE, fragranceName } from './declared-names';
import { isFragranceLine, isPresentInFragrance } from './fragrance';

interface FragrancePart extends Origin {
  /** Key of the substance; of the raw material if the substance is unknown. */
  readonly key: string;
}

/** Combines all perfumes of a formula in one entry, and all aromas in another. */
export function fragranceEntries(expansion: Expansion, { region }: DeclarationRules): InParts<ListedName>[] {
  const found = partsOf(expansion);
  const aromaLines = new Set(found.filter(isAroma).map(({ line }) => line));
  const keyOf = ({ key, line }: FragrancePart) =>
    key !== FRAGRANCE && aromaLines.has(line) ? AROMA : FRAGRANCE;
  return ([FRAGRANCE, AROMA] as const).flatMap((key) => {
    const parts = found
      .filter((part) => keyOf(part) === key)
      .map(({ phase, line, share }) => ({ phase, line, share, isCountedElsewhere: false }));
    if (parts.length === 0) return [];
    return [
      {
        name: fragranceName(key, region),
        inciName: fragranceName(key, 'eu'),
        inciNames: [fragranceName(key, 'eu')],
        kind: 'fragrance' as const,
        chineseNames: [],
        parts,
      },
    ];
  });
}

const isAroma = ({ key, line }: FragrancePart): boolean =>
  key === AROMA || (isFragranceLine(line) && substanceKey(line.ingredient.inciName) === AROMA);

function partsOf({ substances, unknown }: Expansion): FragrancePart[] {
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
