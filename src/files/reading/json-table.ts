import { shortened } from '../../platform/texts/text';
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

/** Most names that a note says are not read. */
const MAX_UNREAD = 20;

/** Deeper than any record that the service stores. */
const MAX_DEPTH = 80;

/** Returns true if a file is JSON: an object with names, or a list of objects. */
export const isJson = (content: Buffer): boolean =>
  /^\ufeff?\s*(?:\{\s*["}]|\[\s*[\]{])/.test(content.subarray(0, BEGINNING).toString());

/**
 * Objects and lists in a file, by its limit of rows. A line of a formula takes two, and its phase, version and formula
 * up to six more.
 */
const CONTAINERS_PER_ROW = 8;

/**
 * Reads the records of a JSON file as a table: `{"data":[…]}` or `{"data":{"rows":[…]}}` as exports write it, or the
 * list alone. A record
 * becomes one row for each item of the list that its format has, and of the list in each item. Rows are numbered as
 * in a CSV file with a header. Texts stay unchanged.
 * @throws TableError if it is not a list of records within the limits
 */
export function jsonTable(content: Buffer, { columns, paths }: JsonOptions, limits: TableLimits): Table {
  const level: Level = { cells: [], objects: new Map(), lists: new Map() };
  for (const { field, holds } of columns) {
    const path = paths ? paths[field] : field;
    if (path !== undefined) addCell(level, path.split('.'), { field, isJson: holds === 'json' });
  }
  const records = recordsOf(content, limits);
  const found = new Set<string>();
  let count = 0;
  // The rows of a large file need several times its memory, so they are made twice instead of being kept.
  for (const row of rowsOf(records, level)) {
    checkRowCount(++count, limits);
    for (const field of row.keys()) found.add(field);
  }
  const header = columns.map(({ field }) => field).filter((field) => found.has(field));
  if (header.length === 0) throw new TableError(importText('import.empty-json'));
  const unread = new Set<string>();
  // A format with paths is that of exports, whose records say more than an import reads.
  if (!paths) for (const record of records) addUnread(unread, record, level);
  const notes = unread.size > 0 ? [importText('import.unread-names', { names: [...unread] })] : [];
  return { header, notes, above: [], rows: tableRows(header, rowsOf(records, level)) };
}

/** What is read of an object: its own cells, and the objects and the list inside it, by name. */
interface Level {
  readonly cells: { name: string; field: string; isJson: boolean }[];
  readonly objects: Map<string, Level>;
  readonly lists: Map<string, Level>;
}

interface JsonCell {
  text: string;
  kind: CellKind;
}

type JsonRow = Map<string, JsonCell>;

function addCell(level: Level, [name, ...rest]: string[], column: { field: string; isJson: boolean }): void {
  if (rest.length === 0) return void level.cells.push({ ...column, name: name! });
  const isList = name!.endsWith('[]');
  const inner = isList ? level.lists : level.objects;
  const key = isList ? name!.slice(0, -2) : name!;
  if (!inner.has(key)) inner.set(key, { cells: [], objects: new Map(), lists: new Map() });
  if (level.lists.size > 1) throw new Error('A JSON file can have one list in each record or item');
  addCell(inner.get(key)!, rest, column);
}

/** Adds the names of an object that nothing is read of, such as `supplier.price_eur`. */
function addUnread(names: Set<string>, record: object, level: Level, path = ''): void {
  for (const name of names.size < MAX_UNREAD ? Object.keys(record) : []) {
    const [value, inner] = [(record as Record<string, unknown>)[name], level.objects.get(name)];
    const isRead = level.lists.has(name) || level.cells.some((cell) => cell.name === name);
    if (names.size >= MAX_UNREAD || isRead || value === null) continue;
    if (inner && typeof value === 'object') addUnread(names, value, inner, `${path}${name}.`);
    else names.add(shortened(path + name, 60));
  }
}

function recordsOf(content: Buffer, { rows }: TableLimits): object[] {
  checkContainers(content, rows * CONTAINERS_PER_ROW);
  const value = parsed(content);
  const data = Array.isArray(value) ? value : (value as { data?: unknown }).data;
  const records = typeof data === 'object' && data !== null && 'rows' in data ? data.rows : data;
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

/** Before the text is parsed, because an empty object in a list takes twenty times the memory of its text. */
function checkContainers(content: Buffer, most: number): void {
  const [quote, backslash, open, close] = [0x22, 0x5c, [0x5b, 0x7b], [0x5d, 0x7d]] as const;
  let depth = 0;
  let count = 0;
  let inText = false;
  for (let at = 0; at < content.length; at++) {
    const byte = content[at]!;
    if (inText) {
      if (byte === backslash) at++;
      else if (byte === quote) inText = false;
    } else if (byte === quote) inText = true;
    else if (byte === open[0] || byte === open[1]) {
      if (++depth > MAX_DEPTH) throw new TableError(importText('import.deep-json', { max: MAX_DEPTH }));
      if (++count > most) throw new TableError(importText('import.too-demanding'));
    } else if (byte === close[0] || byte === close[1]) depth--;
  }
}

/** Yields the rows of a value: one with `above` for an object, or one for each item of its list. */
function* rowsOf(value: unknown, level: Level, above?: JsonRow): Generator<JsonRow> {
  if (Array.isArray(value)) {
    for (const item of value) yield* rowsOf(item, level, above);
    return;
  }
  const row: JsonRow = new Map(above);
  const list = fill(row, value, level);
  if (list) yield* rowsOf(list.items, list.level, row);
  else yield row;
}

/** Sets the cells of an object. Returns the list inside it. */
function fill(row: JsonRow, value: unknown, level: Level): { items: unknown; level: Level } | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const record = value as Record<string, unknown>;
  for (const { name, field, isJson: asJson } of level.cells) {
    if (!Object.hasOwn(record, name)) continue;
    const cell = cellOf(record[name], asJson);
    if (cell.text.length > MAX_TEXT)
      throw new TableError(importText('import.long-json-text', { max: MAX_TEXT }));
    row.set(field, cell);
  }
  for (const [name, inner] of level.objects) {
    if (!Object.hasOwn(record, name)) continue;
    if (Array.isArray(record[name])) throw new TableError(importText('import.json-list', { name }));
    fill(row, record[name], inner);
  }
  for (const [name, inner] of level.lists) {
    if (Object.hasOwn(record, name)) return { items: record[name], level: inner };
  }
  return undefined;
}

function cellOf(value: unknown, asJson: boolean): JsonCell {
  if (value === null || value === undefined) return { text: '', kind: 'text' };
  if (typeof value === 'string' && !asJson) return { text: value, kind: 'text' };
  return { text: JSON.stringify(value), kind: typeof value === 'number' && !asJson ? 'number' : 'text' };
}

// eslint-disable-next-line @typescript-eslint/require-await -- a Table is read asynchronously
async function* tableRows(header: readonly string[], rows: Iterable<JsonRow>): AsyncGenerator<TableRow> {
  let line = 2;
  for (const row of rows) {
    const cells = header.map((field) => row.get(field));
    yield {
      line: line++,
      cells: cells.map((cell) => cell?.text ?? ''),
      kinds: cells.map((cell) => cell?.kind),
    };
  }
}
