import { createHash } from 'node:crypto';
import { z } from 'zod';
import { DatabaseSetupError } from '../database-setup-error';
import { RowChecksum, type RowsSum } from './row-checksum';
import {
  LONGEST_ROW_BYTES,
  type SequenceState,
  type TransferHead,
  type TransferPart,
  type TransferParts,
} from './transfer-parts';

/** Raised when older versions could not read what is written any more. */
const FORMAT = 1;

/** Rows are handed on in pieces of about so many characters, or of so many rows. */
const PIECE_CHARACTERS = 1_000_000;
const PIECE_ROWS = 2000;

const TEXTS = z.array(z.string()).readonly();

const HEAD_LINE = z.object({
  formulaBackup: z.literal(FORMAT),
  readAt: z.string(),
  migrations: TEXTS,
  sealed: z.record(z.string(), z.string()),
});
const TABLE_LINE = z.object({ table: z.string(), columns: TEXTS });
const SEQUENCES_LINE = z.object({
  sequences: z.array(
    z.object({ name: z.string(), value: z.string().regex(/^-?\d{1,19}$/), isCalled: z.boolean() }),
  ),
});

type Line =
  | z.infer<typeof HEAD_LINE>
  | { table: string; columns: readonly string[] }
  | RowsSum
  | { sequences: readonly SequenceState[] }
  | { complete: true; sha256: string };

/**
 * A transfer as lines of JSON: a head, of each table its name and columns, its rows, one a line, and how many
 * there were with their checksum; the sequences; at the end the SHA-256 of all lines before.
 */
export async function* backupLines(parts: TransferParts): AsyncGenerator<Buffer> {
  const digest = createHash('sha256');
  let sum: RowChecksum | undefined;
  const lines = (texts: readonly string[]): Buffer => {
    const bytes = Buffer.from(`${texts.join('\n')}\n`);
    digest.update(bytes);
    return bytes;
  };
  const line = (value: Line) => lines([JSON.stringify(value)]);
  for await (const part of parts) {
    if (part.kind !== 'rows' && sum) {
      yield line(sum.result);
      sum = undefined;
    }
    switch (part.kind) {
      case 'head': {
        const { migrations, readAt, sealed } = part;
        yield line({ formulaBackup: FORMAT, readAt, migrations, sealed });
        break;
      }
      case 'table':
        sum = new RowChecksum();
        yield line({ table: part.name, columns: part.columns });
        break;
      case 'rows':
        sum!.add(part.rows);
        if (part.rows.length > 0) yield lines(part.rows);
        break;
      case 'sequences':
        yield line({ sequences: part.sequences });
    }
  }
  yield line({ complete: true, sha256: digest.copy().digest('hex') });
}

const damaged = (what: string) => new DatabaseSetupError(`The backup is damaged (${what}): use another one`);

/**
 * The transfer that lines were made of.
 * @throws DatabaseSetupError where they are not what was written, or of a later format
 */
export async function* partsOfBackup(chunks: AsyncIterable<Buffer>): AsyncGenerator<TransferPart> {
  const digest = createHash('sha256');
  let columns = 0;
  let sum: RowChecksum | undefined;
  let rows: string[] = [];
  let characters = 0;
  let number = 0;
  let isComplete = false;
  const takeRows = function* (): Generator<TransferPart> {
    if (rows.length > 0) yield { kind: 'rows', rows };
    rows = [];
    characters = 0;
  };
  for await (const bytes of linesOf(chunks)) {
    number += 1;
    if (isComplete) throw damaged(`line ${number} is behind its end`);
    const text = bytes.toString('utf8');
    const value = parsed(text, number);
    if ((number === 1) !== 'formulaBackup' in value) throw notOurs(number);
    if (Array.isArray(value)) {
      if (!sum || !isRow(value, columns)) throw damaged(`line ${number} is no row`);
      sum.add([text]);
      rows.push(text);
      characters += text.length;
      if (characters >= PIECE_CHARACTERS || rows.length >= PIECE_ROWS) yield* takeRows();
    } else if ('complete' in value) {
      if (sum || value.sha256 !== digest.copy().digest('hex')) throw damaged('its checksum is another');
      isComplete = true;
    } else if ('rows' in value) {
      const found = sum?.result;
      if (found?.rows !== value.rows || found.checksum !== value.checksum) {
        throw damaged(`line ${number}: the checksum of the rows before it is another`);
      }
      yield* takeRows();
      sum = undefined;
    } else if (sum) throw damaged(`line ${number} is no row`);
    else if ('formulaBackup' in value) yield headOf(value);
    else if ('table' in value) {
      const table = checked(TABLE_LINE, value, number);
      columns = table.columns.length;
      sum = new RowChecksum();
      yield { kind: 'table', name: table.table, columns: table.columns };
    } else if ('sequences' in value) {
      yield { kind: 'sequences', ...checked(SEQUENCES_LINE, value, number) };
    } else throw damaged(`line ${number} is not known`);
    digest.update(bytes).update('\n');
  }
  if (!isComplete) throw damaged('it ends before its end');
}

const notOurs = (line: number) =>
  line === 1
    ? new DatabaseSetupError('The file is no backup of this service')
    : damaged(`line ${line} is a head`);

function headOf(value: { formulaBackup: unknown }): TransferHead {
  // Of a later format only this is known.
  if (Number(value.formulaBackup) > FORMAT) {
    throw new DatabaseSetupError(
      `The backup was made by a later version of the service (format ${String(value.formulaBackup)}): restore it ` +
        'with that one',
    );
  }
  const { migrations, readAt, sealed } = checked(HEAD_LINE, value, 1);
  return { kind: 'head', migrations, readAt, sealed };
}

function checked<T>(schema: z.ZodType<T>, value: unknown, number: number): T {
  const { success, data } = schema.safeParse(value);
  if (!success) throw damaged(`line ${number} cannot be read`);
  return data;
}

function parsed(text: string, number: number): Line | unknown[] {
  try {
    const value = JSON.parse(text) as Line | unknown[] | null;
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Said below.
  }
  throw number === 1 ? notOurs(1) : damaged(`line ${number} cannot be read`);
}

const isRow = (values: readonly unknown[], columns: number): boolean =>
  values.length === columns && values.every((value) => value === null || typeof value === 'string');

/** @throws DatabaseSetupError where a line has no end */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const rest = chunk.subarray(from, end);
      yield begun.length === 0 ? rest : Buffer.concat([...begun, rest]);
      begun = [];
      length = 0;
      from = end + 1;
    }
    if (from === chunk.length) continue;
    begun.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > LONGEST_ROW_BYTES) throw damaged('a line has no end, or a row has more than 250 MB');
  }
  if (length > 0) yield Buffer.concat(begun);
}
