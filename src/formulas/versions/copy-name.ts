import { COPY_SUFFIX } from '../formulas.texts';

/** Most characters of a formula's name, as code points. */
export const MAX_NAME = 200;

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const lengthOf = (text: string): number => Array.from(text).length;

/** The name of a copy. A long name loses its last characters, none of which is cut into parts. */
export function copyName(name: string): string {
  const most = MAX_NAME - lengthOf(COPY_SUFFIX);
  let kept = '';
  let length = 0;
  for (const { segment } of characters.segment(name)) {
    length += lengthOf(segment);
    if (length > most) break;
    kept += segment;
  }
  return kept + COPY_SUFFIX;
}
