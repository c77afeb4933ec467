import { headingOf, isKnownOther } from './line-kinds';
import { type TextLine, textLines } from './text-lines';
import { tokenize } from '../tokens/tokenizer';

/** A name that goes on in the next line is no longer than this. */
const LONGEST_WRAPPED = 200;
const LONGEST_AMOUNT = 30;

/** The lines of a text without the marks of lists and chats; what is wrapped stands in one line. */
export const preparedLines = (text: string): TextLine[] => joinWrapped(numbered(textLines(text).map(tidy)));

const blank = (text: string): string => ' '.repeat(text.length);

/** Leaders between a name and its amount are a gap, a chat's time is no number, nor are the marks of a list. */
const tidy = (line: TextLine): TextLine => ({
  ...line,
  text: line.text
    .replace(/^\s*\[?\d{1,2}:\d{2}(?::\d{2})?\]?\s+(?:\p{L}{1,20}\s?:\s)?/u, blank)
    .replace(/^[\s>]*(?:[①-⑳]|(?![©®™°])[\p{So}\ue000-\uf8ff]|[•‣∙‧・·※◦*])+\s*(?!$)/u, blank)
    .replace(/\.{3,}|…+|_{3,}|·{3,}/gu, blank)
    .trimEnd(),
});

/** Without the numbers of a list, where lines begin with 1, 2, 3 and no mark behind them. */
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
  const [token, ...others] = tokenize(text);
  return token?.kind === 'amount' && others.length === 0;
};

const isPlainName = (text: string | undefined): boolean =>
  text !== undefined && /^\s*\p{L}[^\d:]*$/u.test(text) && !headingOf(text);

/** Lines beyond these are only counted. */
const MOST_TOKENIZED = 500;
const isNameAlone = (text: string): boolean => !/\d/u.test(text);

function hasAmountBelow(rows: readonly TextLine[], at: number): boolean {
  const { text } = rows[at]!;
  const amount = rows[at + 1]!.text.trim();
  const isSlashed = text.endsWith('/');
  if (!isSlashed && (amount.length > LONGEST_AMOUNT || !isAmount(amount))) return false;
  // Below several names it may be of any of them.
  const isBelowNames = !isSlashed && [1, 2].every((distance) => isPlainName(rows[at - distance]?.text));
  if (isBelowNames || headingOf(text) || isKnownOther(text.trim())) return false;
  const isNumberOfName = tokenize(text).some(({ kind }) => !['word', 'mark', 'bracket'].includes(kind));
  return !isNumberOfName || (/\p{L}\s\d+$/u.test(text) && /[.,%]/u.test(amount));
}

/** A name that goes on in the next line behind its slash stands there, and one whose amount does. */
function joinWrapped(rows: TextLine[]): TextLine[] {
  for (const [at, row] of rows.entries()) {
    const next = rows[at + 1];
    const amount = next?.text.trim();
    if (!next || !amount || row.text.length > LONGEST_WRAPPED || !/\p{L}/u.test(row.text)) continue;
    const goesOn =
      at < MOST_TOKENIZED ? hasAmountBelow(rows, at) : isNameAlone(row.text) && /^[\d.,\s%]+$/u.test(amount);
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
