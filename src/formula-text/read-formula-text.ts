import { type RawLine } from './complete-percentages';
import { chooseReadings } from './choose-readings';
import {
  decimalMarkIn,
  footnoteMarks,
  headingOf,
  isKnownOther,
  isLegend,
  isOfTheWhole,
  isProcedure,
  isSignOff,
  mayBeIngredient,
  preparedLines,
  type TextLine,
} from './text-lines';
import type { Doubt, Entry, Readings } from './entry-parser';
import { countPieces, parseLine } from './line-parser';
import { LABEL, LIST_LABEL, namesIn, NUMBERED_NAME } from './names';
import { decimal, mapNumbers, middleOf, type Quantity, unitOf } from './quantity';
import { Table } from './table';
import { tokenize } from './tokenizer';
import { amountsIn, type Total, totalIn, type WrongTotal, wrongTotalsOf } from './totals';

/** Longest line that is read, in characters. The ingredients in the rest are only counted. */
const LONGEST_LINE = 6_000;

/** Result of a plain reading of a formula's text. */
export interface ReadFormula {
  readonly lines: RawLine[];
  /** For each of `lines`, the number of the text's line that it was read from, from 1. */
  readonly textLines: number[];
  /** Numbers of the text's lines that may name an ingredient but could not be read, or exceed the maximum. */
  readonly unread: number[];
  /** Minimum number of ingredients that these lines may name. */
  readonly unreadCount: number;
  /** The first line, if it was taken for the title. */
  readonly title?: string;
  /** Numbers of the other lines: steps, remarks, properties. */
  readonly others: number[];
  /** Totals of the text that its lines do not make. */
  readonly wrongTotals: WrongTotal[];
}

type Kind = 'blank' | 'read' | Exclude<Doubt, 'none'> | 'heading' | 'other';

interface ReadRow {
  readonly kind: Kind;
  readonly pieces: readonly Readings[];
  /** The row was read, but not completely. */
  readonly isPartial?: boolean;
  /** Number of ingredients beyond the maximum. */
  readonly left: number;
}

const OTHER: ReadRow = { kind: 'other', pieces: [], left: 0 };

/**
 * Reads a formula's text without a model: names with amounts in lists, tables and one-line formulas,
 * under or beside the marks of phases. A line is read if it is understood completely, and reported as
 * unread otherwise. Mock mode answers with this reading. The time is linear in the length of the text.
 */
export function readFormulaText(text: string): ReadFormula {
  const reading = formulaReading(text);
  let step = reading.next();
  while (!step.done) step = reading.next();
  return step.value;
}

/** Reads a text as `readFormulaText` does. Stops after each line, so that the caller can let others do their work. */
export function* formulaReading(text: string): Generator<void, ReadFormula> {
  const rows = preparedLines(text);
  yield;
  const marks = footnoteMarks(text);
  const reader = new RowReader(Table.in(rows), decimalMarkIn(text));
  const read: ReadRow[] = [];
  for (const [at, row] of rows.entries()) {
    read.push(isLegend(row.raw, marks) ? OTHER : reader.read(row, at));
    yield;
  }
  const isMassMissing = read.some(
    ({ kind, pieces }, at) => kind === 'numbered' && pieces.length === 0 && MASS.test(rows[at]!.text),
  );
  const chosen = chooseReadings(
    read.flatMap(({ pieces }, row) => pieces.map((readings) => ({ row, readings }))),
    {
      statedGrams: reader.statedGrams,
      isMassMissing,
      breaks: read.flatMap(({ kind }, row) => (kind === 'blank' || kind === 'open' ? [row] : [])),
    },
  );
  const entries = isTitle(chosen.entries.map(({ entry }) => entry))
    ? chosen.entries.slice(1)
    : chosen.entries;
  const hasAmounts = (isAmount: (text: string) => boolean) =>
    entries.length > 0 ||
    chosen.unread.size > 0 ||
    read.some(({ kind }, at) => {
      const { text } = rows[at]!;
      return (kind === 'numbered' && isAmount(text)) || (kind === 'open' && PRICE.test(text));
    });
  const withoutAmounts = hasAmounts(hasOtherNumbers) ? undefined : namesWithoutAmounts(rows);
  if (withoutAmounts) return withoutAmounts;
  const isFormula = hasAmounts(() => true);
  const isDoubtful = (at: number) =>
    read[at]!.left > 0 || chosen.unread.has(at) || isUnread(read, at, rows) || isHeadOfAmounts(rows, at);
  const notRead = isFormula ? [...rows.keys()].filter(isDoubtful) : [];
  // A line that was not read explains the difference.
  const wrongTotals = notRead.length === 0 ? wrongTotalsOf(reader.totals, entries) : [];
  const doubtful = [...notRead, ...wrongTotals.map(({ at }) => at)];
  const textLines = entries.map(({ row }) => rows[row]!.number);
  const unread = [...new Set(doubtful.map((at) => rows[at]!.number))];
  const first = read.findIndex(({ kind }) => kind !== 'blank');
  const isRead =
    [...textLines, ...unread].includes(rows[first]?.number ?? 0) || read[first]?.kind === 'heading';
  const hasTitle = isFormula && !isRead;
  const others = [...rows.keys()].filter(
    (at) => read[at]!.kind === 'other' && read[at]!.pieces.length === 0 && !(hasTitle && at === first),
  );
  return {
    lines: entries.map(({ entry }) => rawLine(entry)),
    textLines,
    unread,
    ...(hasTitle && { title: rows[first]!.raw.trim() }),
    others: isFormula
      ? distinctNumbers(
          others.map((at) => rows[at]!.number),
          new Set([...textLines, ...unread]),
        )
      : [],
    wrongTotals: wrongTotals.map(({ at, ...total }) => ({ line: rows[at]!.number, ...total })),
    unreadCount: doubtful.reduce((sum, at) => sum + Math.max(1, read[at]!.left), 0),
  };
}

