import { TableError } from './table';

const NEWLINE = 0x0a;
const SAVE_AS = 'save it as UTF-8 (in Excel: "CSV UTF-8 (comma delimited)") and try again.';

export interface DecodedText {
  text: string;
  /** For the report; none for UTF-8. */
  notes: string[];
}

/**
 * The file's text: UTF-8, UTF-16, or GBK or Big5 where it is certain which of the two it is.
 * @param encoding the user's word, which decides
 * @param headerNames the names of columns in a text's header that are known; none when it has no such header
 * @throws TableError that says which encodings it could be, and the first line that is not UTF-8
 */
export function decodeText(
  content: Buffer,
  encoding: string | undefined,
  headerNames: (text: string) => readonly string[],
): DecodedText {
  if (encoding !== undefined) {
    const text = decode(content, encoding);
    if (text === undefined) throw new TableError(`The file is no ${encoding} text. Name another encoding.`);
    return { text, notes: [`Read as ${encoding}, as told`] };
  }
  const found = utf16(content, headerNames) ?? utf8(content) ?? chinese(content, headerNames);
  if (!found) throw undecided(content);
  return found;
}

const readAs = (text: string | undefined, name: string) =>
  text === undefined ? undefined : { text, notes: [`Read as ${name}`] };

/** A byte order mark is dropped. */
function decode(content: Buffer, encoding: string): string | undefined {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true });
    // Until nodejs/node#60893, Node.js takes Windows-1252 for Latin 1, which has no €, unless it decodes a stream.
    const isWestern = decoder.encoding === 'windows-1252';
    return isWestern ? decoder.decode(content, { stream: true }) + decoder.decode() : decoder.decode(content);
  } catch {
    return undefined;
  }
}

/** A few Chinese words in GBK are valid UTF-8 by chance: letters that hardly anybody writes. */
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

/** @throws TableError for bytes that only UTF-16 has in a text, where it is not certain which UTF-16 it is */
function utf16(content: Buffer, headerNames: (text: string) => readonly string[]): DecodedText | undefined {
  const [first, second] = content;
  const mark =
    first === 0xff && second === 0xfe ? 'le' : first === 0xfe && second === 0xff ? 'be' : undefined;
  const nul = content.indexOf(0);
  if (mark === undefined && nul < 0) return undefined;
  const found = (mark ? [mark] : ['le', 'be']).flatMap((order) => {
    const text = decode(content, `utf-16${order}`);
    const isText = text !== undefined && !text.includes('\0') && (mark || headerNames(text).length > 0);
    return isText ? [{ text, notes: [`Read as UTF-16 ${order.toUpperCase()}`] }] : [];
  });
  if (found.length === 1) return found[0];
  throw new TableError(
    mark
      ? `The file begins as UTF-16 text and is none. Re-create it, or ${SAVE_AS}`
      : `Line ${lineAt(content, nul)} holds NUL bytes: this is no text file, or it is UTF-16. ` +
          `If so, say --encoding utf-16le or --encoding utf-16be, or ${SAVE_AS}`,
  );
}

/**
 * How often the characters of GB2312's first level, of the rest of GB2312 and others have Big5's first level
 * for their first byte, or have not: in GBK texts and in Big5 texts. Counted in the Chinese names of 6,975
 * ingredients.
 */
const FREQUENCIES = {
  gbk: { common: [0.435, 0.398], rare: [0.003, 0.165], other: [0.003, 0.003] },
  big5: { common: [0.253, 0.02], rare: [0.286, 0.054], other: [0.277, 0.118] },
};
/** A text is GBK when it is so many times as likely in GBK as in Big5, and the other way round. */
const CERTAIN = Math.log(1000);

/** GBK or Big5: one has names of columns in Chinese, or else its characters are by far the likelier ones. */
function chinese(content: Buffer, headerNames: (text: string) => readonly string[]): DecodedText | undefined {
  const gbk = decode(content, 'gb18030');
  const big5 = decode(content, 'big5');
  // `Preis €/kg` in Windows-1252 is a name in GBK as well.
  const inChinese = (text: string | undefined) =>
    text === undefined ? 0 : headerNames(text).filter((name) => /\p{Script=Han}/u.test(name)).length;
  const [gbkNames, big5Names] = [inChinese(gbk), inChinese(big5)];
  const likelier = gbkNames - big5Names || likelihood(content, gbk, big5);
  if (likelier > 0) return readAs(gbk, 'GBK');
  return likelier < 0 ? readAs(big5, 'Big5') : undefined;
}

/** Above 0: certainly GBK. Below 0: certainly Big5. */
function likelihood(content: Buffer, gbk: string | undefined, big5: string | undefined): number {
  // Korean and Japanese, in two bytes a character as well, would be valid Chinese.
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

/** How much of what is not ASCII is such a character. */
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
  const fault =
    line === undefined ? 'The file may be UTF-8 text by chance only.' : `Line ${line} is not UTF-8 text.`;
  return new TableError(`${fault}${could} ${otherwise}`);
}

function firstLineNotUtf8(content: Buffer): number | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  // A newline byte is never part of a longer UTF-8 sequence, so lines can be tried one by one.
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
