import { readFile } from 'node:fs/promises';
import { validateSync } from 'class-validator';
import type { Type } from '@nestjs/common';
import { inTurns } from '../platform/common/in-turns';
import { InvalidInputError } from '../platform/common/errors/service-error';
import { FORM_FIELD, type ReceivedFile } from '../platform/http/accepts-file';
import { isEnglish } from '../platform/texts/languages';
import { text } from '../platform/texts/text';
import { readDecimal } from '../platform/validation/decimal';
import { fieldFaults } from '../platform/validation/input.pipe';
import { requestInstance } from '../platform/validation/request-instance';
import type { FileImportDescription, FileReading, ImportDraft } from './file-import';
import { ignoredColumns, type Reason, reasonOf, type RefusedRow, renderReason } from './import-report';
import { importText } from './import.texts';
import type { ImportColumn } from './mapping/file-column';
import { parseColumnChoice } from './mapping/column-mapping';
import { type ImportFileOptions, readRows, type ReadOptions, type RowsRead } from './mapping/read-rows';
import { openTableInThread } from './reading/open-table-in-thread';
import { TableError } from './reading/table';

/** Most different remarks on rows in a report. */
const MAX_REMARKS = 200;

export interface ImportFileReading<Draft = ImportDraft> extends RowsRead {
  drafts: Draft[];
}

/**
 * Reads the rows of a CSV, XLSX or JSON file. Pass the result to `FileImport.import`.
 * @throws TableError if the file cannot be read, ColumnChoiceError for an invalid choice
 */
export async function readImportFile<Draft = ImportDraft>(
  content: Buffer,
  { columns, notes: noteRows, readRow, jsonPaths }: FileReading<Draft>,
  options: ImportFileOptions & Pick<ReadOptions, 'open'> = {},
): Promise<ImportFileReading<Draft>> {
  const drafts: Draft[] = [];
  const remarks = new Map<string, { remark: Reason; count: number }>();
  let more = 0;
  const { notes, ...read } = await readRows(
    content,
    columns,
    { ...options, noteRows, jsonPaths },
    (line, cell, nameOf) => {
      const reading = readRow(line, cell, nameOf);
      if (reading.draft) drafts.push(reading.draft);
      for (const remark of reading.remarks ?? []) {
        const key = JSON.stringify(remark);
        const known = remarks.get(key);
        if (known) known.count++;
        else if (remarks.size === MAX_REMARKS) more++;
        else remarks.set(key, { remark, count: 1 });
      }
      return reading.faults;
    },
  );
  const counted = [...remarks.values()].map(({ remark, count }) =>
    importText(count === 1 ? 'import.in-one-row' : 'import.in-rows', { remark, count }),
  );
  const rest = more > 0 ? [importText('import.more-notes', { count: more })] : [];
  return { ...read, drafts, notes: [...notes, ...counted, ...rest] };
}

/** A refused row of a file in a request. Of many, only the reasons that somebody reads are rendered. */
class ReceivedRefusal implements RefusedRow {
  readonly line: number;
  readonly faults: RefusedRow['faults'];
  readonly #language: string;

