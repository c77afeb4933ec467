import { Readable } from 'node:stream';
import { type CsvError, parse as parseStream } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import type { Message } from '../../platform/texts/define-texts';
import { importText } from '../import.texts';
import {
  aboveHeader,
  checkRowCount,
  fitToHeader,
  HEADER_ROWS,
  headerOf,
  TABLE_LIMITS,
  TableError,
  type Table,
  type TableLimits,
  type TableOptions,
  type TableRow,
} from './table';
import { decodeText } from './text-encoding';

const SLICE_CHARACTERS = 64 * 1024;

/** The line that tells Excel the separator of a file. */
const SEPARATOR_LINE = /^"?sep=([^"\r\n])"?(?:\r\n|\r|\n|$)/i;
const SEPARATORS = [',', ';', '\t', '|'];

/**
 * Reads a CSV file as a table: comma, semicolon, tab or bar between the cells, quotes as in RFC 4180. The header is
 * the first row that contains names of columns, otherwise the first row.
 * @throws TableError for an uncertain encoding, broken quoting, a missing header, or too many rows
 */
export async function csvTable(content: Buffer, options: TableOptions = {}): Promise<Table> {
  const { limits = TABLE_LIMITS, knownNames = () => [] } = options;
  const { notes, ...decoded } = decodeText(content, options.encoding, (candidate) => {
    return knownNames(headerIn(unwrapped(candidate, knownNames), limits, knownNames).cells);
  });
  const text = unwrapped(decoded.text, knownNames);
  const { headerRow } = options;
  const found = headerIn(text, limits, knownNames);
  const { separator, line } = { ...found, ...(headerRow !== undefined && { line: headerRow }) };
  const records = readRecords(text, separator, limits);
  const above: CsvRecord[] = [];
  let first = await records.next();
  while (!first.done && (first.value.line < line || isBlankLine(first.value))) {
    if (!isBlank(first.value.cells) && !(first.value.line === 1 && SEPARATOR_LINE.test(text))) {
      above.push(first.value);
    }
    first = await records.next();
  }
  if (first.done) throw noHeader(headerRow);
  if (headerRow !== undefined && first.value.line !== headerRow) throw noHeader(headerRow);
  const header = headerOf(first.value.cells, limits);

  async function* rows(): AsyncGenerator<TableRow> {
    let count = 0;
    for await (const { line, cells } of records) {
      if (isBlank(cells)) continue;
      checkRowCount(++count, limits);
      yield fitToHeader(line, cells, header.length);
    }
  }
  return {
    header,
    notes: [...notes, ...aboveHeader(above.map((row) => row.line))],
    above: above.map(({ cells }) => cells),
    separator,
    rows: rows(),
  };
}

/**
 * Removes the quotes that Excel writes around the rows of a table that was pasted into one column: `"A,Aqua,95"`. It
 * writes none around a row without a comma, and a person who mends a row may have removed them.
 */
