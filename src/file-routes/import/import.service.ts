import { Injectable } from '@nestjs/common';
import { stringify } from 'csv-stringify/sync';
import { requireAllowed } from '../../platform/access/require-allowed';
import { ColorImportService } from '../../colors/files/color-import.service';
import type { ReceivedFile } from '../../platform/http/accepts-file';
import type { CurrentUser } from '../../platform/common/current-user';
import { InvalidInputError, NotFoundError } from '../../platform/common/errors/service-error';
import { text } from '../../platform/texts/text';
import { Environment } from '../../platform/config/environment';
import { type FileImport, type FileReading, fileImportOf, type ImportRequest } from '../../files/file-import';
import { ignoredColumns, importAnswer, replacedRows } from '../../files/import-answer';
import type { ImportReport, RefusedRow } from '../../files/import-report';
import { escapeFormula } from '../../platform/common/formula-escape';
import type { ImportFileReading } from '../../files/read-import-file';
import { reportInRequestLanguage } from '../../files/texts/request-language';
import { readReceivedFile } from '../../files/read-received-file';
import { IngredientImportService } from '../../ingredients/ingredient-import.service';
import { FormulaFileService } from '../../formulas/files/formula-file.service';
import { formulaFile } from '../../formulas/files/formula-file.words';
import type { FormulaImportQuery, ImportAnswerDto, ImportQuery, IngredientImportQuery } from './import.dto';
import { mayImportFiles } from '../../platform/access/may-import';
import { REFUSALS_KEPT_MINUTES, RefusalsRepository } from './refusals.repository';

/** Records from the file of a request. */
@Injectable()
export class ImportService {
  constructor(
    private readonly ingredientImport: IngredientImportService,
    private readonly colorImport: ColorImportService,
    private readonly formulaFiles: FormulaFileService,
    private readonly refusals: RefusalsRepository,
    private readonly environment: Environment,
  ) {}

  ingredients(user: CurrentUser, file: ReceivedFile | undefined, query: IngredientImportQuery) {
    const reading = this.ingredientImport.reading(query.match);
    if (!reading) {
      throw InvalidInputError.of([{ field: 'match', message: text('names.match-needs-names') }]);
    }
    return this.take(user, file, query, reading, this.ingredientImport, { key: reading.key });
  }

  colors(user: CurrentUser, file: ReceivedFile | undefined, query: ImportQuery) {
    return this.take(user, file, query, fileImportOf(ColorImportService)!, this.colorImport);
  }

  formulas(user: CurrentUser, file: ReceivedFile | undefined, query: FormulaImportQuery) {
    const createMissing = query.createIngredients === 'true';
    return this.take(user, file, query, formulaFile(query.name), this.formulaFiles, { createMissing });
  }

  /**
   * The refused rows of an import of the user's.
   * @throws NotFoundError for those of others, and when their time is over
   */
  async refusedRows(user: CurrentUser, id: string): Promise<string> {
    const content = await this.refusals.find(user.id, id);
    if (content === undefined) throw new NotFoundError(text('import.refused-rows-not-found'));
    return content;
  }

  private async take<Draft>(
    user: CurrentUser,
    file: ReceivedFile | undefined,
    { dryRun, partial, ...options }: ImportQuery,
    description: FileReading<Draft>,
    importer: FileImport<Draft>,
    request: Pick<ImportRequest, 'key' | 'createMissing'> = {},
  ): Promise<ImportAnswerDto> {
    await requireAllowed(mayImportFiles(this.environment, user));
    const reading = await readReceivedFile(file, description, options);
    const report = await importer.importFor!(user, {
      ...request,
      drafts: reading.drafts,
      refused: reading.refused,
      notes: [...reading.notes, ...ignoredColumns(reading.ignored)],
      dryRun: dryRun === 'true',
      skipRefused: partial === 'true',
    });
    const notes = [...report.notes, ...replacedRows(report.replaced)];
    return this.answer(user, reportInRequestLanguage({ ...report, notes }), reading);
  }

  private async answer(
    user: CurrentUser,
    report: ImportReport,
    reading: Pick<ImportFileReading, 'header' | 'cells' | 'columnOf'>,
  ): Promise<ImportAnswerDto> {
    const { refused } = report;
    const id =
      refused.length > 0 ? await this.refusals.add(user.id, refusedFile(refused, reading)) : undefined;
    return {
      ...importAnswer(report, reading.columnOf),
      refusedRows: id ? { id, path: `/api/ext/import/refused/${id}`, minutes: REFUSALS_KEPT_MINUTES } : null,
    };
  }
}

/** The rows as they were in the file, each with its line and its reason behind it. */
function refusedFile(
  refused: readonly RefusedRow[],
  { header, cells }: Pick<ImportFileReading, 'header' | 'cells'>,
) {
  const rows = refused.map(({ line, reason }) => {
    const row = cells.get(line) ?? [];
    return [...header.map((_, column) => row[column] ?? ''), String(line), reason].map(escapeFormula);
  });
  return `\ufeff${stringify([[...header, 'row', 'reason'], ...rows], { record_delimiter: '\r\n', quoted_match: /[\r\n]/ })}`;
}