/** Characters before a number that are read to tell whether it is part of a name: more than any such name has. */
const BEFORE_NUMBER = 40;

/** Returns true for a line with a number that is not part of a name, as the 20 of `Polysorbate 20` is. */
const hasOtherNumbers = (text: string): boolean =>
  PRICE.test(text) ||
  tokenize(text).some(
    ({ kind, start }) =>
      ['amount', 'volume', 'unknown'].includes(kind) &&
      !NUMBERED_NAME.test(text.slice(Math.max(start - BEFORE_NUMBER, 0), start)),
  );

/** Reads the names of a list without amounts, as a label has it: `Ingredients: Aqua, Glycerin, Parfum`. */
function namesWithoutAmounts(rows: readonly TextLine[]): ReadFormula | undefined {
  const isLabel = (text: string) => LIST_LABEL.test(LABEL.exec(text)?.[1] ?? '');
  const label = rows.findIndex(({ text }) => isLabel(text));
  const parts = rows.slice(Math.max(label, 0)).flatMap(({ text, number }) =>
    (isLabel(text) ? text.replace(LABEL, '') : text)
      .replace(/[.。]\s*$/u, '')
      .split(/[、;，•·|]|,(?!\d)/u)
      .map((part) => ({ part: part.trim(), number }))
      .filter(({ part }) => part !== '' && !part.includes(':')),
  );
  const named = parts.flatMap(({ part, number }) => {
    const isName = mayBeIngredient(part) && (label >= 0 || /^[\p{Lu}\p{N}\p{Script=Han}]/u.test(part));
    const names = isName ? namesIn(part) : undefined;
    return names ? [{ names, number }] : [];
  });
  if (label < 0 ? named.length < parts.length || named.length < 4 : named.length < 2) return undefined;
  return {
    lines: named.map(({ names: { note: processNotes, ...names } }) => {
      return { ...names, percentage: null, phase: '', processNotes };
    }),
    textLines: named.map(({ number }) => number),
    ...{ unread: [], others: [], wrongTotals: [], unreadCount: 0 },
  };
}

const distinctNumbers = (numbers: readonly number[], without: ReadonlySet<number>): number[] =>
  [...new Set(numbers)].filter((number) => !without.has(number));

/** Converts an entry to the format of a model's answer. Parts become grams. */
function rawLine({ inciName, chineseName, quantity, note, phase = '' }: Entry): RawLine {
  const line = { inciName, chineseName, percentage: null, phase, processNotes: note };
  if (quantity.kind === 'as-needed') return { ...line, amount: 'q.s.' };
  const unit = quantity.unit === 'part' ? 'g' : (quantity.unit ?? '%');
  if (quantity.kind === 'balance') return { ...line, balance: true, amount: quantity.target ?? null, unit };
  const { low, high, bound = '', tolerance = '' } = quantity;
  // A range stays one if it has a bound, too: `1-5 max`.
  if (low.value !== high.value)
    return { ...line, amount: `${decimal(low.value)}-${decimal(high.value)}`, unit };
  const isExact = bound === '' && tolerance === '';
  const amount = isExact ? low.value : `${bound} ${decimal(low.value)} ${tolerance}`.trim();
  return { ...line, amount, unit };
}