function unwrapped(text: string, knownNames: (cells: readonly string[]) => readonly string[]): string {
  const rows = /^\s*"/.test(text) ? text.split(/\r\n|\r|\n/) : [];
  const inner = rows.map((row) => (/^"/.test(row) && row.endsWith('"') ? row.slice(1, -1) : row));
  const isHeader = (row: string) => SEPARATORS.some((mark) => knownNames(row.split(mark)).length > 1);
  const isPlain = (row: string, at: number) =>
    !(row === rows[at] ? row : row.replaceAll('""', '')).includes('"');
  const areMost = inner.filter((row, at) => row !== rows[at]).length * 2 > rows.filter(Boolean).length;
  const areWrapped = areMost && inner.every(isPlain) && inner.slice(0, HEADER_ROWS).some(isHeader);
  return areWrapped ? inner.map((row) => row.replaceAll('""', '"')).join('\n') : text;
}

const noHeader = (headerRow: number | undefined) =>
  new TableError(
    headerRow === undefined
      ? importText('import.empty-file')
      : importText('import.no-header-line', { line: headerRow }),
  );

interface CsvRecord {
  line: number;
  cells: string[];
}

const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '');
/** An empty line, unlike a row of separators only. */
const isBlankLine = ({ cells }: CsvRecord) => cells.length === 1 && isBlank(cells);

/**
 * Returns the row with the most names of columns, over all separators; without any, the first row with the separator
 * that most rows have. A separator that no row below has is a part of a name: `Content, %`.
 */
function headerIn(
  text: string,
  limits: TableLimits,
  knownNames: (cells: readonly string[]) => readonly string[],
): { separator: string; line: number; cells: string[] } {
  const given = SEPARATOR_LINE.exec(text)?.[1];
  const found = (given === undefined ? SEPARATORS : [given]).map((separator) => {
    const records = firstRecords(text, separator, limits).slice(given === undefined ? 0 : 1);
    const header = records.find(({ cells }) => knownNames(cells).length > 0) ?? records[0];
    const { line = given === undefined ? 1 : 2, cells = [] } = header ?? {};
    const below = records.filter((row) => row.line > line && !isBlank(row.cells));
    const split = below.filter((row) => row.cells.length > 1).length;
    const isUnused = cells.length > 1 && below.length > 0 && split === 0;
    return { separator, line, cells, split, isUnused, known: knownNames(cells).length };
  });
  const used = found.filter(({ isUnused }) => !isUnused || found.every(({ split }) => split === 0));
  const [best] = used.sort(
    (a, b) => b.known - a.known || (a.known === 0 && b.split - a.split) || b.cells.length - a.cells.length,
  );
  return best!;
}

/** Returns the rows that may be the header or precede it; fewer if the quoting is broken. */
function firstRecords(text: string, delimiter: string, limits: TableLimits): CsvRecord[] {
  const records: CsvRecord[] = [];
  let line = 1;
  try {
    parse(text.slice(0, 4 * SLICE_CHARACTERS), {
      ...csvOptions(delimiter, limits),
      to: HEADER_ROWS,
      on_record: (cells: string[]) => {
        records.push({ line, cells });
        line += 1 + lineBreaks(cells);
        return null;
      },
    });
  } catch {
    // A stray quote, or one that is not closed within the parsed part, is reported when the rows are read.
  }
  return records;
}

const csvOptions = (delimiter: string, limits: TableLimits) => ({
  delimiter,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  max_record_size: limits.rowCharacters,
});

async function* readRecords(text: string, delimiter: string, limits: TableLimits): AsyncGenerator<CsvRecord> {
  let start = 1;
  const startLines: number[] = [];
  const parser = parseStream({
    ...csvOptions(delimiter, limits),
    // Called when each row is complete, so `start` is right even if the next row is broken.
    on_record: (cells) => {
      startLines.push(start);
      start += 1 + lineBreaks(cells);
      return cells;
    },
  });
  try {
    // Piped slice by slice, so that only a part of the file is in memory as rows.
    for await (const cells of Readable.from(slicesOf(text)).pipe(parser) as AsyncIterable<string[]>) {
      yield { line: startLines.shift() ?? start, cells };
    }
  } catch (error) {
    throw quotingError(error, start);
  } finally {
    parser.destroy();
  }
}

function* slicesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += SLICE_CHARACTERS) yield text.slice(at, at + SLICE_CHARACTERS);
}

/** Counts line breaks inside cells. csv-parse's own count takes a CRLF in quotes for two. */
function lineBreaks(cells: readonly string[]): number {
  return cells.reduce((count, cell) => count + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
}

const TEXT_AFTER_QUOTE = importText('import.text-after-quote');
const QUOTING_FAULTS = new Map<string, Message>([
  ['CSV_QUOTE_NOT_CLOSED', importText('import.open-quote')],
  ['CSV_MAX_RECORD_SIZE', importText('import.endless-row')],
  ['CSV_INVALID_CLOSING_QUOTE', TEXT_AFTER_QUOTE],
  ['CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE', TEXT_AFTER_QUOTE],
  ['INVALID_OPENING_QUOTE', importText('import.quote-inside')],
]);

/** Names a row of several lines by its first, because the stray quote is usually there. */
function quotingError(error: unknown, start: number): unknown {
  const { code: cause, lines } = error as CsvError;
  const fault = QUOTING_FAULTS.get(cause);
  if (fault === undefined) return error;
  const code = Number(lines) > start ? 'import.quoting-in-row' : 'import.quoting-in-line';
  return new TableError(importText(code, { line: start, fault }));
}