  constructor({ line, faults }: RefusedRow, language: string) {
    [this.line, this.faults, this.#language] = [line, faults, language];
  }

  /** All faults of the row, in the language of the request. */
  get reason(): string {
    return reasonOf(this, this.#language, 'field');
  }

  toJSON() {
    const { line, reason, faults } = this;
    return { line, reason, faults };
  }
}

/** The same of a file in a request. */
export interface ReceivedFileReading<Draft = ImportDraft> extends ImportFileReading<Draft> {
  refused: (RefusedRow & { readonly reason: string })[];
}

/** The first notes on rows, and how many more there are. */
export function withoutMost(notes: readonly Reason[]): Reason[] {
  const more = notes.length - MAX_REMARKS;
  const shown = notes.slice(0, MAX_REMARKS);
  return more > 0 ? [...shown, importText('import.more-notes', { count: more })] : shown;
}

/**
 * Reads the rows of a file in a request. Use the valid rows only if no row is refused, or if the client accepts
 * that refused rows are left out.
 * @param options `map` assigns columns to fields: `column=field`, separated by semicolons
 * @throws InvalidInputError if there is no file, or it cannot be read
 */
export async function readReceivedFile<Draft = ImportDraft>(
  file: ReceivedFile | undefined,
  description: FileReading<Draft>,
  { map, encoding, ...options }: ImportFileOptions & { map?: string } = {},
): Promise<ReceivedFileReading<Draft>> {
  if (!file) throw InvalidInputError.of([{ field: FORM_FIELD, message: text('file.missing') }]);
  const { path, charset } = file;
  const language = isEnglish() ? 'en' : 'zh';
  try {
    const choices = map?.split(';').map(parseColumnChoice);
    const reading = await readImportFile(await readFile(path), description, {
      encoding: encoding ?? charset,
      choices,
      ...options,
      open: openTableInThread,
    });
    const refused = await inTurns(reading.refused, (row) => new ReceivedRefusal(row, language));
    return { ...reading, refused };
  } catch (error) {
    if (!(error instanceof TableError)) throw error;
    // The messages contain option names of the commands.
    const reason = renderReason(error.reason, language)
      .replaceAll('--header-row', 'headerRow')
      .replaceAll('--', '');
    throw InvalidInputError.of([{ field: FORM_FIELD, message: text('file.unreadable', { reason }) }]);
  }
}

/**
 * Reads a file of which all rows are imported or none. `nameOf` names a field of a row in a fault, as the reader names
 * those of refused rows; `notes` say what was not read.
 * @throws InvalidInputError that names the refused lines, and for a file without rows
 */
export async function readAllRows<Draft extends { line: number }>(
  file: ReceivedFile | undefined,
  description: FileReading<Draft>,
  options: ImportFileOptions & { map?: string },
) {
  const { drafts: rows, refused, ...read } = await readReceivedFile(file, description, options);
  if (refused.length > 0) {
    throw InvalidInputError.of(
      refused.map(({ line, reason }) => ({ field: `line ${line}`, message: reason })),
    );
  }
  if (rows.length === 0) {
    throw InvalidInputError.of([{ field: 'rows', message: text('field.too-few-items', { min: 1 }) }]);
  }
  const notes = [...read.notes, ...ignoredColumns(read.ignored)].map((note) =>
    renderReason(note, isEnglish() ? 'en' : 'zh'),
  );
  return { rows, notes, nameOf: (index: number, field: string) => `line ${rows[index]!.line}: ${field}` };
}

/** A row of a file that was read as a request class: its line, and the class's fields. */
export type RowOf<Row extends object> = ImportDraft & Row;

/**
 * Describes files whose rows are validated as a request class, in the same way as requests. An empty cell leaves
 * its field unset. A column `holds` numbers, percent, or text; its field may be one of an object: `supplier.name`.
 */
export function describeRows<Row extends object>(
  type: Type<Row>,
  columns: readonly ImportColumn[],
): Pick<FileImportDescription<RowOf<Row>>, 'columns' | 'readRow'> {
  return {
    columns,
    readRow: (line, cell) => {
      const values: Record<string, unknown> = {};
      for (const { field, holds, words } of columns) {
        const text = cell(field)?.trim();
        if (!text) continue;
        const number = holds === 'percent' ? text.replace(/\s*%$/, '') : text;
        const isNumber = holds === 'number' || holds === 'price' || holds === 'percent';
        const value = isNumber ? (readDecimal(number) ?? text) : (words?.get(text.toLowerCase()) ?? text);
        const [name = '', inner] = field.split('.');
        values[name] = inner === undefined ? value : { ...(values[name] as object), [inner]: value };
      }
      const row = requestInstance(type, values);
      const faults = fieldFaults(validateSync(row, { whitelist: true, stopAtFirstError: true }));
      return faults.length > 0
        ? { faults: faults.map(({ field, message }) => ({ field, reason: message })) }
        : { draft: Object.assign(row, { line }) as RowOf<Row>, faults: [] };
    },
  };
}
