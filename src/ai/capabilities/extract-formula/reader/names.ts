/** A name in either language; empty where the text gives none. */
export interface Names {
  readonly inciName: string;
  readonly chineseName: string;
}

const HAN = /\p{Script=Han}/u;
/** With remarks; what is longer is prose, and not worth a slow pattern. */
const LONGEST_TEXT = 300;

/** Around a name: marks of lists, check boxes and tables, of what comes next, and words that join names. */
const MARKS_BEFORE =
  /^(?:[\s,，:;.=@→>|*_`"'·•、+/☐☑✓✔–—-]|\[[ x✓✔]?\]|[)\]}](?=\s|\p{L})|(?:and|plus)\s|(?:以及|和(?!厚朴)|及|与|为|是)(?=\p{L}))+/iu;
const MARKS_BEHIND =
  /(?:[\s,，:;=@→<|*_`"'·•、+…/–—([{-]|(?<!denat|spp|var|ext|conc|sol)\.|\s(?:and|plus)|(?:以及|和|及|与))+$/iu;
/** Number of a list. That of "1,2-Hexanediol" or "2-Phenoxyethanol" is none. */
const NUMBER_OF_LIST =
  /^\s*(?:\(?\d{1,3}(?:[.:](?!\d)|[)、])|[a-z][.)]\s|[一二三四五六七八九十]{1,2}[、.]|[①-⑳])\s*/u;
/** In brackets, and part of the name all the same. */
const OF_THE_NAME = /^(?:CI \d{5}.*|nano|water|aqua|eau)$/iu;
const BRACKET_BEHIND = /\s*[([{]([^()[\]{}]*)[)\]}]$/u;

/** Without the number of a list before it. */
export const withoutNumber = (text: string): string => text.replace(NUMBER_OF_LIST, '');

/** Without the marks around it and the number of a list before it. */
const trimMarks = (text: string): string =>
  text
    .replace(MARKS_BEFORE, '')
    .replace(NUMBER_OF_LIST, '')
    .replace(MARKS_BEFORE, '')
    .replace(MARKS_BEHIND, '')
    .replace(/\*\*|`/gu, '');

/**
 * The names that a text gives: both where it has one in each language, in brackets, behind a slash or side
 * by side. What else stands in brackets behind a name is a remark. Undefined where there is no name.
 */
export function namesIn(text: string): Names | undefined {
  if (text.length > LONGEST_TEXT) return undefined;
  let rest = trimMarks(text).replace(/\s+/gu, ' ');
  let inBrackets = '';
  for (let bracket = BRACKET_BEHIND.exec(rest); bracket; bracket = BRACKET_BEHIND.exec(rest)) {
    const before = trimMarks(rest.slice(0, bracket.index));
    if (before === '') break;
    inBrackets = bracket[1]!.trim();
    if (OF_THE_NAME.test(inBrackets) && !HAN.test(before)) {
      inBrackets = '';
      break;
    }
    rest = before;
  }
  if (!/\p{L}/u.test(rest)) return undefined;
  if (isName(inBrackets) && HAN.test(inBrackets) !== HAN.test(rest)) {
    const [chineseName, inciName] = HAN.test(rest) ? [rest, inBrackets] : [inBrackets, rest];
    return { inciName, chineseName };
  }
  return sideBySide(rest);
}

/**
 * Digits and signs alone, or a remark in small letters ("premix"), are no second name, and of what is Latin
 * only what sounds like chemistry: trade names stand in brackets, too.
 */
const isName = (text: string): boolean =>
  HAN.test(text)
    ? /^[\p{L}\p{N},()/ -]+$/u.test(text)
    : /^[\p{Lu}\d][\p{L}\p{N},()/. -]{2,}$/u.test(text) && CHEMISTRY.test(text);

const CHEMISTRY =
  /(?:ine?|[aei]n|ole?|[aei]ne|ide|[ai]te|one|ose|ase|yl|ic|id|oil|butter|wax|gum|aqua|water|extract|juice|powder|starch|talc|mica|silica|clay|mer|eth|[iu]um|pca|edta|parfum|fragrance|urea|honey|milk|ester|ether|salt|(?:peg|ppg)-\d+.*|ci \d{5})(?![\p{L}\d])/iu;

function sideBySide(whole: string): Names {
  const [text, second = ''] = whole.split(/\s+[–—-]\s+/u) as [string, string?];
  if (isName(second) && HAN.test(second) !== HAN.test(text)) return sideBySide(`${text} ${second}`);
  if (!HAN.test(text)) return { inciName: text, chineseName: '' };
  const words = text.split(/\s*[/|]\s*(?=\p{Script=Han}[^/]*$|\p{Script=Latin}[^/\p{Script=Han}]*$)|\s+/u);
  const firstHan = words.findIndex((word) => HAN.test(word));
  const lastHan = words.findLastIndex((word) => HAN.test(word));
  const before = words.slice(0, firstHan).join(' ');
  const behind = words.slice(lastHan + 1).join(' ');
  const chinese = words.slice(firstHan, lastHan + 1).join(' ');
  if (isLatinName(before) && behind === '') return { inciName: before, chineseName: chinese };
  if (isLatinName(behind) && before === '') return { inciName: behind, chineseName: chinese };
  return { inciName: '', chineseName: text };
}

/** A word of five letters, or of three with a capital: "EDTA 二钠" and "维生素 E" are Chinese names. */
const isLatinName = (text: string): boolean => /\p{L}{5,}|\p{Lu}\p{Ll}{2,}/u.test(text);
