import type { Entry, Readings } from './entry-parser';
import { mapNumbers, middleOf, type Quantity } from './quantity';
import { NUMBERED_NAME } from './names';

/** A piece of a text, and its row. */
export interface RowReadings {
  readonly row: number;
  readonly readings: Readings;
}

/** Further information from the text. */
export interface Evidence {
  /** Mass of a total line or of a batch, in grams. */
  readonly statedGrams: number | undefined;
  /** A mass could not be read, so the shares of the other masses are unknown. */
  readonly isMassMissing: boolean;
  /** Rows at which another formula may begin. */
  readonly breaks: readonly number[];
}

/** An entry, and its row. */
interface RowEntry {
  readonly row: number;
  readonly entry: Entry;
}

export interface Chosen {
  readonly entries: readonly RowEntry[];
  /** Rows with an ambiguous piece, or with an amount that cannot belong to this formula. */
  readonly unread: ReadonlySet<number>;
}

/** Tolerance for sums of decimals. */
const EXACT = 1e-6;

/**
 * Chooses the readings with which the formula sums to 100, or to the total that the text states. All
 * lines are read in the same way. Lines that stay ambiguous are not read.
 */
export function chooseReadings(
  all: readonly RowReadings[],
  { statedGrams, isMassMissing, breaks }: Evidence,
): Chosen {
  const unread = new Set<number>();
  const isDoubtful = ({ readings }: RowReadings) =>
    readings.length > 1 || readings[0]!.some(({ quantity }) => hasAlternative(quantity));
  const ways = [0, 1].map((way) => inWay(all, way));
  const [first, second] = ways.map((entries) => isExact(entries, statedGrams)) as [boolean, boolean];
  const preferred = first === second ? settledWay(all) : second ? 1 : 0;
  let read = ways[preferred ?? 0]!;
  let isMassDoubtful = isMassMissing;
  if (all.some(isDoubtful) && preferred === undefined) {
    const doubtful = new Set(all.filter(isDoubtful).map(({ row }) => row));
    isMassDoubtful = read.some(({ row, entry }) => doubtful.has(row) && isMass(entry));
    doubtful.forEach((row) => unread.add(row));
    read = read.filter(({ row }) => !doubtful.has(row));
  }
  if (isMassDoubtful) {
    read.filter(({ entry }) => isMass(entry)).forEach(({ row }) => unread.add(row));
    read = read.filter(({ entry }) => !isMass(entry));
  }
  if (!isExact(read, statedGrams)) read = withoutSplitNumbers(read, unread);
  return { entries: ofOneFormula(inUnits(read, unread), breaks, unread), unread };
}

/**
 * "Aqua 7 8.5" may mean 78.5. If the formula does not sum to 100, lines with a number after a name
 * that usually has none are not read.
 */
function withoutSplitNumbers(read: readonly RowEntry[], unread: Set<number>): RowEntry[] {
  const sum = read.reduce((total, { entry }) => total + middleOf(entry.quantity), 0);
  const hasRest = read.some(({ entry }) => entry.quantity.kind === 'balance');
  // Fewer than three lines may be an excerpt.
  if (hasRest || read.length < 3 || Math.abs(sum - 100) < 1) return [...read];
  return read.filter(({ row, entry: { inciName, chineseName, quantity } }) => {
    const name = /^(.*\p{L} )\d{1,2}$/u.exec(inciName || chineseName)?.[1];
    const isBare = quantity.kind === 'number' && quantity.unit === undefined;
    if (!isBare || name === undefined || NUMBERED_NAME.test(name)) return true;
    unread.add(row);
    return false;
  });
}

const isMass = ({ quantity }: Entry): boolean => quantity.kind === 'number' && quantity.unit === 'g';
const hasAlternative = (quantity: Quantity): boolean =>
  quantity.kind === 'number' && (quantity.low.alternative ?? quantity.high.alternative) !== undefined;

const inWay = (all: readonly RowReadings[], way: number): RowEntry[] =>
  all.flatMap(({ row, readings }) =>
    (readings[way] ?? readings[0]!).map((entry) => ({
      row,
      entry: way === 0 ? entry : withAlternative(entry),
    })),
  );

const withAlternative = (entry: Entry): Entry => ({
  ...entry,
  quantity: mapNumbers(entry.quantity, ({ value, alternative }) => ({ value: alternative ?? value })),
});

function isExact(entries: readonly RowEntry[], statedGrams: number | undefined): boolean {
  const quantities = entries.map(({ entry }) => entry.quantity);
  if (quantities.some(({ kind }) => kind === 'balance')) return false;
  const sum = (isMass: boolean) =>
    quantities
      .filter((quantity) => quantity.kind === 'number' && (quantity.unit === 'g') === isMass)
      .reduce((total, quantity) => total + middleOf(quantity), 0);
  const grams = sum(true);
  if (grams > 0) return statedGrams !== undefined && Math.abs(grams - statedGrams) < statedGrams * EXACT;
  return Math.abs(sum(false) - 100) < EXACT;
}

