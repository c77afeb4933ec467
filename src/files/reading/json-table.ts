import { importText } from '../import.texts';
import {
  type CellKind,
  checkRowCount,
  type JsonOptions,
  type Table,
  TableError,
  type TableLimits,
  type TableRow,
} from './table';

const BEGINNING = 1024;

/** Longest text, as for a row of a CSV file. */
const MAX_TEXT = 256 * 1024;

/** Deeper than any record that the service stores. */
const MAX_DEPTH = 80;

/** Returns true if a file is JSON: an object with names, or a list of objects. */
export const isJson = (content: Buffer): boolean =>
  /^\ufeff?\s*(?:\{\s*["}]|\[\s*[\]{])/.test(content.subarray(0, BEGINNING).toString());

/**
 * Reads the records of a JSON file as a table: `{"data":[…]}` as the export writes it, or the list alone. A record
 * becomes one row for each item of the innermost list on its paths. Rows are numbered as in a CSV file with a
 * header. Texts stay unchanged.
 * @throws TableError if it is not a list of records within the limits
 */
export function jsonTable(content: Buffer, { columns, paths }: JsonOptions, limits: TableLimits): Table {
  const wanted = columns.flatMap(({ field, holds }): JsonColumn[] => {
    const path = paths ? paths[field] : field;
    return path === undefined ? [] : [{ field, isJson: holds === 'json', path: path.split('.') }];
  });
  const found = new Set<string>();
  const rows: JsonRow[] = [];
  for (const record of recordsOf(content)) {
    for (const cells of cellsOf(record, wanted)) {
      for (const field of cells.keys()) found.add(field);
      checkRowCount(rows.push(cells), limits);
    }
  }
  const header = columns.map(({ field }) => field).filter((field) => found.has(field));
  if (header.length === 0) throw new TableError(importText('import.empty-json'));
  return { header, notes: [], above: [], rows: tableRows(header, rows) };
}

interface JsonColumn {
  readonly field: string;
  readonly isJson: boolean;
  readonly path: readonly string[];
}

interface JsonCell {
  text: string;
  kind: CellKind;
}

type JsonRow = Map<string, JsonCell>;

function recordsOf(content: Buffer): object[] {
  if (isTooDeep(content)) throw new TableError(importText('import.deep-json', { max: MAX_DEPTH }));
  const value = parsed(content);
  const records = Array.isArray(value) ? value : (value as { data?: unknown }).data;
  const list: unknown[] = Array.isArray(records) ? records : [records];
  if (!list.every((record) => typeof record === 'object' && record !== null)) {
    throw new TableError(importText('import.no-json-list'));
  }
  return list;
}

function parsed(content: Buffer): object {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content)) as object;
  } catch {
    throw new TableError(importText('import.broken-json'));
  }
}

/** Counted before the text is parsed. */
function isTooDeep(content: Buffer): boolean {
  const [quote, backslash, open, close] = [0x22, 0x5c, [0x5b, 0x7b], [0x5d, 0x7d]] as const;
  let depth = 0;
  let inText = false;
  for (let at = 0; at < content.length; at++) {
    const byte = content[at]!;
    if (inText) {
      if (byte === backslash) at++;
      else if (byte === quote) inText = false;
    } else if (byte === quote) inText = true;
    else if (byte === open[0] || byte === open[1]) {
      if (++depth > MAX_DEPTH) return true;
    } else if (byte === close[0] || byte === close[1]) depth--;
  }
  return false;
}

/** Returns the rows of a value. Each item of a list on the paths is a row with the values of the list's siblings. */
function cellsOf(value: unknown, wanted: readonly JsonColumn[]): JsonRow[] {
  if (Array.isArray(value)) return value.flatMap((item) => cellsOf(item, wanted));
  if (typeof value !== 'object' || value === null) return [new Map<string, JsonCell>()];
  const record = value as Record<string, unknown>;
  let rows: JsonRow[] = [new Map<string, JsonCell>()];
  for (const name of new Set(wanted.map(({ path }) => path[0]!))) {
    if (!Object.hasOwn(record, name)) continue;
    const own = wanted.filter(({ path }) => path[0] === name);
    const leaves = own.filter(({ path }) => path.length === 1);
    for (const { field, isJson: asJson } of leaves) {
      const cell = cellOf(record[name], asJson);
      if (cell.text.length > MAX_TEXT) {
        throw new TableError(importText('import.long-json-text', { max: MAX_TEXT }));
      }
      for (const row of rows) row.set(field, cell);
    }
    const inner = own
      .filter(({ path }) => path.length > 1)
      .map((column) => ({ ...column, path: column.path.slice(1) }));
    if (inner.length === 0) continue;
    const below = cellsOf(record[name], inner);
    rows = below.flatMap((cells) => rows.map((row): JsonRow => new Map([...row, ...cells])));
  }
  return rows;
}

function cellOf(value: unknown, asJson: boolean): JsonCell {
  if (value === null || value === undefined) return { text: '', kind: 'text' };
  if (typeof value === 'string' && !asJson) return { text: value, kind: 'text' };
  return { text: JSON.stringify(value), kind: typeof value === 'number' && !asJson ? 'number' : 'text' };
}

// eslint-disable-next-line @typescript-eslint/require-await -- a Table is read asynchronously
async function* tableRows(header: readonly string[], rows: readonly JsonRow[]): AsyncGenerator<TableRow> {
  for (const [index, row] of rows.entries()) {
    const cells = header.map((field) => row.get(field));
    yield {
      line: index + 2,
      cells: cells.map((cell) => cell?.text ?? ''),
      kinds: cells.map((cell) => cell?.kind),
    };
  }
}
