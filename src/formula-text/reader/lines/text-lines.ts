import { tokenize } from '../tokens/tokenizer';
import characters from './characters.json';

/** A line of a text, as written and as parsed. */
export interface TextLine {
  /** Number of the line in the text, from 1. Lines that come from one line of HTML share a number. */
  readonly number: number;
  /** The line without invisible characters. Names are taken from it. */
  readonly raw: string;
  /** The same line, character for character, with narrow characters in place of the wide ones of Chinese text. */
  readonly text: string;
}

const BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;
/** Soft hyphens, zero-width characters, marks of direction, variation selectors. */
const INVISIBLE =
  /\u00ad|\u061c|\u115f|\u1160|\u180e|[\u200b-\u200f]|[\u202a-\u202e]|[\u2060-\u2069]|\u3164|[\ufe00-\ufe0f]|\ufeff/gu;
const ENTITIES: Record<string, string> = characters.entities;
const NARROW: Record<string, string> = characters.narrow;

/** Returns the lines of a text. Splits HTML at line breaks and cells, and decodes entities. */
export function textLines(text: string): TextLine[] {
  return text.split(BREAK).flatMap((line, at) =>
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
