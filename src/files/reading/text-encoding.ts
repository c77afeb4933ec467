import type { Message } from '../../platform/texts/define-texts';
import { importText } from '../import.texts';
import { TableError } from './table';

const NEWLINE = 0x0a;
const SAVE_AS = 'save it as UTF-8 (in Excel: "CSV UTF-8 (comma delimited)") and try again.';

export interface DecodedText {
  text: string;
  /** Notes for the report; empty for UTF-8. */
  notes: Message[];
}

/**
 * Decodes the file: UTF-8, UTF-16, or GBK or Big5 if it is certain which of the two it is.
 * @param encoding the user's choice, which is decisive
 * @param headerNames returns the known names of columns in a text's header; empty if it has no such header
 * @throws TableError listing the possible encodings, and the first line that is not UTF-8
 */
export function decodeText(
  content: Buffer,
  encoding: string | undefined,
  headerNames: (text: string) => readonly string[],
): DecodedText {
  if (encoding !== undefined) {
    const text = decode(content, encoding);
    if (text === undefined) throw new TableError(importText('import.other-encoding', { encoding }));
    return { text, notes: [importText('import.read-as-told', { encoding })] };
  }
  const found = utf16(content, headerNames) ?? utf8(content) ?? chinese(content, headerNames);
  if (!found) throw undecided(content);
  return found;
}

const readAs = (text: string | undefined, name: string) =>
  text === undefined ? undefined : { text, notes: [importText('import.read-as', { encoding: name })] };

/** Removes a byte order mark. */
function decode(content: Buffer, encoding: string): string | undefined {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true });
    // Until nodejs/node#60893, Node.js decodes Windows-1252 as Latin 1, which has no €, except when streaming.
    const isWestern = decoder.encoding === 'windows-1252';
    return isWestern ? decoder.decode(content, { stream: true }) + decoder.decode() : decoder.decode(content);
  } catch {
    return undefined;
  }
}

/** Rare letters. A few Chinese words in GBK happen to be valid UTF-8 with such letters. */
const BY_CHANCE = /[\u0250-\u02ff\u0530-\u07ff]|(?<!\p{L}\p{M}*)\p{M}/u;

function utf8(content: Buffer): DecodedText | undefined {
  const text = decode(content, 'utf-8');
  if (text === undefined) return undefined;
  const isChance =
    BY_CHANCE.test(text) &&
    !/[\u0800-\uffff]/.test(text) &&
    share(/\p{Script=Han}/gu, decode(content, 'gb18030')) === 1;
  return isChance ? undefined : { text, notes: [] };
}

/** @throws TableError if the bytes occur only in UTF-16 text and its byte order is uncertain */
function utf16(content: Buffer, headerNames: (text: string) => readonly string[]): DecodedText | undefined {
  const [first, second] = content;
  const mark =
    first === 0xff && second === 0xfe ? 'le' : first === 0xfe && second === 0xff ? 'be' : undefined;
  const nul = content.indexOf(0);
  if (mark === undefined && nul < 0) return undefined;
  const found = (mark ? [mark] : ['le', 'be']).flatMap((order) => {
    const text = decode(content, `utf-16${order}`);
    const isText = text !== undefined && !text.includes('\0') && (mark || headerNames(text).length > 0);
    return isText
      ? [{ text, notes: [importText('import.read-as', { encoding: `UTF-16 ${order.toUpperCase()}` })] }]
      : [];
  });
  if (found.length === 1) return found[0];
  throw new TableError(
    mark
      ? importText('import.broken-utf-16')
      : importText('import.nul-bytes', { line: lineAt(content, nul) }),
  );
}

/**
 * Frequencies of characters by their GB2312 class (first level, rest of GB2312, other): first the share of those
 * whose first byte is in Big5's first level, then the share of the others, in GBK texts and in Big5 texts. Counted
 * in the Chinese names of 6,975 ingredients.
 */
const FREQUENCIES = {
  gbk: { common: [0.435, 0.398], rare: [0.003, 0.165], other: [0.003, 0.003] },
  big5: { common: [0.253, 0.02], rare: [0.286, 0.054], other: [0.277, 0.118] },
};
/** A text is GBK if it is at least this many times as likely in GBK as in Big5, and vice versa. */
const CERTAIN = Math.log(1000);

