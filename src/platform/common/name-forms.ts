import variants from './simplified-characters.json';

/**
 * The forms in which names are compared (docs/decisions/0048-names-in-one-form.md). Each is also a function of the
 * database; test/e2e/name-forms.e2e-spec.ts compares the two.
 */

/** Invisible characters: soft hyphens, zero-width characters, variation selectors, fillers and direction marks. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** White space, the line end of old mainframes (NEL) and the empty Braille pattern. */
const BLANKS = /[\s\u0085\u2800]+/gu;
const APOSTROPHES = /[‘’ʼ′]/gu;
const DASHES = /[‐‒–—―−]/gu;

/** Ranges of characters that NFKC turns into digits: footnote marks and fractions, but no digits of another width. */
const DIGIT_MARKS =
  '\u00b2\u00b3\u00b9\u00bc-\u00be\u2070\u2074-\u2079\u2080-\u2089\u2150-\u215f\u2189\u2460-\u249b\u24ea' +
  '\u3251-\u325f\u32b1-\u32cb\u3358-\u3370\u3378\u3379\u339f-\u33a6\u33a8\u33af\u33e0-\u33fe\u{1f100}-\u{1f10a}';

/** Matches the place between a digit and a mark. The database uses the same regular expression. */
export const BETWEEN_DIGIT_AND_MARK = `(?<=[0-9０-９])(?=[${DIGIT_MARKS}])|(?<=[${DIGIT_MARKS}])(?=[0-9０-９])`;

const MARKED_DIGIT = new RegExp(BETWEEN_DIGIT_AND_MARK, 'gu');

/**
 * Returns the text in Unicode's form NFKC, which has one width of each character, without invisible characters. A mark
 * does not continue a number: `0.5¹` becomes `0.5 1`, and `Steareth-2¹` does not become `Steareth-21`.
 */
export const visibleText = (text: string): string =>
  text.replace(INVISIBLE, '').replace(MARKED_DIGIT, ' ').normalize('NFKC');

/** Lower case of İ and of the final sigma differs between programs. This is the one rule for both. */
export const lowerCase = (text: string): string =>
  text
    .replaceAll('İ', 'i')
    .toLowerCase()
    // An accent after İ composes with its i.
    .normalize('NFC')
    .replaceAll('ς', 'σ');

/** Matches the blank in `1 %`. The database uses the same regular expression. */
export const BLANK_BEFORE_PERCENT = '(?<=[0-9]) +(?=[%‰])';

const BEFORE_PERCENT = new RegExp(BLANK_BEFORE_PERCENT, 'g');

/** Writes `1 %` as `1%`. */
export const withJoinedPercent = (text: string): string => text.replace(BEFORE_PERCENT, '');

/**
 * The form in which searches compare texts, as `search_text` in SQL: visible, in lower case, with single blanks (`1%`
 * has none) and one kind of dash and apostrophe. Different characters that look alike (黃 and 黄, Latin a, Cyrillic а)
 * stay different.
 */
export const searchText = (text: string): string =>
  withJoinedPercent(
    lowerCase(visibleText(text).replaceAll('\u001f', ' '))
      .replace(APOSTROPHES, "'")
      .replace(DASHES, '-')
      .replace(BLANKS, ' '),
  );

/** `searchText` without surrounding blanks, by which names of anything but ingredients are compared. */
export const plainText = (text: string): string => searchText(text).trim();

/**
 * Ranges of characters between the words of a name, for regular expressions here and in the database: blanks, hyphens,
 * brackets and other punctuation. Not among them are the apostrophe and the plus, because `N,N'-` is not `N,N-` and
 * `(+)-` not `(-)-`, and U+001F, which `name_key` uses as a separator.
 */
export const NAME_MARKS = String.raw`\u0001-\u001e\u0020-\u0026\u0028-\u002a\u002c-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b0\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7\u2000-\u206f\u20a0-\u20cf\u2190-\u23ff\u2500-\u2775\u2794-\u2bff\u2e00-\u2e2e\u2e30-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u303d\u30a0\u30fb`;

/** Characters that NFKC would turn into letters of the name. */
export const OWNERSHIP_MARKS = '™℠';

/** Longest name key in characters: an index entry has a limit. */
export const MAX_NAME_KEY = 200;

/** Traditional Chinese characters, and at the same positions the simplified ones. */
export const { traditional: TRADITIONAL, simplified: SIMPLIFIED } = variants;

const OWNED = new RegExp(`[${OWNERSHIP_MARKS}]`, 'gu');
const BETWEEN_DIGITS = new RegExp(`([0-9])[${NAME_MARKS}]+(?=[0-9])`, 'gu');
const MARKS = new RegExp(`[${NAME_MARKS}]+`, 'gu');
const ONLY_SIGNS = /^['+]*$/;
const simplifiedCharacters = Array.from(SIMPLIFIED);
const simplified = new Map(
  Array.from(TRADITIONAL, (character, at) => [character, simplifiedCharacters[at]!]),
);

/**
 * The form in which two names mean the same ingredient, as `name_key` in SQL: the search text without what stands
 * between words, and with simplified Chinese characters. Numbers stay apart: `1,3-BG` is not `13-BG`, but `PEG 8` is
 * `PEG-8` and `PEG8`. Empty for a name without letters and digits.
 */
export function nameKey(name: string): string {
  const words = searchText(name.replace(OWNED, ''))
    .replace(BETWEEN_DIGITS, '$1\u001f')
    .replace(MARKS, '')
    .replaceAll('\u001f', '.');
  if (ONLY_SIGNS.test(words)) return '';
  const key = Array.from(words, (character) => simplified.get(character) ?? character).join('');
  return Array.from(key.normalize('NFC')).slice(0, MAX_NAME_KEY).join('');
}
