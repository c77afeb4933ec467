import type { ImportColumn } from '../../common/import/import-column';
import type { RefusedRow } from '../../common/import/import-report';
import { CliError, UsageError } from '../cli-error';
import { type CliIo, number, Progress } from '../cli-io';
import {
  type ColumnChoice,
  ColumnChoiceError,
  knownNames,
  mapColumns,
  parseColumnChoice,
} from '../table/column-mapping';
import { unescapeFormula } from '../table/formula-escape';
import { openTable } from '../table/open-table';
import { cellFault } from '../table/spreadsheet-slips';
import { columnLetters, type Table, TableError, type TableRow } from '../table/table';
import { type NumberCell, numberColumn } from './number-column';

export interface ReadRequest<Field extends string> {
  io: CliIo;
  path: string;
  columns: readonly ImportColumn<Field>[];
  choices?: readonly ColumnChoice[];
  /** The encoding of a CSV file, and the sheet of an XLSX file, where the user names it. */
  encoding?: string;
  sheet?: string;
}

export interface RowsRead {
  refused: RefusedRow[];
  /** What the report is to say of the file. */
  notes: string[];
}

type Cell<Field> = (field: Field) => string | undefined;

/**
 * Reads the rows of a CSV or XLSX file one by one.
 * @param take gets the row's line, its cells by field (undefined: the file has no such column) and the names
 *   of their columns; answers with the reasons for which the row is refused, none when it is taken
 * @throws CliError that names the file when it cannot be read, UsageError for a wrong `--map`
 */
export async function readRows<Field extends string>(
  { io, path, columns, choices = [], encoding, sheet }: ReadRequest<Field>,
  take: (line: number, cell: Cell<Field>, nameOf: Cell<Field>) => readonly string[],
): Promise<RowsRead> {
  const progress = new Progress(io);
  const refused: RefusedRow[] = [];
  try {
    const table = await openTable(path, {
      encoding,
      sheet,
      knownNames: (cells) => knownNames(cells, columns, choices),
    });
    const mapped = mapColumns(table.header, columns, choices);
    if (mapped.ignored.length > 0) {
      io.tell(`Columns without a field, ignored: ${mapped.ignored.join(', ')}`);
    }
    const nameOf = (field: Field) => table.header[mapped.index.get(field) ?? -1];
    const rows: TableRow[] = [];
    for await (const row of table.rows) rows.push(row);
    const notes = [...table.notes, ...unnamedColumns(table.header, rows)];
    const readCells = cellReader(columns, mapped.index, table, rows);
    rows.forEach((row, index) => {
      const { cells, faults } = readCells(row);
      const reasons = faults.length > 0 ? faults : take(row.line, (field) => cells.get(field), nameOf);
      if (reasons.length > 0) refused.push({ line: row.line, reason: reasons.join('; ') });
      progress.update('Reading rows', index + 1);
    });
    progress.done();
    io.tell(`${number(rows.length)} rows read`);
    return { refused, notes };
  } catch (error) {
    progress.done();
    if (error instanceof TableError) throw new CliError(`${path}: ${error.message}`);
    if (error instanceof ColumnChoiceError) throw new UsageError(`--map: ${error.message}`);
    throw error;
  }
}

/** Gives a row's cells by field, and what is wrong with those that hold nothing to read. */
function cellReader<Field extends string>(
  columns: readonly ImportColumn<Field>[],
  index: ReadonlyMap<Field, number>,
  { header, separator }: Table,
  rows: readonly TableRow[],
): (row: TableRow) => { cells: ReadonlyMap<Field, string>; faults: string[] } {
  const textAt = ({ cells }: TableRow, column: number) => cells[column] ?? '';
  const used = columns.flatMap(({ field, holds }) => {
    const column = index.get(field);
    if (column === undefined) return [];
    const isNumber = holds === 'number' || holds === 'price';
    const texts = isNumber
      ? rows.flatMap((row) =>
          row.kinds?.[column] === undefined ? [unescapeFormula(textAt(row, column))] : [],
        )
      : [];
    const options = { isPrice: holds === 'price', name: header[column] ?? '', separator };
    const read = isNumber ? numberColumn(texts, options) : (text: string): NumberCell => ({ text });
    return [{ field, column, isName: holds === 'name', read }];
  });
  return (row) => {
    if (row.fault) return { cells: new Map(), faults: [row.fault] };
    const cells = new Map<Field, string>();
    const faults = used.flatMap(({ field, column, isName, read }) => {
      const text = textAt(row, column);
      const kind = row.kinds?.[column];
      const fault = row.cellFaults?.get(column) ?? cellFault(text, kind, isName);
      if (fault) return [`${field}: cell ${columnLetters(column)}${row.line} ${fault}`];
      const cell = kind === undefined ? read(unescapeFormula(text)) : { text };
      if ('fault' in cell) return [`${field}: ${cell.fault}`];
      cells.set(field, cell.text);
      return [];
    });
    return { cells, faults };
  };
}

/**
 * Columns without a name whose cells are filled: a number of each row, as some programs write first, is of no
 * interest.
 * @throws TableError for any other: nobody knows what is lost with it
 */
function unnamedColumns(header: readonly string[], rows: readonly TableRow[]): string[] {
  return header.flatMap((name, column) => {
    if (name !== '') return [];
    const cells = rows.map((row) => row.cells[column]?.trim() ?? '');
    const filled = cells.filter((cell) => cell !== '').length;
    if (filled === 0) return [];
    const letters = columnLetters(column);
    const first = Number(cells[0]);
    if ((first === 0 || first === 1) && cells.every((cell, at) => cell === String(first + at))) {
      return [`Column ${letters} has no name and counts the rows: it was not read`];
    }
    throw new TableError(
      `Column ${letters} has no name, and ${number(filled)} of its cells are filled: give it a name in the header.`,
    );
  });
}

/** One `--map` option after another, as commander hands them in. */
export function addColumnChoice(text: string, earlier: readonly ColumnChoice[] = []): ColumnChoice[] {
  try {
    return [...earlier, parseColumnChoice(text)];
  } catch (error) {
    throw error instanceof ColumnChoiceError ? new UsageError(`--map: ${error.message}`) : error;
  }
}
