import type { Chosen } from './choose-readings';
import { decimal, middleOf, type Quantity } from './quantity';
import { batchSizeIn, isGrandTotal } from './text-lines';
import { tokenize } from './tokenizer';

/** A line that states the sum of the others, with its amounts in each unit or column. */
export interface Total {
  readonly at: number;
  readonly quantities: readonly Quantity[];
}

/** A total as a text states it, and the sum of its lines. */
export interface WrongTotal {
  /** Number of the line in the text, from 1. */
  readonly line: number;
  readonly stated: string;
  readonly sum: string;
}

const isMass = (quantity: Quantity): boolean => quantity.kind === 'number' && quantity.unit === 'g';

export const amountsIn = (text: string): Quantity[] =>
  tokenize(text).flatMap((token) => (token.kind === 'amount' ? [token.quantity] : []));

/** Returns the total that a line states: the sum of the others, or the mass of the batch. */
export function totalIn(text: string, at: number): Total | undefined {
  if (isGrandTotal(text)) return { at, quantities: amountsIn(text) };
  const batchSize = batchSizeIn(text);
  return batchSize === undefined ? undefined : { at, quantities: amountsIn(batchSize).filter(isMass) };
}

/** Share of a total by which rounded lines may differ from it. */
const ROUNDED = 0.0005;

/** Compares each total with the lines above it, or with all if it stands above them. */
export function wrongTotalsOf(totals: readonly Total[], entries: Chosen['entries']) {
  return totals.flatMap(({ at, quantities }) => {
    const above = entries.filter(({ row }) => row < at);
    const amounts = (above.length > 0 ? above : entries).map(({ entry }) => entry.quantity);
    const isKnown =
      amounts.length > 0 &&
      amounts.every((quantity) => quantity.kind === 'number' && quantity.low.value === quantity.high.value);
    const units = new Set(amounts.map((quantity) => ('unit' in quantity ? quantity.unit : undefined)));
    if (!isKnown || units.size > 1) return [];
    const unit = [...units][0] ?? '%';
    const sum = amounts.reduce((total, quantity) => total + middleOf(quantity), 0);
    const stated = quantities
      .filter((one) => one.kind === 'number' && (one.unit ?? unit) === unit)
      .map(middleOf);
    const [first] = stated;
    const isMade = stated.some((total) => Math.abs(total - sum) <= total * ROUNDED);
    return first === undefined || isMade
      ? []
      : [{ at, stated: `${decimal(first)} ${unit}`, sum: `${decimal(sum)} ${unit}` }];
  });
}
