import Big from 'big.js';
import { RefusedCell } from './limit-draft';

const NUMBER = /^\d+(?:[.,]\d+)?$/;
/** `1,000` may be a thousand; `0,001` cannot. */
const MAYBE_THOUSANDS = /^[1-9]\d{0,2},\d{3}$/;

/**
 * A percentage in plain decimal notation. A comma is a decimal comma where it can be nothing else.
 * @throws RefusedCell
 */
export function percentOf(text: string, field: string): string {
  const plain = text.replace(/\s*%\s*$/, '').trim();
  if (MAYBE_THOUSANDS.test(plain)) throw new RefusedCell('ambiguous-comma', field, text);
  if (!NUMBER.test(plain)) {
    const isSeveral = (plain.match(/\d+(?:[.,]\d+)?/g)?.length ?? 0) > 1;
    throw new RefusedCell(isSeveral ? 'two-numbers' : 'not-one-number', field, text);
  }
  const number = new Big(plain.replace(',', '.'));
  if (number.lte(0) || number.gt(100)) throw new RefusedCell('not-one-number', field, text);
  return number.toFixed();
}