const BATCH = /(?:试制|配制|制备|投料|小试|中试|生产|batch|makes|trial|ansatz|charge|lote?)$/iu;

/**
 * Returns true if the first entry is a title: "Batch 500 g" above lines that sum to 500 g, "Gel base
 * 500 g" above a line that is filled up to 500 g, or "Trial 3" above lines that sum to 100.
 */
function isTitle([first, ...others]: readonly Entry[]): boolean {
  if (first?.quantity.kind !== 'number' || first.quantity.low.value !== first.quantity.high.value)
    return false;
  const { unit, low } = first.quantity;
  const sum = others
    .filter(({ quantity }) => quantity.kind === 'number' && quantity.unit === unit)
    .reduce((total, { quantity }) => total + middleOf(quantity), 0);
  const isBatch = unit === 'g' && BATCH.test(first.inciName || first.chineseName);
  if ((isBatch || unit !== 'g') && Math.abs(sum - (unit === 'g' ? low.value : 100)) < 1e-6)
    return others.length > 1;
  return others.some(
    ({ quantity }) =>
      quantity.kind === 'balance' && unit === 'g' && quantity.unit === 'g' && quantity.target === low.value,
  );
}

/** Reads the rows of a text in order, because a phase applies to the rows that follow it. */
class RowReader {
  /** Mass of a total or a batch, in grams. */
  statedGrams: number | undefined;
  readonly totals: Total[] = [];
  /** A line of the formula was read, so that a label is no title. */
  private hasBegun = false;
  private phase = '';
  private unit: string | undefined;
  /** Maximum number of ingredients that are still read, to limit the time that other requests wait. */
  private most = 300;

  constructor(
    private readonly table: Table | undefined,
    private readonly decimalMark: '.' | ',' | undefined,
  ) {}

  read(row: TextLine, at: number): ReadRow {
    if (row.text.trim() === '') return { ...OTHER, kind: 'blank' };
    const isBeyond = this.most <= 0 || at >= 400;
    if (isBeyond) return { ...OTHER, left: isKnownOther(row.text.trim()) ? 0 : countPieces(row.text) };
    const total = totalIn(row.text.trim(), at);
    if (total) this.totals.push(total);
    const read = this.readInTable(row) ?? this.readLine(row);
    this.hasBegun ||= read.pieces.length > 0 || read.kind === 'heading';
    this.most -= read.pieces.length;
    return read;
  }

  private readInTable(row: TextLine): ReadRow | undefined {
    const inTable = this.table?.row(row);
    if (!inTable) return undefined;
    const { entry, doubt } = inTable;
    const isPartial = doubt !== 'none';
    if (entry) return { ...OTHER, kind: 'read', pieces: this.inPhase([[[entry]]]), isPartial };
    return { ...OTHER, kind: doubt === 'none' ? 'other' : doubt };
  }

  private readLine(line: TextLine): ReadRow {
    const { text, raw } = line;
    if (text.length > LONGEST_LINE) {
      const end = Math.max(1, text.slice(0, LONGEST_LINE).search(/[;；。、,，\s][^;；。、,，\s]*$/u));
      const read = this.readLine({ ...line, text: text.slice(0, end), raw: raw.slice(0, end) });
      return { ...read, isPartial: read.pieces.length > 0, left: read.left + countPieces(text.slice(end)) };
    }
    this.noteUnit(text);
    if (isOfTheWhole(text.trim())) this.noteTotal(text);
    const pieces: Readings[] = [];
    let kind: Kind = 'other';
    let left = 0;
    for (const { start, end } of headedParts(text)) {
      const part = text.slice(start, end);
      if (isSignOff(part.trim())) continue;
      const found = headingOf(part.trim());
      const heading = found?.isLabel && !found.isGroup && !this.hasBegun ? undefined : found;
      if (heading) this.phase = heading.phase;
      const from = heading ? start + part.lastIndexOf(heading.rest) : start;
      const read = parseLine(text.slice(from, end), raw.slice(from, end), this.most - pieces.length);
      pieces.push(...this.inPhase(read.pieces));
      left += read.left;
      if (
        read.doubt !== 'none' &&
        kind !== 'numbered' &&
        (!heading || read.doubt === 'numbered' || namesIngredient(heading.rest))
      )
        kind = read.doubt;
      else if (kind !== 'open' && kind !== 'numbered' && read.pieces.length > 0) kind = 'read';
      else if (kind === 'other' && heading) kind = 'heading';
    }
    const isPartial = pieces.length > 0 && kind !== 'read' && kind !== 'heading';
    return { kind, pieces, isPartial, left };
  }

