import { MAX_NAME } from '../formula.fields';
import { COPY_SUFFIX } from '../formulas.texts';

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
