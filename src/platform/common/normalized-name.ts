/** Invisible characters: soft hyphens, zero-width characters, variation selectors, fillers and direction marks. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** White space, the line end of old mainframes (NEL) and the empty Braille pattern. */
const BLANKS = /[\s\u0085\u2800]+/gu;

/** Lower case of İ and of the final sigma differs between programs. This is the one rule for both. */
const lowerCase = (text: string): string => text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ');

/**
 * Returns the form in which names are compared: NFKC, without invisible characters, with single blanks, trimmed, in
 * lower case. Different characters that look alike (黃 and 黄, Latin a, Cyrillic а) stay different.
 */
export function normalizedName(text: string): string {
  // Once invisible characters are removed, a letter and its accent may compose: hence NFKC again.
  const visible = text.normalize('NFKC').replace(INVISIBLE, '').normalize('NFKC');
  // An accent after İ composes with its i.
  return lowerCase(visible).normalize('NFC').replace(BLANKS, ' ').trim();
}
