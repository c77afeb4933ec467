import { readAmount } from './amounts';
import { type RawLine } from './extracted-line';
import { amountsIn, wholeAmount } from './reader/amount-tokens';
import { countPieces, type Entry, masked, readEntries, withoutTitle } from './reader/entries';
import { headingOf, isKnownOther, isOfTheWhole, isProcedure, isSignOff } from './reader/line-kinds';
import { inWidthOf, narrow } from './reader/narrow';
import { Table } from './reader/table';

/** So many ingredients and lines of a text are read, more than a formula has: others wait meanwhile. */
const MOST_LINES = 300;
const MOST_ROWS = 400;

/** What a plain reading finds in a formula's text. */
export interface ReadFormula {
  readonly lines: RawLine[];
  /** For each of them the number, from 1, of the text's line that it was read from. */
  readonly textLines: number[];
  /** Numbers of the text's lines that may name an ingredient and could not be read, or were too many. */
  readonly unread: number[];
  /** How many ingredients those lines may name, at least. */
  readonly unreadCount: number;
}

/**
 * What a line of the text turned out to be: `open` where it may name an ingredient without an amount,
 * `numbered` where it ends with a number all the same.
 */
type Kind = 'blank' | 'read' | 'open' | 'numbered' | 'heading' | 'other';
const NUMBER_AT_END = /\d\s*(?:%|k?g|克)?$/u;

interface ReadRow {
  readonly kind: Kind;
  readonly entries: readonly Entry[];
  /** Ingredients that are too many to be read. */
  readonly left: number;
}

/** A name that goes on in the next line is no longer than this. */
const LONGEST_WRAPPED = 200;
const LONGEST_AMOUNT = 30;

/**
 * A plain reading of a formula's text without any model: names with amounts in lists, tables and one-line
 * formulas, under or beside the marks of phases. It is what mock mode answers with, so that the answer fits
 * the text. The time is linear in the text.
 */
export function readFormulaText(text: string): ReadFormula {
  const raw = text.split(/\r?\n/u);
  const rows = joinWrapped(raw.map((line) => tidy(narrow(line))));
  const reader = new RowReader(Table.in(rows));
  const read = rows.map((row, at) => reader.read(row, at));
  const lines = read.flatMap(({ entries }, at) =>
    inWidthOf(raw[at]!, entries).map(({ inciName, chineseName, amount, phase = '' }) => {
      return { inciName, chineseName, percentage: null, phase, processNotes: '', amount };
    }),
  );
  const textLines = read.flatMap(({ entries }, at) => entries.map(() => at + 1));
  if (isTitle(lines)) [lines, textLines].forEach((list) => list.shift());
  const doubtful = read.flatMap((row, at) => (row.left > 0 || isUnread(read, at) ? [at + 1] : []));
  // Without any ingredient only what looks like a list with numbers is worth a word.
  const isList = lines.length > 0 || read.filter(({ kind }) => kind === 'numbered').length > 1;
  const unread = isList ? doubtful : [];
  const unreadCount = unread.reduce((sum, number) => sum + Math.max(1, read[number - 1]!.left), 0);
  return { lines, textLines, unread, unreadCount };
}

/** "Gel base 500 g", above lines of which one is filled up to as much, says what the formula makes. */
function isTitle(lines: readonly RawLine[]): boolean {
  const [first, ...others] = lines.map(({ amount }) => readAmount(String(amount)));
  if (first?.kind !== 'number' || !/[g克]$/iu.test(String(lines[0]!.amount))) return false;
  return others.some((amount) => amount.kind === 'balance' && amount.target === first.value);
}

/** Reads the rows of a text in their order: a phase counts for what follows it. */
class RowReader {
  private phase = '';
  private most = MOST_LINES;

  constructor(private readonly table: Table | undefined) {}

  read(row: string, at: number): ReadRow {
    if (row.trim() === '') return { kind: 'blank', entries: [], left: 0 };
    const isBeyond = this.most <= 0 || at >= MOST_ROWS;
    const read = isBeyond ? readBeyond(row) : (this.readInTable(row) ?? this.readLine(row));
    this.most -= read.entries.length;
    return read.kind === 'open' && NUMBER_AT_END.test(row) ? { ...read, kind: 'numbered' } : read;
  }

  private readInTable(row: string): ReadRow | undefined {
    const inTable = this.table?.row(row);
    if (!inTable) return undefined;
    const entries = this.inPhase(inTable.entry ? [inTable.entry] : []);
    const kind = entries.length > 0 ? 'read' : inTable.open ? 'open' : 'other';
    return { kind, entries, left: 0 };
  }

