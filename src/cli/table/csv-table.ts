import { type CsvError, parse } from 'csv-parse';
import { fitToHeader, headerOf, TableError, type Table, type TableLimits, type TableRow } from './table';

const SLICE_CHARACTERS = 64 * 1024;
const NEWLINE = 0x0a;

/**
 * A CSV file's content as a table: comma, semicolon or tab between the cells (whichever the header uses),
 * quotes as in RFC 4180, UTF-8 with or without a byte order mark.
 * @throws TableError for another encoding, broken quoting, a missing header, too many rows
 */
export async function csvTable(content: Buffer, limits: TableLimits): Promise<Table> {
  const text = decodeUtf8(content);
  const records = readRecords(text, separatorOf(text), limits);
  const first = await records.next();
  if (first.done) throw new TableError('The file is empty.');
  const header = headerOf(first.value.cells, limits);

  async function* rows(): AsyncGenerator<TableRow> {
    let count = 0;
    for await (const { line, cells } of records) {
      if (cells.every((cell) => cell.trim() === '')) continue;
      if (++count > limits.rows) {
        throw new TableError(`The file has more than ${limits.rows.toLocaleString('en')} rows: split it.`);
      }
      yield fitToHeader(line, cells, header.length);
    }
  }
  return { header, rows: rows() };
}

interface CsvRecord {
  line: number;
  cells: string[];
}

async function* readRecords(text: string, delimiter: string, limits: TableLimits): AsyncGenerator<CsvRecord> {
  let start = 1;
  const startLines: number[] = [];
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: limits.rowCharacters,
    // Called as each row is completed, so `start` is also right when the row after it turns out to be broken.
    on_record: (cells) => {
      startLines.push(start);
      start += 1 + lineBreaks(cells);
      return cells;
    },
  });
  // Fed slice by slice as rows are taken, so that only a part of the file exists as rows.
  const slices = (function* () {
    for (let at = 0; at < text.length; at += SLICE_CHARACTERS) yield text.slice(at, at + SLICE_CHARACTERS);
  })();
  const feed = () => {
    for (;;) {
      const { done, value } = slices.next();
      if (done) {
        parser.end();
        return;
      }
      if (!parser.write(value)) return;
    }
  };
  parser.on('drain', feed);

  try {
    feed();
    for await (const cells of parser as AsyncIterable<string[]>) {
      yield { line: startLines.shift() ?? start, cells };
    }
  } catch (error) {
    throw quotingError(error, start);
  } finally {
    parser.removeListener('drain', feed);
    parser.destroy();
  }
}

/** Line breaks inside the cells; csv-parse's own count takes a CRLF in quotes for two. */
function lineBreaks(cells: readonly string[]): number {
  return cells.reduce((count, cell) => count + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
}

const TEXT_AFTER_QUOTE = 'text follows a closing quote. A quote inside a quoted cell is written twice ("").';
const QUOTING_FAULTS = new Map<string, string>([
  ['CSV_QUOTE_NOT_CLOSED', 'a quote is opened and never closed.'],
  ['CSV_MAX_RECORD_SIZE', 'the row does not end; is a quote opened there and never closed?'],
  ['CSV_INVALID_CLOSING_QUOTE', TEXT_AFTER_QUOTE],
  ['CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE', TEXT_AFTER_QUOTE],
  [
    'INVALID_OPENING_QUOTE',
    'a quote stands inside an unquoted cell. Put the whole cell in quotes and write the quote inside twice ("").',
  ],
]);

/** A row that spans lines is named by its first: that is where a stray quote is to be looked for. */
function quotingError(error: unknown, start: number): unknown {
  const { code, lines } = error as CsvError;
  const fault = QUOTING_FAULTS.get(code);
  if (fault === undefined) return error;
  const where = Number(lines) > start ? `the row that starts in line ${start}` : `line ${start}`;
  return new TableError(`Broken quoting in ${where}: ${fault}`);
}

/** The separator the header uses most, outside quotes. */
function separatorOf(text: string): string {
  const counts = new Map([
    [',', 0],
    [';', 0],
    ['\t', 0],
  ]);
  let quoted = false;
  for (const character of text.slice(0, SLICE_CHARACTERS)) {
    if (character === '"') quoted = !quoted;
    else if (!quoted && (character === '\n' || character === '\r')) break;
    else if (!quoted && counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0];
}

const SAVE_AS = 'Save it as UTF-8 (in Excel: "CSV UTF-8 (comma delimited)") and try again.';

/** @throws TableError that names the encoding, where it can be told, and the first line that is not UTF-8 */
function decodeUtf8(content: Buffer): string {
  const [first, second] = content;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new TableError(`The file is UTF-16 text ("Unicode text" in Excel). ${SAVE_AS}`);
  }
  const nul = content.indexOf(0);
  if (nul >= 0) {
    throw new TableError(
      `Line ${lineAt(content, nul)} holds NUL bytes: this is no text file, or it is UTF-16. ${SAVE_AS}`,
    );
  }
  try {
    // Drops a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    const guess = isChineseGb(content)
      ? ' It looks like GBK/GB18030, which Excel writes as plain "CSV".'
      : '';
    throw new TableError(`Line ${firstLineNotUtf8(content)} is not UTF-8 text.${guess} ${SAVE_AS}`);
  }
}

function firstLineNotUtf8(content: Buffer): number {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  // A newline byte is never part of a longer UTF-8 sequence, so lines can be tried one by one.
  for (let line = 1, start = 0; ; line++) {
    const end = content.indexOf(NEWLINE, start);
    try {
      decoder.decode(content.subarray(start, end < 0 ? content.length : end));
    } catch {
      return line;
    }
    if (end < 0) return line;
    start = end + 1;
  }
}

function isChineseGb(content: Buffer): boolean {
  try {
    return /\p{Script=Han}/u.test(new TextDecoder('gb18030', { fatal: true }).decode(content));
  } catch {
    return false;
  }
}

function lineAt(content: Buffer, offset: number): number {
  let line = 1;
  for (let at = content.indexOf(NEWLINE); at >= 0 && at < offset; at = content.indexOf(NEWLINE, at + 1))
    line++;
  return line;
}
