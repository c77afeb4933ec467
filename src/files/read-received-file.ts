import { readFile } from 'node:fs/promises';
import { InvalidInputError } from '../platform/common/errors/service-error';
import { FORM_FIELD, type ReceivedFile } from '../platform/http/accepts-file';
import { text } from '../platform/texts/text';
import type { FileReading, ImportDraft } from './file-import';
import { ColumnChoiceError, parseColumnChoice } from './mapping/column-mapping';
import { type ImportFileOptions, type ImportFileReading, readImportFile } from './read-import-file';
import { inRequestLanguage } from './texts/request-language';
import { TableError } from './reading/table';
import { openTableInThread } from './reading/open-table-in-thread';

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
): Promise<ImportFileReading<Draft>> {
  if (!file) throw InvalidInputError.of([{ field: FORM_FIELD, message: text('file.missing') }]);
  const { path, charset } = file;
  try {
    const choices = map?.split(';').map(parseColumnChoice);
    return await readImportFile(await readFile(path), description, {
      encoding: encoding ?? charset,
      choices,
      ...options,
      open: openTableInThread,
    });
  } catch (error) {
    if (!(error instanceof TableError) && !(error instanceof ColumnChoiceError)) throw error;
    // The messages contain option names of the commands.
    const reason = inRequestLanguage(
      error.message.replaceAll('--header-row', 'headerRow').replaceAll('--', ''),
    );
    throw InvalidInputError.of([{ field: FORM_FIELD, message: text('file.unreadable', { reason }) }]);
  }
}