  private readLine(row: string): ReadRow {
    const entries: Entry[] = [];
    let kind: Kind = 'other';
    let left = 0;
    for (const part of partsOf(withoutLabel(row))) {
      if (entries.length >= this.most) {
        left += countPieces(part);
        continue;
      }
      if (isSignOff(part)) continue;
      const heading = headingOf(part);
      if (heading) this.phase = heading.phase;
      const read = readEntries(heading ? heading.rest : part, this.most - entries.length);
      entries.push(...this.inPhase(read.entries));
      left += read.left;
      if (read.open && (!heading || isName(heading.rest))) kind = 'open';
      else if (kind !== 'open' && read.entries.length > 0) kind = 'read';
      else if (kind === 'other' && heading) kind = 'heading';
    }
    return { kind, entries, left };
  }

  private inPhase(entries: readonly Entry[]): Entry[] {
    return entries.map((entry) => {
      this.phase = entry.phase ?? this.phase;
      return { ...entry, phase: this.phase };
    });
  }
}

/** The parts of a line that may have headings of their own; one part, where it tells what to do. */
function partsOf(row: string): string[] {
  if (isProcedure(withoutTitle(row.trim())) && !headingOf(row)) return [row.trim()];
  const mask = masked(row);
  const ends = [...mask.matchAll(/[;。]/gu)].map(({ index }) => index);
  return [...ends, row.length].map((end, at) => row.slice(at === 0 ? 0 : ends[at - 1]! + 1, end).trim());
}

/** "样品1:水 80%、甘油 20%": what stands before the colon is no property where a whole formula follows. */
function withoutLabel(row: string): string {
  const label = isOfTheWhole(row.trim()) ? /^[^:]{1,30}:/u.exec(row)?.[0] : undefined;
  return label && amountsIn(row.slice(label.length)).length > 1 ? row.slice(label.length) : row;
}

/** Of an ingredient without an amount behind a heading, not of what the phase is called. */
const isName = (text: string): boolean =>
  !/\d|^(?:water|oil|aqueous|\p{Script=Han}{1,4}相?$)/iu.test(text) && /\p{Ll}|\p{Script=Han}{2}/u.test(text);

const readBeyond = (row: string): ReadRow => {
  const left = isKnownOther(row.trim()) ? 0 : countPieces(row);
  return { kind: 'other', entries: [], left };
};

/** A line without an amount may name an ingredient if it stands among such; at the top it is the title. */
function isUnread(read: readonly ReadRow[], at: number): boolean {
  const { kind, entries } = read[at]!;
  if (kind !== 'open' && kind !== 'numbered') return false;
  if (entries.length > 0) return true;
  const before = nextWritten(read, at, -1);
  const next = nextWritten(read, at, 1);
  if (before === undefined) return kind === 'numbered' && next === 'numbered';
  return kind === 'numbered' || ['read', 'open', 'numbered', 'heading'].includes(before) || next === 'read';
}

/** What the next line that is not blank is: looked for among the nearest few. */
function nextWritten(read: readonly ReadRow[], at: number, step: 1 | -1): Kind | undefined {
  const near = [1, 2, 3].map((distance) => read[at + distance * step]?.kind);
  return near.find((kind) => kind !== 'blank');
}

/** Leaders between a name and its amount are a gap, cells of HTML columns, and a chat's time is no number. */
const tidy = (line: string): string =>
  line
    .replace(/^\s*\[?\d{1,2}:\d{2}(?::\d{2})?\]?\s+(?:\p{L}{1,20}\s?:\s)?/u, '')
    .replace(/^\s*[①-⑳]\s*/u, '')
    .replace(/<\/t[dh]>/giu, '\t')
    .replace(/<\/?[a-z][^<>]{0,100}>/giu, '')
    .replace(/\.{3,}|…+|_{3,}|·{3,}/gu, '  ')
    .trimEnd();

/** A name that goes on in the next line behind its slash stands there, and one whose amount does. */
function joinWrapped(rows: string[]): string[] {
  for (const [at, row] of rows.entries()) {
    const next = rows[at + 1]?.trim();
    if (!next || row.length > LONGEST_WRAPPED || !/\p{L}/u.test(row)) continue;
    const goesOn = row.endsWith('/') || (next.length <= LONGEST_AMOUNT && wholeAmount(next) !== undefined);
    if (!goesOn || headingOf(row) || amountsIn(row).length > 0) continue;
    rows[at + 1] = row.endsWith('/') ? row + next : `${row} ${next}`;
    rows[at] = '';
  }
  return rows;
}
