import { tokenize } from '../tokens/tokenizer';

/** Marks that stand behind names and refer to a line below: "Aloe* 20%". */
export const footnoteMarks = (text: string): Set<string> =>
  new Set([...text.matchAll(/(?<=[\p{L})）*†‡])[*†‡§¹²³⁴#^°](?!\p{L})/gu)].map(([mark]) => mark));

/** "* organic": explains a mark, and has no amount. */
export const isLegend = (text: string, marks: ReadonlySet<string>): boolean => {
  const mark = /^\s*([*†‡§¹²³⁴#^°])(?!.*\*\s*$)/u.exec(text)?.[1];
  return mark !== undefined && marks.has(mark) && !tokenize(text).some(({ kind }) => kind === 'amount');
};

/** What marks decimals in a text, where its numbers of one or two decimals agree. */
export function decimalMarkIn(text: string): '.' | ',' | undefined {
  const hasPoint = /(?<![\d.,])(?:\d{1,4}\.\d{1,2}|0\.\d+)(?![\d.,])/u.test(text);
  const hasComma = /(?<![\d.,])(?:\d{1,4},\d{1,2}|0,\d+)(?![\d.,-])/u.test(text);
  return hasPoint === hasComma ? undefined : hasPoint ? '.' : ',';
}
