import Big from 'big.js';
import type { Cell, Column } from './document';

/** A cell as the page shows it: numbers in full digits, never as `1e-7`. */
export function formatted(cell: Cell, { decimals }: Pick<Column, 'decimals'> = {}): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return cell;
  const number = new Big(cell);
  return decimals === undefined ? number.toFixed() : number.toFixed(decimals);
}

const LONG_WORD = /[^\s\p{Script=Han}]{28}/u;
/** Returns true for a word that no column has room for. Others do not break inside. */
export const hasLongWord = (cell: Cell | undefined): boolean =>
  typeof cell === 'string' && LONG_WORD.test(cell);

const MAX_LINES = 6;
/** Returns true for a cell whose row may continue on the next page. */
export const isTall = (cell: Cell): boolean =>
  typeof cell === 'string' && (cell.length > 90 || cell.split('\n').length > MAX_LINES);

/** A string of CSS in which everything but letters and digits is escaped: no text ends the string or the style. */
export const cssString = (text: string): string =>
  `"${text.toWellFormed().replaceAll(/[^a-z0-9]/giu, (character) => `\\${character.codePointAt(0)!.toString(16)} `)}"`;
