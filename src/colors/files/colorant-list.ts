import { plainText } from '../../platform/common/name-forms';
import type { Message } from '../../platform/texts/define-texts';
import { readDecimal } from '../../platform/validation/decimal';
import { colorImportText } from './color-import.texts';

export type CompositionReading = { value: unknown } | { fault: Message };

/** Most colorants of a composition. */
const MAX_COLORANTS = 1000;

/** Longest colorant with its amount, in characters. */
const MAX_COLORANT = 1000;

type ColorantAmount = readonly [name: string, amount: string];

/** Names of colorants, within the plain form of a column's name: `CI 77491 (%)`, `氧化铁红`, `Iron Oxide Red`. */
export const COLORANT_NAME =
  /^(?:ci)?\d{5}(?!\d)|ci\d{5}|ironoxide|titaniumdioxide|titandioxid|zincoxide|chromiumoxide|ultramarine|carbonblack|mica(?!l)|pearl|carmine|^(?:fd&c|d&c)|^(?:red|yellow|blue|green|orange|violet|black|white|brown)(?:no)?\d+|lake(?:%|$)|^tio2|^fe[23]o[34]|^zno|氧化铁|铁[红黄黑棕]|钛白|二氧化钛|氧化锌|氧化铬|群青|炭黑|云母|珠光|色淀|胭脂|[红黄蓝绿橙紫黑白棕]色?\d+号?/;

/** An entry such as `CI 77491: 2.4`. */
const COLORANT = /^(.*\S)\s*[:=：]\s*(\S+(?:\s[%％])?)$/s;
/** `CI 77491 1.2%` and `1.2% CI 77491`: the sign says which of the numbers is the amount. */
const PERCENT_LAST = /^(.*[^\s,，/／])\s+(\d+(?:[.,]\d+)?\s*[%％])$/s;
const PERCENT_FIRST = /^(\d+(?:[.,]\d+)?\s*[%％])\s*([^\s,，/／].*)$/s;
const PERCENT = /\s*[%％]$/;
/** Characters that always separate colorants. */
const SEPARATORS = /[;；\n\r\t|｜、]/;
/** Characters that separate colorants with amounts. Without an amount on both sides they are part of a name. */
const WEAK_SEPARATORS = [/[,，]/, /[/／]/];
const ANY_SEPARATOR = /[;；\n\r\t|｜、,，/／]/;
/** Matches a lake of a numbered colorant, which looks like a colorant with its amount. Pigments have no lakes. */
const LAKE = /CI\s?(?!77(?!268))\d{5}:[1-9](?![\d.,])/gi;
const ONLY_LAKE = new RegExp(`^${LAKE.source}$`, 'i');
/**
 * Matches an amount within a name: two colorants without a separator, or with another one (`A: 1 + B:
 * 2`). A ratio in brackets or at the end of the name does not match.
 */
const AMOUNT_WITHIN = /[:=：]\s*[-+]?\d+(?:[.,]\d+)?%?(?:[^)\]）】\d.]|\.(?!\d))/;

export const NOT_UNDERSTOOD = colorImportText('color-import.no-composition');

/** Returns a list of colorants as an object with their parts: `CI 77491: 2.4; CI 77891: 5.1`. */
export function readColorants(text: string): CompositionReading {
  if (text.split(ANY_SEPARATOR).length > MAX_COLORANTS) return { fault: NOT_UNDERSTOOD };
  const pieces = text
    .split(SEPARATORS)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
  const parts = pieces.map((piece) => colorantsOf(piece, WEAK_SEPARATORS));
  if (parts.length === 0 || parts.some((part) => part === undefined)) return { fault: NOT_UNDERSTOOD };

  const amounts = parts.flatMap((part) => part!);
  const percents = amounts.filter(([, amount]) => PERCENT.test(amount)).length;
  if (percents > 0 && percents < amounts.length) return { fault: NOT_UNDERSTOOD };
  const found = amounts.map(([name, amount]) => [name, amount.replace(PERCENT, '')] as const);
  const hasPoint = found.some(([, amount]) => amount.includes('.'));
  const composition: [string, number][] = [];
  const names = new Set<string>();
  for (const [name, amount] of found) {
    const number = readColorantAmount(amount, hasPoint);
    if (number === undefined) return { fault: NOT_UNDERSTOOD };
    const sameName = plainText(name);
    if (names.has(sameName)) return { fault: colorImportText('color-import.colorant-twice', { name }) };
    names.add(sameName);
    composition.push([name, number]);
  }
  return { value: Object.fromEntries(composition) };
}

/** Returns the colorants of a text without strong separators, or undefined if it is not a list of colorants. */
function colorantsOf(text: string, [separator, ...others]: readonly RegExp[]): ColorantAmount[] | undefined {
  if (separator === undefined) return colorantOf(text);
  const pieces = text.split(separator).map((piece) => piece.trim());
  if (pieces.at(-1) === '') pieces.pop();
  const parts = pieces.map((piece) => colorantsOf(piece, others));
  const isList = pieces.length > 1 && parts.every((part) => part?.every(([name]) => !/^[\d.]+$/.test(name)));
  return isList
    ? parts.flatMap((part) => part!)
    : colorantsOf(pieces.length === 1 ? pieces[0]! : text, others);
}

function colorantOf(text: string): ColorantAmount[] | undefined {
  if (text.length > MAX_COLORANT) return undefined;
  const [, amountFirst, nameLast = ''] = PERCENT_FIRST.exec(text) ?? [];
  const named = ONLY_LAKE.test(nameLast) ? null : COLORANT.exec(text);
  const [, name = nameLast, amount = amountFirst] = named ?? PERCENT_LAST.exec(text) ?? [];
  if (name === '' || amount === undefined || (!named && /\d\s*[%％]/.test(name))) return undefined;
  // "CI 15850:1" may be the lake without its amount.
  if (ONLY_LAKE.test(text)) return undefined;
  return AMOUNT_WITHIN.test(name.replace(LAKE, 'CI')) ? undefined : [[name.trim(), amount]];
}

/** A comma is a decimal comma if no amount has a point and it cannot be a thousands separator. */
function readColorantAmount(text: string, hasPoint: boolean): number | undefined {
  const isComma = !hasPoint && /^[-+]?\d+,\d+$/.test(text) && !/^[-+]?[1-9]\d{0,2},\d{3}$/.test(text);
  const number = readDecimal((isComma ? text.replace(',', '.') : text).replace(/^[−－]/, '-'));
  return number !== undefined && Number.isFinite(number) ? number : undefined;
}

/** Returns true if an object in a JSON text has a key twice. `JSON.parse` only returns the last value of such a key. */
export function hasKeyTwice(json: string, value: unknown): boolean {
  const keys = [...json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/gs)].filter(([, colon]) => colon).length;
  return keys !== keyCount(value);
}

function keyCount(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return own + Object.values(value).reduce<number>((sum, one) => sum + keyCount(one), 0);
}
