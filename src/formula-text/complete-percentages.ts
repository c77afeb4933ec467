import { unitOf } from './quantity';
import { BOUND } from './tokenizer';

/** A line that a model extracted. */
export interface RawLine {
  readonly inciName: string;
  readonly chineseName: string;
  readonly percentage: number | null;
  readonly phase: string;
  readonly processNotes: string;
  /** The amount as written, if it is not a plain percentage: "1-3", "q.s.", 12.5 with unit g. */
  readonly amount?: number | string | null;
  readonly unit?: string | null;
  /** The line fills the formula up to the total. */
  readonly balance?: boolean | null;
}

/** A line in the API's response. */
export interface ExtractedLine {
  inciName: string;
  chineseName: string;
  /** Percent by weight; 0 if the text gives no number. */
  percentage: number;
  phase: string;
  processNotes: string;
}

/** The amount of a line before it is converted to a percentage. */
type StatedAmount =
  | { readonly kind: 'percent'; readonly value: number; readonly note?: string }
  | { readonly kind: 'mass'; readonly grams: number; readonly note?: string }
  | { readonly kind: 'balance'; readonly totalGrams?: number }
  | { readonly kind: 'open'; readonly note: string };

/**
 * Converts amounts to percent by weight: grams become a percentage of the total, a range becomes its middle with a
 * note, and a single balance line gets the remainder. A line without a number stays 0, with the reason in its notes.
 */
export function completePercentages(lines: readonly RawLine[]): ExtractedLine[] {
  const shares = chooseBalance(lines, lines.map(readShare));
  const totalGrams = massTotal(shares);
  const percents = shares.map((share) => {
    if (share.kind === 'percent') return share.value;
    return share.kind === 'mass' && totalGrams > 0 ? (share.grams / totalGrams) * 100 : 0;
  });
  const balances = shares.filter((share) => share.kind === 'balance').length;
  const remainder = 100 - percents.reduce((sum, percent) => sum + percent, 0);
  return lines.map((line, index) => {
    const share = shares[index]!;
    const takesRest = share.kind === 'balance' && balances === 1 && remainder >= 0;
    const note = share.kind === 'balance' ? !takesRest && '余量,原文不足以确定用量' : share.note;
    const notes = line.processNotes.trim();
    return {
      inciName: line.inciName.trim(),
      chineseName: line.chineseName.trim(),
      // Rounded to four decimals: finer than laboratory scales, and without binary rounding errors.
      percentage: Math.round((takesRest ? remainder : percents[index]!) * 10_000) / 10_000,
      phase: line.phase.trim(),
      processNotes: note && !notes.includes(note) ? [notes, note].filter(Boolean).join(';') : notes,
    };
  });
}

/** Returns true for each line whose percentage depends on the other lines. */
export function areCalculated(lines: readonly RawLine[]): boolean[] {
  const shares = chooseBalance(lines, lines.map(readShare));
  const isTotalStated = shares.some((share) => share.kind === 'balance' && share.totalGrams !== undefined);
  return shares.map(({ kind }) => kind === 'balance' || (kind === 'mass' && !isTotalStated));
}

/** Returns true if the amount of a line is a range, of which the percentage is the middle, a bound, or inexact. */
export const isRange = (line: RawLine): boolean =>
  boundedAmount(line) !== undefined ||
  (typeof line.amount === 'string' && readAmount(line.amount).kind === 'range');

const BOUNDED = new RegExp(String.raw`^\s*(?:${BOUND})|±|\+/-`, 'iu');

/** Returns the amount of a line, if it is a bound or has a tolerance: "<1", "max. 1", "0.5 ± 0.1". */
const boundedAmount = ({ amount }: RawLine): string | undefined =>
  typeof amount === 'string' && BOUNDED.test(amount) ? amount.trim() : undefined;

function readShare(line: RawLine): StatedAmount {
  const text = String(line.amount ?? '');
  const amount: Amount =
    typeof line.amount === 'number' ? { kind: 'number', value: line.amount } : readAmount(text);
  const perUnit = gramsPer(line.unit ?? (line.balance === true ? undefined : massUnitIn(text)));
  const balance = (target: number | undefined): StatedAmount => ({
    kind: 'balance',
    totalGrams: target === undefined || perUnit === undefined ? undefined : target * perUnit,
  });
  const bounded = boundedAmount(line);
  const boundNote = bounded && `原文用量 ${bounded}`;
  const share = (value: number, note = boundNote): StatedAmount =>
    perUnit === undefined ? { kind: 'percent', value, note } : { kind: 'mass', grams: value * perUnit, note };
  if (amount.kind === 'balance') return balance(amount.target);
  if (line.balance === true) return balance(amount.kind === 'number' ? amount.value : undefined);
  if (amount.kind === 'range')
    return share((amount.low + amount.high) / 2, `原文用量范围 ${amount.low}-${amount.high},取中值`);
  // A percentage that the model calculated is used, unless the amount is a mass.
  const hasPercentage = line.percentage !== null && line.percentage > 0;
  if (amount.kind === 'number' && !(hasPercentage && perUnit === undefined)) return share(amount.value);
  if (hasPercentage) return { kind: 'percent', value: line.percentage, note: boundNote };
  if (amount.kind === 'as-needed') return { kind: 'open', note: '适量' };
  // A model that fills only the five plain fields writes such words into the notes.
  const noted = readAmount(line.processNotes);
  if (noted.kind === 'balance' && (noted.target ?? 100) === 100) return { kind: 'balance' };
  return { kind: 'open', note: noted.kind === 'as-needed' ? '' : '原文未给出用量' };
}

