import type { Replacement } from './replaced-composition';

/* What the service writes into records. It is stored, so it has one language. */

/** Why a version was made in which an ingredient is replaced. */
export const replacedBy = ({ ingredient, by, factor }: Replacement): string =>
  `以${by.chineseName}替换${ingredient.chineseName}${factor === 1 ? '' : `，用量×${factor}`}`;
