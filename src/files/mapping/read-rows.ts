import type { Message } from '../../platform/texts/define-texts';
import type { Reason, RefusedRow, RowFault } from '../import-report';
import { importText, listed } from '../import.texts';
import { isJson } from '../reading/json-table';
import { type ImportTableOptions, openImportTable } from '../reading/open-table';
import { columnLetters, type Table, TableError, type TableRow } from '../reading/table';
import { choicesByCells, mapColumns } from './column-mapping';
import type { ImportColumn } from './file-column';
import { inTurns } from '../../platform/common/in-turns';
import { unescapeFormula } from '../../platform/common/formula-escape';
import { currenciesOf, currencyIn, type NumberCell, numberColumn } from './number-column';
import type { CellReader } from './read-fields';
import { type SpreadsheetSlip, spreadsheetSlip } from '../../platform/common/spreadsheet-slips';
import { tableParts, unitsBelow } from './table-parts';

/** Longest number in characters, with its unit and its blanks. */
const MAX_NUMBER = 250;

/** Longest other cell in characters: more than any field. A longer one is refused before it is read. */
const MAX_CELL = 64 * 1024;

/** How the user wants a file to be read. */
export type ImportFileOptions = Partial<Omit<ImportTableOptions, 'columns' | 'jsonPaths'>>;

export interface ReadOptions extends ImportFileOptions, Pick<ImportTableOptions, 'jsonPaths'> {
  /** A row whose only cell matches is not a record. */
  noteRows?: RegExp;
  /** Opens the table in the content. */
  open?: (content: Buffer, options: ImportTableOptions) => Promise<Table>;
}

export interface RowsRead {
  /** Number of rows below the header. */
  rows: number;
  refused: RefusedRow[];
  /** Notes on the file for the report. */
  notes: Reason[];
  /** Cells of the rows above the header that are not empty. */
  above: string[][];
  /** Columns that fill no field. */
  ignored: string[];
  /** Names of all columns. */
  header: readonly string[];
  /** The cells of rows by line, as in the file. */
  cells: ReadonlyMap<number, readonly string[]>;
  /** Returns the name of the column that a field is read from. */
  columnOf: CellReader;
}

/**
 * Reads the rows of a CSV or XLSX file one after another.
 * @param take receives the row's line, its cells by field (undefined: the file has no such column) and the names of
 *   their columns; returns the faults for which the row is refused, none if it is accepted
 * @throws TableError if the file cannot be read, ColumnChoiceError for an invalid choice
 */