/** Returns the unit of mass after the number, if the model left it in the amount. */
function massUnitIn(text: string): string | undefined {
  return /\d\s*(kg|mg|g|克|千克|公斤|毫克)(?![a-z])/iu.exec(text.normalize('NFKC'))?.[1];
}

const WATER_NAME = /^(aqua|water|purified water|deionized water|去离子水|纯化水|纯水|水|蒸馏水)$/iu;

/** Makes "水 适量" the balance if no other line is one: formulas are filled up with water. */
function chooseBalance(lines: readonly RawLine[], shares: readonly StatedAmount[]): StatedAmount[] {
  if (shares.every(({ kind }) => kind === 'open') || shares.some(({ kind }) => kind === 'balance'))
    return [...shares];
  const isWater = (line: RawLine): boolean =>
    WATER_NAME.test(line.inciName.trim()) || WATER_NAME.test(line.chineseName.trim());
  const open = shares.map((share, index) => share.kind === 'open' && isWater(lines[index]!));
  if (open.filter(Boolean).length !== 1) return [...shares];
  return shares.map((share, index) => (open[index] ? { kind: 'balance' } : share));
}

/**
 * Returns the mass that equals 100 %: the target of the balance line if it has one, otherwise the sum of the
 * masses plus the share of the lines in percent. A batch with a balance line and no target is assumed to be 100 g.
 */
function massTotal(shares: readonly StatedAmount[]): number {
  const balance = shares.find((share) => share.kind === 'balance');
  if (balance?.kind === 'balance' && balance.totalGrams !== undefined) return balance.totalGrams;
  let grams = 0;
  let percent = 0;
  for (const share of shares) {
    if (share.kind === 'mass') grams += share.grams;
    if (share.kind === 'percent') percent += share.value;
  }
  if (balance) return Math.max(100, grams);
  return percent < 100 ? grams / (1 - percent / 100) : 0;
}

/** A parsed amount. */
export type Amount =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'range'; readonly low: number; readonly high: number }
  /** As much as needed (q.s., 适量), without a number. */
  | { readonly kind: 'as-needed' }
  /** The remainder to the total (余量, 加至100). */
  | { readonly kind: 'balance'; readonly target?: number }
  | { readonly kind: 'unknown' };

/** Matches q.s. to 100, ad 100, to 100 %, 加至100, 补足至100, 加水至100, 余量, 平衡, balance, remainder. */
const BALANCE_TARGET =
  /(?:q\.?\s*s\.?\s*)?(?:\bto|\bad|加[^0-9]{0,6}[至到]|补[^0-9]{0,6}[至到]|定容至?|至|\bq\.?\s*s\.?\s*p?\.?|余)\s*[::(]?\s*(\d+(?:[.,]\d+)?)/iu;
const BALANCE_WORD =
  /余量|余額|余额|其余|剩余|补足|补齐|平衡|\bbalance\b|\bbal\.?(?![a-z])|\bremainder\b|\brest\b/iu;
const AS_NEEDED = /\bq\.?\s*s\b\.?|quantum\s+sat|适量|適量|少许|微量|\bas\s+needed\b|\btrace\b/iu;
const PLAIN_NUMBER = String.raw`(\d+(?:[.,]\d+)?|[.,]\d+)`;
const RANGE = new RegExp(
  String.raw`${PLAIN_NUMBER}\s*%?\s*(?:-|–|—|~|~|至|到|\bto\b)\s*${PLAIN_NUMBER}`,
  'iu',
);
const SINGLE = new RegExp(PLAIN_NUMBER, 'u');

/** Parses an amount as laboratories write it: "2.5", "1-3", "1~3%", "q.s.", "适量", "加至100", "to 100", "余量". */
export function readAmount(text: string): Amount {
  const normal = text
    // Longer notes begin with the amount.
    .slice(0, 200)
    .normalize('NFKC')
    .replace(THOUSANDS, (digits) => digits.replaceAll(',', ''))
    .trim();
  const range = RANGE.exec(normal);
  if (range) {
    const low = toNumber(range[1]);
    const high = toNumber(range[2]);
    if (high >= low) return { kind: 'range', low, high };
  }
  const target = BALANCE_TARGET.exec(normal);
  if (target) return { kind: 'balance', target: toNumber(target[1]) };
  if (BALANCE_WORD.test(normal)) return { kind: 'balance' };
  if (AS_NEEDED.test(normal)) return { kind: 'as-needed' };
  const single = SINGLE.exec(normal);
  return single ? { kind: 'number', value: toNumber(single[1]) } : { kind: 'unknown' };
}

/** Parses a number with a decimal comma or point. The thousands separators have been removed. */
function toNumber(text: string | undefined): number {
  return Number((text ?? '').replace(',', '.'));
}

/** Matches thousands separators, as in "1,600 g": masses rarely have exactly three decimals. Percentages have none. */
const THOUSANDS = /(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?=\s*(?:k?g|mg|grams?|克|千克|公斤|毫克)(?![a-z]))/giu;

/** Returns the grams in one unit of mass, or undefined for other units (percent, parts, volumes). */
export function gramsPer(unit: string | null | undefined): number | undefined {
  const [kind, perUnit] = (unit ? unitOf(unit) : undefined) ?? [];
  return kind === 'g' ? perUnit : undefined;
}
