import words from './words.json';

/** The name of an ingredient in both languages. Empty if the text gives none. */
export interface Names {
  readonly inciName: string;
  readonly chineseName: string;
}

const HAN = /\p{Script=Han}/u;

/** Marks around a name: of lists, check boxes, tables and the following text, and words that join names. */
const MARKS_BEFORE =
  /^(?:[\s,，:;.=@→>|*_`"'“”·•、+/☐☑✓✔†‡§^¹²³⁰⁴-⁹°–—−‐‑-]|\[[ x✓✔]?\]|[)\]}](?=\s|\p{L})|(?:and|plus|with|und|mit|et|avec|con|of|de|von|or|per)\s|d['’]|(?:以及|和(?!厚朴)|及|与|为|是)(?=\p{L}))+/iu;
const MARKS_BEHIND =
  /(?:[\s,，:;=@→<|*_`"“”·•、+…/–—−‐‑([{†‡§^¹²³⁰⁴-⁹°#-]|(?<![\p{L}])'|(?<!denat|spp?|var|ext|conc|sol)\.|\s(?:and|with)|(?:以及|和|及|与))+$/iu;
/** Number of a list item. Does not match the numbers of "1,2-Hexanediol" and "2-Phenoxyethanol". */
const NUMBER_OF_LIST =
  /^\s*(?:\(?\d{1,3}(?:[.:](?!\d)|[)、])|[a-z][.)]\s|[一二三四五六七八九十]{1,2}[、.]|[①-⑳])\s*/u;
/** Texts in brackets that are part of the name. */
const OF_THE_NAME = /^(?:CI \d{5}.*|nano|denat\.?|water|aqua|eau)$/iu;
const BRACKET_BEHIND = /(\s*)[([{]([^()[\]{}]*)[)\]}]$/u;
/** Endings that make the following bracket part of the name: 聚（三肽-6）, 乙酰化（氢化蓖麻油）. */
const GOES_ON = /(?:聚|[二三四双]|酰化)$/u;

/** Removes the number of a list item. */
export const withoutNumber = (text: string): string => text.replace(NUMBER_OF_LIST, '');

/** Removes the marks around a name, and the number of a list item before it. */
const trimMarks = (text: string): string => {
  const name = text
    .replace(MARKS_BEFORE, '')
    .replace(NUMBER_OF_LIST, '')
    .replace(MARKS_BEFORE, '')
    .replace(MARKS_BEHIND, '');
  const start = text.indexOf(name);
  return withBothQuotes(text, start, start + name.length).replace(/\*\*|`/gu, '');
};

/** Returns the text between two positions with the other quotation mark of a part of it: `Perfume "Rose"`. */
export function withBothQuotes(text: string, start: number, end: number): string {
  const inner = text.slice(start, end);
  if (inner.match(/["“”]/gu)?.length !== 1) return inner;
  const outer = text.slice(Math.max(start - 1, 0), end + 1);
  return /["”]$/u.test(outer)
    ? text.slice(start, end + 1)
    : /^["“]/u.test(outer)
      ? text.slice(start - 1, end)
      : inner;
}

/** The names of an ingredient, and the remarks beside them. */
export interface NamesAndNote extends Names {
  readonly note: string;
}

/**
 * Returns the names in a text: both if it has one in each language, in brackets, after a slash or
 * side by side. Other brackets after a name become its note. The function of an ingredient does not
 * replace its name. Returns undefined if there is no name.
 */
export function namesIn(text: string): NamesAndNote | undefined {
  // Longer texts are prose, on which the patterns would be slow.
  if (text.length > 300) return undefined;
  const notes: string[] = [];
  let rest = trimMarks(text).replace(/\s+/gu, ' ');
  const label = LABEL.exec(rest);
  if (label && /\p{L}/u.test(rest.slice(label[0].length))) {
    if (isFunction(label[1]!)) notes.push(label[1]!.trim());
    rest = trimMarks(rest.slice(label[0].length));
  }
  let inBrackets = '';
  for (let bracket = BRACKET_BEHIND.exec(rest); bracket; bracket = BRACKET_BEHIND.exec(rest)) {
    const before = trimMarks(rest.slice(0, bracket.index));
    const inner = bracket[2]!.trim();
    if (before === '' || (OF_THE_NAME.test(inner) && !HAN.test(before) && !isFunction(before))) break;
    if (isOfTheName(before, bracket[1] === '', inner)) break;
    if (isFunction(before) && isSubstance(inner)) {
      notes.unshift(before);
      rest = inner;
      break;
    }
    if (inBrackets !== '') notes.unshift(inBrackets);
    inBrackets = inner;
    rest = before;
  }
  if (!/\p{L}/u.test(rest)) return undefined;
  if (isName(inBrackets) && !isFunction(inBrackets) && HAN.test(inBrackets) !== HAN.test(rest)) {
    const [chineseName, inciName] = HAN.test(rest) ? [rest, inBrackets] : [inBrackets, rest];
    return { inciName, chineseName, note: notes.join(';') };
  }
  if (inBrackets !== '') notes.unshift(inBrackets);
  const [name, second = ''] = dashed(rest);
  if (second !== '' && !/[\d%]/u.test(second)) notes.push(second);
  return { ...sideBySide(name), note: notes.join(';') };
}

/** Returns true if a bracket without a blank before it is part of the name, and not a remark or another name. */
function isOfTheName(before: string, isTight: boolean, inner: string): boolean {
  if (!isTight || isFunction(inner) || /[%‰]/u.test(inner)) return false;
  if (HAN.test(before)) return GOES_ON.test(before);
  return !HAN.test(inner) && /\p{L}/u.test(inner) && !isFunction(before);
}

const isSubstance = (text: string): boolean =>
  /\p{L}{2}|\p{Script=Han}/u.test(text) && !isFunction(text) && !/[%‰?]|\d ?[℃°]/u.test(text);

/**
 * Returns true if the text can be a second name. Digits, signs and remarks in small letters ("premix")
 * cannot, and Latin text only if it ends like a chemical name, because trade names are in brackets as well.
 */
const isName = (text: string): boolean =>
  HAN.test(text)
    ? /^[\p{L}\p{N},()/ -]+$/u.test(text)
    : /^[\p{Lu}\d][\p{L}\p{N},()/. -]{2,}$/u.test(text) && CHEMISTRY.test(text);

const CHEMISTRY =
  /(?:ine?|[aei]n|ole?|[aei]ne|ide|[ai]te|one|ose|ase|yl|ic|id|oil|butter|wax|gum|aqua|water|extract|juice|powder|starch|talc|mica|silica|clay|mer|eth|[iu]um|pca|edta|parfum|fragrance|urea|honey|milk|ester|ether|salt|(?:peg|ppg)-\d+.*|ci \d{5})(?![\p{L}\d])/iu;

/**
 * Splits a text at a dash: into the name with its second name, and the remark. In "Thickener –
 * Xanthan Gum" the remark comes first.
 */
function dashed(full: string): [name: string, remark?: string] {
  const [first, second = '', ...others] = full.split(/\s+[–—−-]\s+/u) as [string, ...string[]];
  if (second === '') return [first];
  if (isFunction(first) && isSubstance(second)) return [second, first];
  if (isName(second) && !/^[\d.,-]+\s|^\d+(?![\d,-])/u.test(second) && HAN.test(second) !== HAN.test(first))
    return [`${first} ${second}`, others[0]];
  return [first, second];
}

function sideBySide(text: string): Names {
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

/** Returns true for a word of five letters, or of three with a capital: "EDTA 二钠" and "维生素 E" are Chinese names. */
const isLatinName = (text: string): boolean => /\p{L}{5,}|\p{Lu}\p{Ll}{2,}/u.test(text);

/** Text before a number that is part of the name: colours, polymers, and trade names with a number. */
export const NUMBERED_NAME = new RegExp(
  String.raw`(?:${words.numberedNames.join('|')})[\s-]*(?:no\.? ?)?$`,
  'iu',
);
export const ENDS_WITH_WATER =
  /(?:^|[\s|])(?:aqua|water|wasser|eau|agua|acqua|вода|[\p{Script=Han}]{0,3}水)$/iu;

const FUNCTION = new RegExp(`^(?:(?:${words.hanFunctions.join('|')})剂|${words.functions.join('|')})$`, 'iu');
/** Returns true for the function of an ingredient, which is not a name if a substance is beside it. */
export const isFunction = (text: string): boolean => FUNCTION.test(text.trim());

/** Label before a list of ingredients or before one ingredient: the title of the list, or the ingredient's function. */
export const LABEL = /^([^:()\d%]{1,40}(?:\([^()]{1,20}\))?\d{0,2}) ?: */u;
/** Labels that may also be before an amount that is followed by its name. */
export const LIST_LABEL =
  /(?:配方|成分|成份|formula|recipe|ingredients?|inci|rezeptur|composition|ricetta|receta|sample|样品|\d)\s*\)?$/iu;
/** Text between the number of a solution and its amount. */
export const SOLUTION =
  /^\W*(?:(?:aq(?:ueous)?\.?\s+)?(?:solution|soln?|lösung|水?溶液)|aq(?:ueous)?\b|active\b)\W*$/iu;
/** Words that join two ingredients with amounts. */
export const JOINING = /^(?:and|with|plus|und|mit|et|avec|con|y|e|ed|i|и|和|及|与|以及)$/iu;
/** Words that occur with a number and are not ingredients. */
export const NO_NAME =
  /^(?:active|actives|wirkstoff|solution|total|有效物|活性物|contains?|含有?|\p{Script=Latin})$|(?<!\p{L})(?:contains?|containing|uses?|used)(?!\p{L})|\s(?:bis|to|ad|auf|à|до|от|um|by|over|under|below|above|than|least|most|at|for|on|nach|über|при|на|их|nur|only|about|around|mwst|vat|x)$|\p{Script=Han}\d{1,3},\d|^(?:natural|recyclable|vegan|organic) \p{L}+$/iu;
/** Measures that may be part of a name: a viscosity, a size, a molecular weight, and the 50C of `Retinol 50C`. */
export const MATERIAL_MEASURE =
  /^\d+c$|(?:cps?|cst?|[nµμ]m|微米|纳米|目|mesh|k?da|道尔顿|iu|号|[vw]\/v|vol\.?)$/iu;
