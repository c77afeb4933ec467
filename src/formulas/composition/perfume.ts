import { ciNumberOf } from '../../ingredients/raw-materials/registry-numbers';
import type { Substance } from '../../ingredients/raw-materials/substance';
import { AROMA, PARFUM, substanceKey } from '../../ingredients/raw-materials/substance-names';
import type { CompositionLine } from './composition';

/** The entry of a label that stands for a perfume or aromatic composition. */
export type Perfume = typeof PARFUM | typeof AROMA;

/** Names of perfumes that say so among other words: `Rose Fragrance 1234`, `玫瑰香精`. 香精油 is an essential oil. */
const SAYS_AROMA = /\b(?:aroma|flavou?r)s?\b|(?:食用|食品)香[精料](?!油)/i;
const SAYS_PERFUME = /\b(?:parfum|perfume|fragrance)s?\b|香精(?!油)|香料$/i;

const keyedPerfume = (key: string): Perfume | null => (key === PARFUM || key === AROMA ? key : null);

/** The perfume that a raw material is called. The category is a witness, but never a name. */
function calledPerfume({
  ingredient: { inciName, chineseName },
  catalogue,
}: CompositionLine): Perfume | null {
  if (!catalogue) return null;
  const keyed = keyedPerfume(substanceKey(inciName));
  if (keyed || catalogue.functionCategory !== 'fragrance') return keyed;
  const names = [inciName, chineseName.trim()];
  if (names.some((name) => SAYS_AROMA.test(name))) return AROMA;
  return names.some((name) => SAYS_PERFUME.test(name)) ? PARFUM : null;
}

/**
 * Determines which substances of a raw material are part of a perfume: all of a raw material that is called one, or
 * whose category and roles say so, except colorants; in others those with the role or the name of a perfume.
 */
export function perfumeOf(line: CompositionLine, given: readonly Substance[] = []) {
  const hasAroma = given.some(({ inciName }) => substanceKey(inciName) === AROMA);
  const called = calledPerfume(line);
  const kind: Perfume = called ?? (hasAroma ? AROMA : PARFUM);
  const saysSo = ({ inciName, role }: Substance) =>
    role === 'fragrance' || role === 'fragrance-allergen' || keyedPerfume(substanceKey(inciName)) !== null;
  const isPerfume =
    called !== null || (line.catalogue?.functionCategory === 'fragrance' && given.some(saysSo));
  return ({ inciName, role }: Pick<Substance, 'inciName' | 'role'>): Perfume | null => {
    const keyed = keyedPerfume(substanceKey(inciName));
    if (keyed === PARFUM) return PARFUM;
    if (keyed || role === 'fragrance') return kind;
    return isPerfume && role !== 'colorant' && ciNumberOf(inciName) === undefined ? kind : null;
  };
}

/** Returns true if the category of a raw material says fragrance and it has no CAS number: a perfume has none. */
export const mayBePerfume = ({ catalogue }: CompositionLine): boolean =>
  catalogue?.functionCategory === 'fragrance' && catalogue.casNumbers.length === 0;
