import type { ReplacedIngredient, Replacement } from './replaced-composition';

/* What the service writes into records. It is stored, so it has one language. */

/** Why a version was made in which an ingredient is replaced. */
export function replacedBy({ ingredient, by, factor }: Replacement): string {
  const nameOf = by.chineseName === ingredient.chineseName ? nameWithSupplier : ownName;
  return `以${nameOf(by)}替换${nameOf(ingredient)}${factor === 1 ? '' : `，用量×${factor}`}`;
}

const ownName = ({ chineseName }: ReplacedIngredient): string => chineseName;

const nameWithSupplier = ({ chineseName, supplier }: ReplacedIngredient): string =>
  supplier ? `${chineseName}（${supplier}）` : chineseName;
