import { casFault } from '../../ingredients/raw-materials/registry-numbers';
import { RefusedCell } from './limit-draft';

const CAS_NUMBER = /(?<![\d-])\d{2,7}-\d{2}-\d(?![\d-])/g;
/** Marks of footnotes that `substanceKey` does not know: `(1)`, `[2]`. */
const FOOTNOTE = /\s*(?:\(\d{1,2}\s?\)|\[\d{1,2}\])$/;
const SOFT_HYPHEN = /\u00ad/g;

/** On one line, without soft hyphens. */
export const oneLine = (text: string): string => text.replace(SOFT_HYPHEN, '').replace(/\s+/g, ' ').trim();

/** Most characters of a name: an index holds it. */
export const MAX_NAME = 500;

/**
 * Names without the marks of footnotes, each once. A dash is no name.
 * @throws RefusedCell for a name that is too long
 */
export function namesOf(parts: readonly string[]): string[] {
  const names = parts
    .map((part) => oneLine(part).replace(FOOTNOTE, '').trim())
    .filter((name) => /[\p{L}\p{N}]/u.test(name));
  const tooLong = names.find((name) => name.length > MAX_NAME);
  if (tooLong !== undefined) throw new RefusedCell('too-long', 'inciNames', tooLong);
  return [...new Set(names)];
}

/** The CAS numbers within a text, each once; what only looks like one is left out. */
export const casNumbersIn = (text: string): string[] => [
  ...new Set((text.match(CAS_NUMBER) ?? []).filter((number) => casFault(number) === undefined)),
];