/** Returns the mass of the batch if the piece may be read as a share and its mass. */
function batchOf({ readings: [one, other] }: RowReadings): number | undefined {
  const [share, mass] = [one?.[0]?.quantity, other?.[0]?.quantity];
  if (share?.kind !== 'number' || share.unit !== '%' || mass?.kind !== 'number' || mass.unit !== 'g')
    return undefined;
  return (middleOf(mass) / middleOf(share)) * 100;
}

/**
 * Returns the reading that the other lines suggest. A number before the amount is part of the name if
 * most lines have one number only. Of two numbers, the one with a unit is the amount if the other
 * lines have units. Masses that all have three decimals give the same shares in both readings.
 */
function settledWay(all: readonly RowReadings[]): 0 | 1 | undefined {
  const several = all.filter(({ readings }) => readings.length > 1);
  const entries = all.flatMap(({ readings }) => (readings.length > 1 ? [] : readings[0]!));
  const masses = entries.filter(({ quantity }) => quantity.kind === 'number' && quantity.unit === 'g');
  const alike = masses.filter(({ quantity }) => hasAlternative(quantity)).length;
  if (alike > 0 && (alike < masses.length || several.length > 0)) return undefined;
  if (several.length === 0) return 0;
  const batches = several.map(batchOf);
  if (batches.every((batch) => batch !== undefined)) {
    // "Aqua 72 % 180 g" in each line: one batch. Otherwise the percentage is a strength: "Alkohol 96% 60 g".
    const [first] = batches;
    if (batches.length > 1 && batches.every((batch) => Math.abs(batch / first! - 1) < 0.02)) return 0;
    const isMassOnly = masses.length > 0 && masses.length === entries.length;
    return isMassOnly ? 1 : undefined;
  }
  const isMarked = ({ quantity }: Entry) => quantity.kind === 'number' && quantity.unit !== undefined;
  const isOfMarks = several.every(
    ({ readings: [one, other] }) =>
      one!.length === 1 && other!.length === 1 && isMarked(one![0]!) !== isMarked(other![0]!),
  );
  if (isOfMarks) {
    const marked = entries.filter(isMarked).length;
    const bare = entries.filter(({ quantity }) => quantity.kind === 'number').length - marked;
    if (marked > 0 === bare > 0) return undefined;
    return several.every(({ readings: [one] }) => isMarked(one![0]!)) === (bare === 0) ? 0 : 1;
  }
  if (
    several.some(
      ({ readings: [one, other] }) => one!.length !== 1 || other!.length !== 1 || isMarked(one![0]!),
    )
  )
    return undefined;
  return several.length * 2 < all.length ? 0 : undefined;
}

/**
 * Adds the unit to each amount. Amounts without a unit beside masses, shares above 100 and parts
 * beside other units are not read.
 */
function inUnits(read: readonly RowEntry[], unread: Set<number>): RowEntry[] {
  const has = (wanted: 'g' | '%' | 'part') =>
    read.some(({ entry: { quantity } }) => quantity.kind === 'number' && quantity.unit === wanted);
  const isBareUnknown = (has('g') && !has('%')) || has('part');
  const percents = read.map(({ entry: { quantity } }) =>
    quantity.kind === 'number' && quantity.unit !== 'g' ? middleOf(quantity) : 0,
  );
  // "Toner, 200 g" above a list in percent states the mass of the batch.
  const isComplete = has('%') && percents.reduce((sum, value) => sum + value, 0) > 100 - EXACT;
  // If bare numbers sum to 1000, all of them have another unit than percent.
  const isThousand = percents.reduce((sum, value) => sum + value, 0) === 1000;
  const isPartsAlone = has('part') && !has('g') && !has('%');
  return read.flatMap(({ row, entry }) => {
    const { quantity } = entry;
    if (quantity.kind !== 'number') return [{ row, entry }];
    const unit = quantity.unit ?? (isBareUnknown || isThousand ? undefined : '%');
    const isWrong =
      (unit === 'g' && isComplete) ||
      unit === undefined ||
      (unit === '%' && quantity.high.value > 100) ||
      (unit === 'part' && !isPartsAlone);
    if (isWrong) {
      unread.add(row);
      return [];
    }
    return [{ row, entry: { ...entry, quantity: { ...quantity, unit } } }];
  });
}

/** Returns the entries of the first formula. It is complete at 100 percent, and has one balance. */
function ofOneFormula(read: readonly RowEntry[], breaks: readonly number[], unread: Set<number>): RowEntry[] {
  let sum = 0;
  let balance: number | undefined;
  let end = read.length;
  for (const [at, { row, entry }] of read.entries()) {
    const { quantity } = entry;
    if (quantity.kind === 'balance') {
      const first = (balance ??= row);
      const later = breaks.filter((line) => line > first && line <= row);
      const start = read.findIndex((other) => later.some((line) => line <= other.row));
      if (start > 0 && start <= at) end = Math.min(end, start);
    }
    if (quantity.kind === 'number' && quantity.unit === '%') sum += middleOf(quantity);
    if (balance === undefined && at > 0 && Math.abs(sum - 100) < EXACT) end = Math.min(end, at + 1);
  }
  return read.filter(({ row, entry }, at) => {
    const isOfOne = at < end || (entry.quantity.kind === 'as-needed' && !unread.has(row));
    if (!isOfOne) unread.add(row);
    return isOfOne;
  });
}
