import { turns } from '../../platform/common/in-turns';
import type { Message } from '../../platform/texts/define-texts';
import { shortened } from '../../platform/texts/text';
import { importText, listed } from '../import.texts';
import { TableError, type TableRow } from '../reading/table';
import { type ColumnChoice, knownNames } from './column-mapping';
import type { ImportColumn } from './file-column';
import { plainName } from './names';

/** A cell that contains only a unit: `(%)`, `€/kg`, `g`. */
const UNIT_CELL =
  /^(?:(?:wt|mm|ww|gew)?%(?:wt|ww|mm)?|(?:rmb|cny|元|[¥€$£]|eur|usd|gbp|chf)?(?:100|1000)?(?:kg|g|mg|l|ml|公斤|千克|克|升|毫升)|rmb|cny|元|[¥€$£]|eur|usd|gbp|chf)$/;

/** Returns the header joined with the units in the row below it, if that row contains nothing else. */
export function unitsBelow(header: readonly string[], row: TableRow | undefined): string[] | undefined {
  const filled = row?.cells.filter((cell) => cell.trim() !== '') ?? [];
  if (!row || filled.length === 0 || !filled.every((cell) => UNIT_CELL.test(plainName(cell))))
    return undefined;
  return header.map((name, at) => `${name} ${row.cells[at]?.trim() ?? ''}`.trim());
}

/** Longest text of a note in a report, in characters. */
const MAX_NOTE = 250;

interface PartsOptions {
  columns: readonly ImportColumn[];
  /** The index of the column that fills each field. */
  index: ReadonlyMap<string, number>;
  choices: readonly ColumnChoice[];
  noteRows?: RegExp;
  /** True if the user has not chosen the header row. */
  isFirst: boolean;
}

interface TableParts {
  rows: TableRow[];
  /** Values of fields that headings above a row set. */
  headings: ReadonlyMap<TableRow, ReadonlyMap<string, string>>;
  notes: Message[];
}

/**
 * Returns the rows that are records, without notes, headings and repeated headers.
 * @throws TableError if another table begins below the first and the user has not chosen one
 */
export async function tableParts(
  all: readonly TableRow[],
  header: readonly string[],
  options: PartsOptions,
): Promise<TableParts> {
  const { columns, index, noteRows, isFirst } = options;
  const isHeader = headerTest(header, options);
  const rows: TableRow[] = [];
  const headings = new Map<TableRow, ReadonlyMap<string, string>>();
  const repeated: number[] = [];
  const notRead: string[] = [];
  let current: ReadonlyMap<string, string> = new Map();
  let rest: Message[] = [];
  const last = lastAmount(all, options);
  let isTail = false;
  const turn = turns();
  for (const [position, row] of all.entries()) {
    await turn();
    const found = isHeader(row);
    // A list may repeat its header on each page. In a formula's rows the same header begins another formula.
    const isPage = found === 'same' && noteRows !== undefined && columns.some(({ required }) => required);
    if (found && !isPage) {
      const { line } = row;
      if (isFirst) throw new TableError(importText('import.second-table', { line }));
      rest = [importText('import.table-below', { line })];
      break;
    }
    const [text, ...others] = row.cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
    const alone =
      others.length === 0 && index.size > 1 && !row.cellFaults?.size && !isBelowMerged(row)
        ? text
        : undefined;
    const heading = columns.find(
      ({ field, heading: text, headingInColumn }) =>
        alone !== undefined &&
        (text?.test(plainWidth(alone)) ||
          (headingInColumn?.test(plainWidth(alone)) && row.cells[index.get(field) ?? -1]?.trim() === alone)),
    );
    const isBelow: boolean = position > last && isNote(row, options, isTail);
    isTail ||= isBelow;
    if (found === 'same') repeated.push(row.line);
    else if (isBelow) notRead.push(`${row.line} ("${shortened([text, ...others].join(' '), MAX_NOTE)}")`);
    else if (alone !== undefined && heading) current = new Map([[heading.field, plainWidth(alone)]]);
    else if (alone !== undefined && noteRows?.test(plainWidth(alone)))
      notRead.push(`${row.line} ("${shortened(alone, MAX_NOTE)}")`);
    else {
      rows.push(row);
      if (current.size > 0) headings.set(row, current);
    }
  }
  const notes = [
    ...(repeated.length > 0 ? [importText('import.header-again', { lines: listed(repeated) })] : []),
    ...(notRead.length > 0 ? [importText('import.notes-not-read', { lines: listed(notRead) })] : []),
    ...rest,
  ];
  return { rows, headings, notes };
}

const KEY_AND_VALUE = /^[^:：]{1,30}[:：]/;

/** Returns the position of the last row with an amount; infinite if the table has no column of amounts. */
function lastAmount(all: readonly TableRow[], { columns, index }: PartsOptions): number {
  const amounts = columns.flatMap(({ field, isAmount }) => (isAmount ? (index.get(field) ?? []) : []));
  if (amounts.length === 0) return Infinity;
  return all.findLastIndex(({ cells }) =>
    amounts.some((at) => (cells[at] ?? '').trim() !== '' && !KEY_AND_VALUE.test(cells[at]!.trim())),
  );
}

/**
 * Returns true for a text below the table: the only one of its row, unless it stands where the name of a record
 * does, several such as `审核: 王`, or a step below the first note.
 */
function isNote({ cells, cellFaults }: TableRow, { columns, index }: PartsOptions, isBelowNote: boolean) {
  const texts = cells.map((cell) => cell.trim());
  const filled = texts.flatMap((text, at) => (text === '' ? [] : [at]));
  if (cellFaults?.size) return false;
  if (isBelowNote || filled.every((at) => KEY_AND_VALUE.test(texts[at]!))) return true;
  const names = columns.flatMap(({ field, isTitle, heading }) =>
    isTitle || heading ? [] : (index.get(field) ?? []),
  );
  return filled.length === 1 && (filled[0] === 0 || !names.includes(filled[0]!));
}

const isBelowMerged = ({ merged }: TableRow): boolean =>
  [...(merged?.values() ?? [])].some(({ text = '' }) => text.trim() !== '');

const plainWidth = (text: string): string => text.normalize('NFKC').trim();

/** Tests if a row contains names of columns, and if they are those of the header. */
function headerTest(
  header: readonly string[],
  { columns, index, choices }: PartsOptions,
): (row: TableRow) => 'same' | 'other' | undefined {
  const used = [...index.values()];
  // Comparing every cell with all names is slow, so rows are first filtered by cells that are exactly a name.
  const exact = new Set(
    [
      ...used.map((column) => header[column]!),
      ...columns.flatMap(({ field, aliases }) => [field, ...aliases]),
    ].map((name) => name.toLowerCase()),
  );
  return ({ cells }) => {
    if (!cells.some((cell) => exact.has(cell.trim().toLowerCase()))) return undefined;
    if (cells.some((cell) => /^[\d.,]+\s*%?$/.test(cell.trim()))) return undefined;
    const isSame = used.every((column) => plainName(cells[column] ?? '') === plainName(header[column]!));
    if (used.length > 1 && isSame) return 'same';
    const filled = cells.filter((cell) => cell.trim() !== '').length;
    const known = knownNames(cells, columns, choices).length;
    return known > 1 && known * 2 >= filled ? 'other' : undefined;
  };
}