  private inPhase(pieces: readonly Readings[]): Readings[] {
    return pieces.map((readings) => {
      this.phase = readings[0]![0]!.phase ?? this.phase;
      return readings.map((entries) => entries.map((entry) => this.inUnit({ ...entry, phase: this.phase })));
    });
  }

  /** Applies the unit of a heading such as "成分 含量(‰)" to numbers without a unit. */
  private inUnit(entry: Entry): Entry {
    const quantity = this.marked(entry.quantity);
    if (!this.unit || quantity.kind !== 'number' || quantity.unit) return { ...entry, quantity };
    const read = tokenize(`${quantity.low.value}-${quantity.high.value} ${this.unit}`)[0];
    return read?.kind === 'amount' ? { ...entry, quantity: { ...quantity, ...read.quantity } } : entry;
  }

  /** Reads a mark as the text's other numbers do. Without such numbers "1,250 g" is 1250 g and "1.250 g" ambiguous. */
  private marked(quantity: Quantity): Quantity {
    return mapNumbers(quantity, ({ value, alternative, mark }) =>
      alternative !== undefined && mark === '.' && !this.decimalMark
        ? { value, alternative, mark }
        : { value: this.decimalMark === mark ? (alternative ?? value) : value },
    );
  }

  private noteUnit(text: string): void {
    const written = UNIT_HEADING.exec(text.trim())?.[1];
    if (written && unitOf(written)) this.unit = written;
  }

  private noteTotal(text: string): void {
    const amounts = amountsIn(text);
    if (amounts.length === 1 && amounts[0]!.kind === 'number' && amounts[0]!.unit === 'g')
      this.statedGrams = amounts[0]!.low.value;
  }
}

const MASS = new RegExp(String.raw`[\d?] ?(?!ml)(?:k?g|mg|克|公斤|千克)(?![\p{L}/])`, 'iu');

const UNIT_HEADING =
  /^(?=[^\d]*(?:含量|用量|重量|比例|成分|原料|配方|amount|ingredients?|weight|content|quantity|conc|menge|anteil))[^\d]*[\s(/,:](‰|%|ppm|k?g|mg|克|千克|公斤|oz|lbs?|grams?)\s*\)?:?$/iu;

/** Returns the parts of a line that may have their own headings. An instruction is one part. */
function headedParts(text: string): { start: number; end: number }[] {
  if (!/[;；。]/u.test(text) || (isProcedure(text.trim()) && !headingOf(text.trim())))
    return [{ start: 0, end: text.length }];
  const ends = tokenize(text).flatMap(({ kind, text: mark, start }) =>
    kind === 'separator' && /[;；。]/u.test(mark) ? [start] : [],
  );
  return [...ends, text.length].map((end, at) => ({ start: at === 0 ? 0 : ends[at - 1]! + 1, end }));
}

/** Returns true if the text after a heading names an ingredient without an amount, and not the phase. */
const namesIngredient = (text: string): boolean =>
  !headingOf(text) &&
  !/\d|^(?:water|oil|aqueous|\p{Script=Han}{1,4}相?)$/iu.test(text) &&
  /\p{Ll}|\p{Script=Han}{2}/u.test(text);

const PRICE = /[\d¼-¾] ?[¥$€£]|[¥$€£] ?\d/u;

/** Returns true for an unread row. A line without an amount is unread only among ingredients, not as the title. */
function isUnread(read: readonly ReadRow[], at: number, rows: readonly TextLine[]): boolean {
  const { kind, isPartial } = read[at]!;
  if (isPartial || kind === 'numbered') return true;
  if (kind !== 'open') return false;
  const before = nextWritten(read, at, -1);
  const next = nextWritten(read, at, 1);
  // A title has no price.
  if (before === undefined) return PRICE.test(rows[at]!.text);
  return ['read', 'open', 'numbered', 'heading'].includes(before) || next === 'read';
}

/** Returns true for the row of names in a transposed table. The row below contains their amounts. */
function isHeadOfAmounts(rows: readonly TextLine[], at: number): boolean {
  const below = rows[at + 1];
  if (!below || !below.text.includes('\t') || !/\p{L}/u.test(rows[at]!.text)) return false;
  const tokens = tokenize(below.text).filter(({ kind }) => kind !== 'mark' && kind !== 'unknown');
  return tokens.length > 1 && tokens.every(({ kind }) => kind === 'amount');
}

/** Returns the kind of the nearest line that is not blank, within three lines. */
function nextWritten(read: readonly ReadRow[], at: number, step: 1 | -1): Kind | undefined {
  const near = [1, 2, 3].map((distance) => read[at + distance * step]?.kind);
  return near.find((kind) => kind !== 'blank');
}
