import { headingOf, isKnownOther } from './line-kinds';
import { type TextLine, textLines } from './text-lines';
import { tokenize } from '../tokens/tokenizer';

/** Maximum length of a name that continues in the next line. */
const LONGEST_WRAPPED = 200;
const LONGEST_AMOUNT = 30;

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
  const [token, ...others] = tokenize(text);
  return token?.kind === 'amount' && others.length === 0;
};

const isPlainName = (text: string | undefined): boolean =>
  text !== undefined && /^\s*\p{L}[^\d:]*$/u.test(text) && !headingOf(text);

/** Later lines are only counted, so a simple pattern decides whether they are joined. */
const MOST_TOKENIZED = 500;
const isNameAlone = (text: string): boolean => !/\d/u.test(text);

function hasAmountBelow(rows: readonly TextLine[], at: number): boolean {
  const { text } = rows[at]!;
  const amount = rows[at + 1]!.text.trim();
  const isSlashed = text.endsWith('/');
  if (!isSlashed && (amount.length > LONGEST_AMOUNT || !isAmount(amount))) return false;
  // An amount below several names may belong to any of them.
  const isBelowNames = !isSlashed && [1, 2].every((distance) => isPlainName(rows[at - distance]?.text));
  if (isBelowNames || headingOf(text) || isKnownOther(text.trim())) return false;
  const isNumberOfName = tokenize(text).some(({ kind }) => !['word', 'mark', 'bracket'].includes(kind));
  return !isNumberOfName || (/\p{L}\s\d+$/u.test(text) && /[.,%]/u.test(amount));
}

/** Moves a name to the next line if it ends with a slash, or if its amount is there. */
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