export async function readRows(
  content: Buffer,
  columns: readonly ImportColumn[],
  { choices = [], open = openImportTable, noteRows, ...options }: ReadOptions,
  take: (line: number, cell: CellReader, nameOf: CellReader) => readonly RowFault[],
): Promise<RowsRead> {
  const { separator, ...table } = await open(content, { columns, choices, ...options });
  const all: TableRow[] = [];
  await inTurns(table.rows, (row) => void all.push(row));
  const isTable = !isJson(content);
  const below = isTable ? unitsBelow(table.header, all[0]) : undefined;
  const header = below ?? table.header;
  const byCells = choices.length === 0 ? choicesByCells(header, columns, all) : [];
  const { index, ignored } = mapColumns(header, columns, [...choices, ...byCells]);
  const nameOf = (field: string) => header[index.get(field) ?? -1];
  const parts = isTable
    ? await tableParts(below ? all.slice(1) : all, header, {
        ...{ columns, index, choices, noteRows, isFirst: options.headerRow === undefined },
      })
    : { rows: all, headings: new Map<TableRow, ReadonlyMap<string, string>>(), notes: [] };
  const { rows: read, headings } = parts;
  if (read.length === 0 && all.length > 0 && isTable) {
    throw new TableError(importText('import.notes-not-read', { lines: listed(all.map(({ line }) => line)) }));
  }
  const amounts = columns.flatMap(({ field, isAmount }) => (isAmount ? (index.get(field) ?? []) : []));
  const left = choices.flatMap(({ column, field }) => (field === '' ? header.indexOf(column) : []));
  const trials = left.filter((at) =>
    amounts.some((own) => trialName(header[own]!) === trialName(header[at] ?? '')),
  );
  // A line without an amount in the chosen trial is one of another trial.
  const isOther = ({ cells }: TableRow) =>
    trials.some((at) => /^\s*[\d.,]*[1-9]/.test(cells[at] ?? '')) &&
    amounts.every((at) => NOTHING.test((cells[at] ?? '').trim()));
  const others = read.filter(isOther).map(({ line }) => line);
  const rows = others.length > 0 ? read.filter((row) => !isOther(row)) : read;
  if (others.length > 0) parts.notes.push(importText('import.other-trial', { lines: listed(others) }));
  const {
    read: readCells,
    currencies,
    notes: noted,
  } = await cellReader(columns, index, { header, separator }, rows);
  const notes = [...table.notes, ...parts.notes, ...unnamedColumns(header, rows), ...noted];
  const refused: RefusedRow[] = [];
  const above = fieldsAbove(columns, table.above);
  const byLine = new Map<number, readonly string[]>();
  await inTurns(rows, (row) => {
    byLine.set(row.line, row.cells);
    const { cells, faults: unreadable } = readCells(row);
    const cell: CellReader = (field) =>
      cells.get(field) ||
      (headings.get(row)?.get(field) ?? above.get(field) ?? currencies.get(field) ?? cells.get(field));
    const faults = unreadable.length > 0 ? unreadable : take(row.line, cell, nameOf);
    if (faults.length === 0) return;
    const located = faults.map(({ field, reason }): RowFault => {
      if (field === undefined) return { reason };
      return { field, column: nameOf(field) ?? field, value: row.cells[index.get(field) ?? -1], reason };
    });
    refused.push({ line: row.line, faults: located });
  });
  return {
    ...{ rows: rows.length, refused, notes, above: table.above, ignored, header },
    ...{ cells: byLine, columnOf: nameOf },
  };
}

/** Returns the fields that rows above the header set. */
function fieldsAbove(columns: readonly ImportColumn[], rows: readonly string[][]): Map<string, string> {
  const found = columns.flatMap(({ field, above }) => {
    const texts = above ? rows.map((cells) => cells.join(' ')).filter((text) => above.test(text)) : [];
    return texts.length > 0 ? [[field, texts.join('\n')] as const] : [];
  });
  return new Map(found);
}

const NOTHING = /^(?:[-–—/]|0(?:[.,]0+)?)?$/;

/** Equal for `Trial 1 (%)` and `Trial 2 (%)`, and for `F A` and `F B`. */
const trialName = (name: string): string => name.replace(/\d+|(?<=\p{L}\s)[A-Z](?!\p{L})/gu, '');

/**
 * Returns a function that reads a row's cells by field, and the faults of unreadable cells; and the currencies that
 * columns of prices name, in their headings or with the prices: of `price` as `price.currency`.
 * The notes name currencies other than the yuan where no column takes them: the catalogue has prices without currency.
 */
