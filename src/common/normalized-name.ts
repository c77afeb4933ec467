/**
 * What nobody sees in a name: soft hyphens, zero-width characters, variation selectors, fillers and marks of
 * direction.
 */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** White space, the line end of old mainframes and the empty Braille pattern. */
const BLANKS = /[\s\u0085\u2800]+/gu;

/** İ and the final sigma are the letters whose lower case differs between programs: one rule for both. */
const lowerCase = (text: string): string => text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ');

/**
 * The form in which two names are the same: NFKC, without invisible characters, every run of blanks one
 * blank, trimmed, in lower case. Different characters that look alike (黃 and 黄, Latin a, Cyrillic а) stay
 * different.
 */
export function normalizedName(text: string): string {
  // A letter and its accent may compose once nothing invisible stands between them: hence NFKC again.
  const visible = text.normalize('NFKC').replace(INVISIBLE, '').normalize('NFKC');
  // An accent behind İ composes with its i.
  return lowerCase(visible).normalize('NFC').replace(BLANKS, ' ').trim();
}