/** Detects GBK or Big5: by Chinese names of columns, otherwise by characters far more likely in one of them. */
function chinese(content: Buffer, headerNames: (text: string) => readonly string[]): DecodedText | undefined {
  const gbk = decode(content, 'gb18030');
  const big5 = decode(content, 'big5');
  // `Preis €/kg` in Windows-1252 is a known name in GBK as well, so only Chinese names count.
  const inChinese = (text: string | undefined) =>
    text === undefined ? 0 : headerNames(text).filter((name) => /\p{Script=Han}/u.test(name)).length;
  const [gbkNames, big5Names] = [inChinese(gbk), inChinese(big5)];
  const likelier = gbkNames - big5Names || likelihood(content, gbk, big5);
  if (likelier > 0) return readAs(gbk, 'GBK');
  return likelier < 0 ? readAs(big5, 'Big5') : undefined;
}

/** Above 0: certainly GBK. Below 0: certainly Big5. */
function likelihood(content: Buffer, gbk: string | undefined, big5: string | undefined): number {
  // Korean and Japanese also use two bytes per character, and would be valid Chinese.
  const korean = share(/\p{Script=Hangul}/gu, decode(content, 'euc-kr'));
  const japanese = share(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, decode(content, 'euc-jp'));
  if (korean > 0.9 || japanese > 0.4) return 0;
  let sum = 0;
  let characters = 0;
  let gb2312 = 0;
  for (let at = 0; at < content.length; at++) {
    const [lead = 0, trail = 0] = [content[at], content[at + 1]];
    if (lead < 0x80) continue;
    at++;
    const inGb2312 = lead >= 0xa1 && lead <= 0xf7 && trail >= 0xa1;
    const kind = !inGb2312 ? 'other' : lead >= 0xb0 && lead <= 0xd7 ? 'common' : 'rare';
    const first = lead >= 0xa4 && lead <= 0xc6 ? 0 : 1;
    sum += Math.log(FREQUENCIES.gbk[kind][first]! / FREQUENCIES.big5[kind][first]!);
    characters++;
    if (inGb2312) gb2312++;
  }
  if (sum > CERTAIN && gbk !== undefined && gb2312 / characters > 0.95) return 1;
  return sum < -CERTAIN && big5 !== undefined && share(/\p{Script=Han}/gu, big5) > 0.8 ? -1 : 0;
}

/** Returns the share of the non-ASCII characters that match. */
function share(characters: RegExp, text = ''): number {
  const all = text.match(/\P{ASCII}/gu)?.length ?? 0;
  return all === 0 ? 0 : (text.match(characters)?.length ?? 0) / all;
}

function undecided(content: Buffer): TableError {
  const western = decode(content, 'windows-1252') ?? '';
  const isWestern = /^[\p{ASCII}\p{Script=Latin}°®™µ€£§«»„“”‘’–—…·¿¡²³¼½¾×±]*$/u.test(western);
  const isChinese = (encoding: string) => /\p{Script=Han}/u.test(decode(content, encoding) ?? '');
  const names = [
    ...(isChinese('gb18030') ? ['GBK (--encoding gbk)'] : []),
    ...(isChinese('big5') ? ['Big5 (--encoding big5)'] : []),
    ...(isWestern ? ['Windows-1252, the Western European one (--encoding windows-1252)'] : []),
  ];
  const could = names.length > 0 ? ` It could be ${names.join(' or ')}: say which.` : '';
  const otherwise = names.length > 0 ? `Or ${SAVE_AS}` : `Name its encoding with --encoding, or ${SAVE_AS}`;
  const line = firstLineNotUtf8(content);
  // Only the English text has the advice in detail.
  const values = { line: line ?? 0, advice: `${could} ${otherwise}` };
  return new TableError(
    line === undefined
      ? { ...importText('import.utf-8-by-chance'), values }
      : importText('import.no-utf-8', values),
  );
}

function firstLineNotUtf8(content: Buffer): number | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  // A newline byte is never part of a longer UTF-8 sequence, so lines can be decoded one by one.
  for (let line = 1, start = 0; ; line++) {
    const end = content.indexOf(NEWLINE, start);
    try {
      decoder.decode(content.subarray(start, end < 0 ? content.length : end));
    } catch {
      return line;
    }
    if (end < 0) return undefined;
    start = end + 1;
  }
}

function lineAt(content: Buffer, offset: number): number {
  let line = 1;
  for (let at = content.indexOf(NEWLINE); at >= 0 && at < offset; at = content.indexOf(NEWLINE, at + 1))
    line++;
  return line;
}