async function cellReader(
  columns: readonly ImportColumn[],
  index: ReadonlyMap<string, number>,
  { header, separator }: Pick<Table, 'header' | 'separator'>,
  rows: readonly TableRow[],
): Promise<{
  read: (row: TableRow) => { cells: ReadonlyMap<string, string>; faults: RowFault[] };
  currencies: ReadonlyMap<string, string>;
  notes: Message[];
}> {
  const notes: Message[] = [];
  const currencies = new Map<string, string>();
  const hasCurrencies = columns.some(({ field }) => field.endsWith('currency'));
  const currencyColumn = [...index].find(([field]) => field.endsWith('currency'))?.[1] ?? -1;
  const textAt = ({ cells }: TableRow, column: number) => cells[column] ?? '';
  const found = columns.filter(({ field }) => index.has(field));
  const used = await inTurns(found, async ({ field, holds, required, isAmount }) => {
    const column = index.get(field)!;
    const isNumber = holds === 'number' || holds === 'price' || holds === 'percent';
    const texts: string[] = [];
    const signs = new Set<string>();
    let open: number | undefined;
    await inTurns(isNumber ? rows : [], (row) => {
      const text = textAt(row, column);
      const isText = row.kinds?.[column] === undefined && text.length <= MAX_NUMBER;
      if (isText) texts.push(unescapeFormula(text));
      const sign = row.signs?.get(column);
      if (sign !== undefined) signs.add(sign);
      const isPrice = hasCurrencies && holds === 'price' && text.length <= MAX_NUMBER && /\d/.test(text);
      const hasNone = isPrice && !textAt(row, currencyColumn).trim();
      if (hasNone && !currencyIn(`${text} ${sign ?? ''}`)) open ??= row.line;
    });
    const options = {
      signs: [...signs],
      isPrice: holds === 'price',
      hasThousands: holds === 'price' || (holds === 'number' && isAmount),
      name: header[column] ?? '',
      separator,
    };
    const [currency] = options.isPrice ? await currenciesOf(texts, options) : [];
    if (currency !== undefined) currencies.set(`${field}.currency`, currency);
    // The sign of one price says nothing of those without a sign.
    if (currency !== undefined && open !== undefined && !currencyIn(options.name)) {
      const values = { column: options.name, currency, line: open };
      throw new TableError(importText('import.currency-in-some', values));
    }
    if (currency !== undefined && currency !== 'CNY' && !hasCurrencies)
      notes.push(importText('import.currency', { column: options.name, currency }));
    const read = isNumber ? await numberColumn(texts, options) : (text: string): NumberCell => ({ text });
    const max = isNumber ? MAX_NUMBER : holds === 'json' ? Infinity : MAX_CELL;
    const isSplit = isNumber || required === true;
    return { field, column, max, isName: holds === 'name', isAmount, isSplit, read };
  });
  const readRow = (row: TableRow) => {
    if (row.fault) return { cells: new Map(), faults: [{ reason: row.fault }] };
    const cells = new Map<string, string>();
    const faults = used.flatMap(({ field, column, max, isName, isAmount, isSplit, read }) => {
      const merged = row.merged?.get(column);
      const text = merged?.text ?? textAt(row, column);
      const kind = row.kinds?.[column];
      if (text.length > max) return [{ field, reason: importText('import.too-long', { max }) }];
      // A merged supplier or phase applies to each of its rows. A merged amount cannot be divided between them.
      const address = `${columnLetters(column)}${row.line}`;
      const fault =
        merged && isSplit
          ? importText('import.cell-merged', { cell: address, other: merged.into })
          : (row.cellFaults?.get(column) ?? slipFault(address, spreadsheetSlip(text, kind, isName)));
      if (fault) return [{ field, reason: fault }];
      const sign = row.signs?.get(column) ?? '';
      const cell =
        kind === 'text'
          ? { text }
          : kind === undefined
            ? read(unescapeFormula(text))
            : read(isAmount ? `${text} ${sign}`.trim() : text, sign);
      if ('fault' in cell) return [{ field, reason: cell.fault }];
      cells.set(field, cell.text);
      return [];
    });
    return { cells, faults };
  };
  return { read: readRow, currencies, notes };
}

function slipFault(cell: string, slip: SpreadsheetSlip | undefined): Message | undefined {
  if (!slip) return undefined;
  return 'error' in slip
    ? importText('import.cell-error', { cell, error: slip.error })
    : importText('import.cell-date', { cell, date: slip.date });
}

/**
 * Reports columns without a name that have values. A column that only numbers the rows is ignored.
 * @throws TableError for any other such column, because its data would be lost
 */
function unnamedColumns(header: readonly string[], rows: readonly TableRow[]): Message[] {
  return header.flatMap((name, column) => {
    if (name !== '') return [];
    const cells = rows.map((row) => row.cells[column]?.trim() ?? '');
    const filled = cells.filter((cell) => cell !== '').length;
    if (filled === 0) return [];
    const letters = columnLetters(column);
    const first = Number(cells[0]);
    if ((first === 0 || first === 1) && cells.every((cell, at) => cell === String(first + at))) {
      return [importText('import.row-numbers', { letters })];
    }
    throw new TableError(
      importText('import.unnamed-column', { letters, count: filled.toLocaleString('en') }),
    );
  });
}
