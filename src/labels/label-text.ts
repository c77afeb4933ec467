import type { Declaration, DeclarationEntry, Region } from './declaration-model';
import { LABEL_WORDS } from './declaration.words';

/** The word that heads the list on the label. */
export const headingOf = (region: Region): string =>
  region === 'cn' ? LABEL_WORDS.chineseHeading : 'Ingredients';

/** The list as it would stand on the label. A name that is missing stands as `[? …]`, which no label can have. */
export function labelText({ entries }: Declaration, region: Region): string {
  if (region !== 'cn') return `${headingOf(region)}: ${entries.map(shownName).join(', ')}`;
  const namesOf = (isTrace: boolean) =>
    entries
      .filter(({ group }) => (group === 'trace') === isTrace)
      .map(shownName)
      .join('、');
  const [main, trace] = [namesOf(false), namesOf(true)];
  const parts = [
    ...(main === '' ? [] : [`${LABEL_WORDS.chineseHeading}：${main}`]),
    ...(trace === '' ? [] : [`${LABEL_WORDS.chineseTrace}：${trace}`]),
  ];
  return parts.join('；');
}

const shownName = ({ name, inciName }: DeclarationEntry): string => name ?? `[? ${inciName}]`;
