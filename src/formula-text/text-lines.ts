import { LIST_LABEL } from './names';
import { SUBTOTAL, SUM } from './sums';
import { tokenize, tokensOf } from './tokenizer';
import characters from './characters.json';
import words from './line-words.json';

/** A line of a text, as written and as parsed. */
export interface TextLine {
  /** Number of the line in the text, from 1. Lines that come from one line of HTML share a number. */
  readonly number: number;
  /** The line without invisible characters. Names are taken from it. */
  readonly raw: string;
  /** The same line, character for character, with narrow characters in place of the wide ones of Chinese text. */
  readonly text: string;
}

export const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;
/** Soft hyphens, zero-width characters, marks of direction, variation selectors. */
const INVISIBLE =
  /\u00ad|\u061c|\u115f|\u1160|\u180e|[\u200b-\u200f]|[\u202a-\u202e]|[\u2060-\u2069]|\u3164|[\ufe00-\ufe0f]|\ufeff/gu;
const ENTITIES: Record<string, string> = characters.entities;
const NARROW: Record<string, string> = characters.narrow;

/** Returns the lines of a text. Splits HTML at line breaks and cells, and decodes entities. */
export function textLines(text: string): TextLine[] {
  return text.split(LINE_BREAK).flatMap((line, at) =>
    linesOfHtml(line).map((part) => {
      const raw = part
        .replace(/&(#x?[\da-f]{1,6}|[a-z]{2,8}\d{0,2});/giu, entity)
        .replace(INVISIBLE, '')
        .normalize('NFC');
      return { number: at + 1, raw, text: narrow(raw) };
    }),
  );
}

function linesOfHtml(line: string): string[] {
  if (!/<\/?[a-z]/iu.test(line)) return [line];
  const marked = line
    // Text that its author struck out.
    .replace(/<(del|s|strike)\b[^<>]{0,100}>[^<]{0,200}<\/\1\s*>/giu, '')
    .replace(/<\/t[dh]\s*>\s*(?=<t[dh])/giu, '\t')
    .replace(/<br\b[^<>]{0,100}>|<\/?(?:tr|p|div|li|ul|ol|h\d|table|section)\b[^<>]{0,100}>/giu, '\n')
    .replace(/<\/?[a-z][^<>]{0,100}>/giu, '');
  const parts = marked.split('\n').filter((part) => part.trim() !== '');
  return parts.length > 0 ? parts : [''];
}

function entity(match: string, name: string): string {
  if (!name.startsWith('#')) return ENTITIES[name] ?? match;
  const code = /^#x/iu.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code < 0xd800 ? String.fromCharCode(code) : match;
}

const WIDE =
  /[！-＋－-～\u3000\u00a0\u2002-\u200a\u202f⇥﹪٪٫【】〔〕〖〗│┃║¦┆┊￥￡]|(?<=[０-９])，(?=[０-９])/gu;

/** Replaces wide characters by narrow ones. A wide comma is a decimal comma only between wide digits. */
const narrow = (text: string): string =>
  text.replace(WIDE, (char) => {
    if (NARROW[char] !== undefined) return NARROW[char];
    const code = char.charCodeAt(0);
    return code >= 0xff01 ? String.fromCharCode(code - 0xfee0) : ' ';
  });

/** Returns the marks after names that refer to a footnote: "Aloe* 20%". */
export const footnoteMarks = (text: string): Set<string> =>
  new Set([...text.matchAll(/(?<=[\p{L})）*†‡])[*†‡§¹²³⁴#^°](?!\p{L})/gu)].map(([mark]) => mark));

/** Returns true for a footnote such as "* organic": it explains a mark and has no amount. */
export const isLegend = (text: string, marks: ReadonlySet<string>): boolean => {
  const mark = /^\s*([*†‡§¹²³⁴#^°])(?!.*\*\s*$)/u.exec(text)?.[1];
  return mark !== undefined && marks.has(mark) && !tokenize(text).some(({ kind }) => kind === 'amount');
};

/** Returns the decimal mark of a text, if all its numbers with one or two decimals agree. */
export function decimalMarkIn(text: string): '.' | ',' | undefined {
  const hasPoint = /(?<![\d.,])(?:\d{1,4}\.\d{1,2}|0\.\d+)(?![\d.,])/u.test(text);
  const hasComma = /(?<![\d.,])(?:\d{1,4},\d{1,2}|0,\d+)(?![\d.,-])/u.test(text);
  return hasPoint === hasComma ? undefined : hasPoint ? '.' : ',';
}

/** Returns the lines of a text without the marks of lists and chats. Joins wrapped lines. */
export const preparedLines = (text: string): TextLine[] => joinWrapped(numbered(textLines(text).map(tidy)));

const blank = (text: string): string => ' '.repeat(text.length);

/** Replaces leaders between name and amount, the time of chat messages and the marks of lists by blanks. */
const tidy = (line: TextLine): TextLine => ({
  ...line,
  text: line.text
    .replace(/^\s*\[?\d{1,2}:\d{2}(?::\d{2})?\]?\s+(?:\p{L}{1,20}\s?:\s)?/u, blank)
    .replace(/^[\s>]*(?:[①-⑳]|(?![©®™°])[\p{So}\ue000-\uf8ff]|[•‣∙‧・·※◦*])+\s*(?!$)/u, blank)
    .replace(/\.{3,}|…+|_{3,}|·{3,}/gu, blank)
    .trimEnd(),
});

/** Removes the numbers of a list whose lines begin with 1, 2, 3 without a mark after the number. */
function numbered(rows: TextLine[]): TextLine[] {
  const numbers = rows.flatMap(({ text }, at) =>
    /^\s*\d{1,2}\s+(?![\d.,%])\p{L}/u.test(text) &&
    tokenize(text)[0]?.kind === 'amount' &&
    tokenize(text).filter(({ kind }) => kind === 'amount').length > 1
      ? [at]
      : [],
  );
  const isList =
    numbers.length > 1 && numbers.every((at, index) => Number.parseInt(rows[at]!.text) === index + 1);
  if (!isList) return rows;
  return rows.map((row, at) =>
    numbers.includes(at) ? { ...row, text: row.text.replace(/^\s*\d{1,2}(?=\s)/u, blank) } : row,
  );
}

const isAmount = (text: string): boolean => {
  const [token, other] = tokensOf(text);
  return token?.kind === 'amount' && other === undefined;
};

/** A name above its amount may end in a colon, so a label is none. */
const isPhase = (text: string): boolean => {
  const heading = headingOf(text);
  return heading !== undefined && !heading.isLabel;
};

const isPlainName = (text: string | undefined): boolean =>
  text !== undefined && /^\s*\p{L}[^\d:]*$/u.test(text) && !isPhase(text);

const isNameAlone = (text: string): boolean => !/\d/u.test(text);

function hasAmountBelow(rows: readonly TextLine[], at: number): boolean {
  const { text } = rows[at]!;
  const amount = rows[at + 1]!.text.trim();
  const isSlashed = text.endsWith('/');
  if (!isSlashed && (amount.length > 30 || !isAmount(amount))) return false;
  // An amount below several names may belong to any of them.
  const isBelowNames = !isSlashed && [1, 2].every((distance) => isPlainName(rows[at - distance]?.text));
  if (isBelowNames || isPhase(text) || isKnownOther(text.trim())) return false;
  const isNumberOfName = tokenize(text).some(({ kind }) => !['word', 'mark', 'bracket'].includes(kind));
  return !isNumberOfName || (/\p{L}\s\d+$/u.test(text) && /[.,%]/u.test(amount));
}

/** Moves a name to the next line if it ends with a slash, or if its amount is there. */
function joinWrapped(rows: TextLine[]): TextLine[] {
  for (const [at, row] of rows.entries()) {
    const next = rows[at + 1];
    const amount = next?.text.trim();
    if (!next || !amount || row.text.length > 200 || !/\p{L}/u.test(row.text)) continue;
    // Lines from the 500th on are only counted, so a simple pattern decides whether they are joined.
    const goesOn =
      at < 500 ? hasAmountBelow(rows, at) : isNameAlone(row.text) && /^[\d.,\s%]+$/u.test(amount);
    if (!goesOn) continue;
    const space = row.text.endsWith('/') ? '' : ' ';
    const indent = next.text.length - next.text.trimStart().length;
    rows[at + 1] = {
      ...next,
      text: row.text + space + next.text.slice(indent),
      raw: row.raw.slice(0, row.text.length) + space + next.raw.slice(indent),
    };
    rows[at] = { ...row, text: '', raw: '' };
  }
  return rows;
}

const startsWith = (alternatives: readonly string[]): RegExp =>
  new RegExp(`^(?:${alternatives.join('|')})`, 'iu');

/** Text that may follow the name of a total or of a property of the formula, but not the name of an ingredient. */
const VALUE = String.raw`(?=\s*(?:$|[\d:(#=+,，;<>≤≥~%$¥€£]|[值为是]|no\b|nr\b|size\b|name\b|of\b|is\b|[A-H]\b|phase\b|\|))`;
const TOTAL_LINE = new RegExp(`^[|\\s]*${SUM}${VALUE}`, 'iu');
const SUBTOTAL_LINE = new RegExp(`^[|\\s]*${SUBTOTAL}${VALUE}`, 'iu');
const BATCH_LINE = new RegExp(`^(?:${words.batches.join('|')})${VALUE}`, 'iu');
const PROPERTY = new RegExp(
  [
    BATCH_LINE.source,
    String.raw`^(?:(?:${words.latinProperties.join('|')})(?!\p{L})|${words.properties.join('|')})${VALUE}`,
    ...words.otherProperties,
  ].join('|'),
  'iu',
);
/** Matches an ingredient that adjusts a property, such as "pH adjuster". */
const ADJUSTS = /^ph\s*值?\s*(?:adjust|regul|balanc|buffer|调节|调整|缓冲)/iu;
const PROCEDURE = startsWith([...words.sections, ...words.procedures]);
const SIGN_OFF = startsWith(words.signOffs);
const GREETING = startsWith(words.greetings);
const SENTENCE_END = /[.!?。!?:~]$/u;
/** Words of conversations, which do not occur in names. */
const TALK = new RegExp(words.talk.join('|'), 'iu');
/** Verbs for the processing of ingredients, anywhere in a line. */
const WORK = new RegExp(words.work.join('|'), 'iu');
/** Text that is too long for a name without an amount, or that contains a time of day. */
const PROSE = /\p{Script=Han}{16}|\p{Script=Han}{3}[,，]\p{Script=Han}{3}|\d:\d/u;

/** Returns true for totals, properties and procedures. They are not ingredients, even if they contain a number. */
export function isKnownOther(text: string): boolean {
  const plain = text.replace(/^(?:\s|[-*•·>([【]|(?:\d{1,2}|[a-z])[.)、](?!\d))+/u, '');
  return TOTAL_LINE.test(plain) || (PROPERTY.test(plain) && !ADJUSTS.test(plain)) || PROCEDURE.test(plain);
}

/** Returns true for a total or a property, whose number describes the entire formula. */
export const isOfTheWhole = (text: string): boolean => TOTAL_LINE.test(text) || PROPERTY.test(text);
/** Returns true for the sum of all lines, but not of a phase. */
export const isGrandTotal = (text: string): boolean => TOTAL_LINE.test(text) && !SUBTOTAL_LINE.test(text);
/** Returns the rest of a line that states the mass of the batch: `Batch size: 500 g`, `Makes 500 g`. */
export const batchSizeIn = (text: string): string | undefined =>
  BATCH_LINE.test(text) ? text.replace(BATCH_LINE, '') : undefined;
export const isProcedure = (text: string): boolean => PROCEDURE.test(text);
export const isTalk = (text: string): boolean => TALK.test(text);
export const isSignOff = (text: string): boolean => SIGN_OFF.test(text);

/** Returns true if a line without an amount may name an ingredient, provided that it is among ingredients. */
export const mayBeIngredient = (text: string): boolean =>
  /\p{L}/u.test(text) &&
  !isKnownOther(text) &&
  !(SENTENCE_END.test(text) && !/[\s?]\?$/u.test(text)) &&
  !WORK.test(text) &&
  !isTalk(text) &&
  !PROSE.test(text) &&
  !GREETING.test(text) &&
  !isSignOff(text) &&
  text.length <= 60 &&
  text.split(/\s+/u).length <= 7;

/** Mark of a phase: a letter with an optional digit, a number, or a Roman numeral. */
const MARK = String.raw`[A-ZА-Я]\d?|\d{1,2}|[IVX]{1,4}`;
const HEADING = new RegExp(
  [
    String.raw`(?:phase|fase|faza|fáze|fázis|фаза|часть|part|partie|parte|teil|stage|stufe|étape|step(?=\s*\d{1,2}\s*:?$)|相|组)\s*[:#-]?\s*(?<first>${MARK})(?![\p{L}\d])(?:\s*相)?`,
    String.raw`(?<letter>${MARK}|[甲乙丙丁戊])\s*(?:相|部分?|组分?|料|剂|phase\b)(?!\p{L})`,
    String.raw`(?<compound>(?:wasser|fett|öl|kalt|heiß|emulsions)phase)(?!\p{L})`,
    String.raw`(?:phase|fase)\s+(?<romance>aqueuse|huileuse|grasse|froide|acuosa|oleosa|grasa|acquosa|grassa|oleosa|aquosa)(?!\p{L})`,
    String.raw`(?<chinese>\p{Script=Han}{1,5}相|(?:后|最后|冷却后)?添加(?=\s*:?$)|后加(?=\s*:?$)|其[他它](?=\s*:(?:\s*$|[^:]*\d)))(?:原料|部分|组分|成分)?(?![\p{Script=Han}])`,
    String.raw`(?<word>[a-z]+(?:[ -][a-z]+)?)\s+phase(?=\s*(?:$|[:([=*#-]))`,
  ].join('|'),
  'iuy',
);
/** `A 水相`, `A相水相`, `B、油相`. */
const LETTERED_PHASE =
  /^([A-H]\d?|[IVX]{1,4})(?:\s*相)?[\s.、:)）]*(\p{Script=Han}{1,5}相)(?![\p{Script=Han}])/u;
/** `C (40℃以下)`. */
const REMARKED_LETTER = /^([A-H]\d?|[IVX]{1,4})\s*(\([^()]*[\p{L}℃][^()]*\))[\s:]*$/u;
/** `色浆:`, `降温加入:`, `D 活性物:`, `pigments:`. */
const LABEL_ALONE = /^([^:;,，。.!?]{1,30})\s*:$/u;
/** Labels that are no names of products, so that they begin a phase also above all other lines. */
const GROUP =
  /^(?:(?:[A-H]\d?|[IVX]{1,4})[\s、)]*)?(?:色[浆粉料]|颜料|粉[料体类]|油[脂类]|蜡类|活性物|活性成分|(?:防腐|乳化|增稠|着色)剂|乳化|预混|(?:降温|冷却)后?(?:加入|添加)|[^:]{0,9}[℃°][^:]{0,3}|(?:pigment|colou?rant|filler|preservative|emulsifier|thickener|surfactant)s?|oils|waxes|powders|pre-?mix|cool[ -]?down)$/iu;
const ROMAN = /^[IVX]/u;
const SECTION = new RegExp(`^(?:${words.sections.join('|')})`, 'iu');
const DECORATION = String.raw`[\s#=*_~<>【】《》\[\]|—–-]`;
const DECORATED_LETTER = new RegExp(
  String.raw`^(?:${DECORATION}*[\[【(]?\s*(${MARK})\s*[\])】]?${DECORATION}*:?${DECORATION}*)$`,
  'u',
);

const BEFORE_HEADING = new RegExp(
  `^(?:${DECORATION}|[IVX]{1,4}[.、]\\s?(?=\\p{Script=Han}|[Pp]hase|[Ff]ase)|[一二三四五六七八九十]{1,2}[、.]|[(][一二三四五六七八九十][)])+`,
  'u',
);

export interface Heading {
  readonly phase: string;
  /** The text after the heading in the same line. */
  readonly rest: string;
  /** Any words before a colon: above all other lines they are the title, unless they name a group of ingredients. */
  readonly isLabel?: boolean;
  readonly isGroup?: boolean;
}

/** Returns the words of a line that ends in a colon, unless they are no phase or contain an amount. */
function labelAlone(line: string): string | undefined {
  const label = LABEL_ALONE.exec(line)?.[1]?.trim();
  const isPhase =
    label !== undefined &&
    /\p{L}/u.test(label) &&
    label.split(/\s+/u).length <= 4 &&
    !SECTION.test(label) &&
    !isOfTheWhole(label) &&
    !LIST_LABEL.test(label) &&
    !isTalk(label) &&
    !GREETING.test(label) &&
    !isSignOff(label) &&
    !tokenize(label).some(({ kind }) => ['amount', 'volume', 'unknown'].includes(kind));
  return isPhase ? label : undefined;
}

/** Returns the phase that a line names as a heading or before its first ingredient. */
export function headingOf(line: string): Heading | undefined {
  const letter = line.length <= 60 ? DECORATED_LETTER.exec(line) : null;
  if (letter && /[A-Z]/u.test(letter[1]!)) return { phase: letter[1]!, rest: '' };
  const text = line.replace(BEFORE_HEADING, '');
  const lettered = LETTERED_PHASE.exec(line) ?? REMARKED_LETTER.exec(line);
  if (lettered)
    return {
      phase: ROMAN.test(lettered[1]!) ? lettered[2]! : `${lettered[1]} ${lettered[2]}`,
      rest: restBehind(line, lettered[0]),
    };
  HEADING.lastIndex = 0;
  const match = HEADING.exec(text);
  if (!match) {
    const label = labelAlone(text);
    return label === undefined
      ? undefined
      : { phase: label, rest: '', isLabel: true, isGroup: GROUP.test(label) };
  }
  const { first, letter: before, chinese, word, compound, romance } = match.groups!;
  const phase = first ?? before ?? compound ?? romance ?? chinese ?? word!;
  return { phase, rest: restBehind(text, match[0]) };
}

const restBehind = (text: string, heading: string): string =>
  text.slice(heading.length).replace(/^(?:\s*\([^()]*\))?[\s:)\]】*|=#、.—–-]*/u, '');
