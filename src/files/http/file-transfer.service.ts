import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { mayImportFiles, requireAllowed } from '../../platform/access/access-policy';
import { type Reader, RowFilterService } from '../../platform/access/row-filter';
import type { CurrentUser } from '../../platform/common/current-user';
import { InvalidInputError } from '../../platform/common/errors/service-error';
import { nextTurn, turns } from '../../platform/common/in-turns';
import { Environment } from '../../platform/config/environment';
import type { ReceivedFile } from '../../platform/http/accepts-file';
import { ConcurrencyLimiter } from '../../platform/request-limits/concurrency-limiter';
import { isEnglish } from '../../platform/texts/languages';
import { text } from '../../platform/texts/text';
import type {
  ExportFilter,
  FileImport,
  FileImportDescription,
  FileReading,
  ImportRequest,
} from '../file-import';
import { importText } from '../import.texts';
import { ignoredColumns, importAnswer, reasonOf, type RefusedRow } from '../import-report';
import { type ImportFileReading, readReceivedFile } from '../read-import-file';
import { exportPieces } from '../writing/export-pieces';
import { BYTE_ORDER_MARK, csvText, type FileFormat, type Pieces } from '../writing/file-pieces';
import type { ImportAnswerDto, ImportQuery } from './file.dto';
import { REFUSALS_KEPT_MINUTES, RefusalsRepository } from './refusals.repository';

export const FILE_TYPES: Readonly<Record<FileFormat, string>> = {
  json: 'application/json',
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** The file of a request, and the answer that is being made. */
export interface FileRequest {
  readonly file: ReceivedFile | undefined;
  readonly response: Response;
}

/** Imports the files of requests, and answers requests with files. */
@Injectable()
export class FileTransferService {
  constructor(
    private readonly refusals: RefusalsRepository,
    private readonly rowFilters: RowFilterService,
    private readonly limiter: ConcurrencyLimiter,
    private readonly environment: Environment,
  ) {}

  /**
   * Imports the file of a request.
   * @param reading how its rows are read
   * @throws InvalidInputError if there is no file, it cannot be read, or the query has an unknown parameter
   * @throws ForbiddenError if the user may not import files
   */
  async import<Draft>(
    user: CurrentUser,
    { file, response }: FileRequest,
    { dryRun, partial, ...options }: ImportQuery,
    importer: FileImport<Draft>,
    { reading: description, ...request }: { reading: FileReading<Draft> } & Partial<ImportRequest<Draft>>,
  ): Promise<ImportAnswerDto> {
    requireKnownParameters(response);
    await requireAllowed(mayImportFiles(this.environment, user));
    const reading = await readReceivedFile(file, description, options);
    // Others can use the database while the file is read.
    const lane = reading.drafts.length > 0 ? 'write' : 'short';
    const report = await this.limiter.run(lane, () =>
      importer.importFor(user, {
        ...request,
        drafts: reading.drafts,
        refused: reading.refused,
        source: file?.name,
        notes: [...reading.notes, ...ignoredColumns(reading.ignored)],
        dryRun: dryRun === 'true',
        skipRefused: partial === 'true',
      }),
    );
    const { refused } = report;
    const language = isEnglish() ? 'en' : 'zh';
    const id =
      refused.length > 0
        ? await this.refusals.add(user.id, await refusedFile(refused, reading, language))
        : undefined;
    return {
      ...importAnswer(report, language, reading.columnOf),
      refusedRows: id ? { id, path: `/api/ext/import/refused/${id}`, minutes: REFUSALS_KEPT_MINUTES } : null,
    };
  }

  /**
   * Sends a file of all records that the reader may see, as fast as the client takes it, one per client at a time.
   * A failure before the first piece is an answer of its own; a later one breaks the connection, so that a part
   * never looks complete. When the client leaves, no further piece is made.
   */
  async export(
    reader: Reader,
    response: Response,
    description: Pick<FileImportDescription, 'command' | 'exported' | 'cellsOf'>,
    source: Pick<FileImport, 'records' | 'json'>,
    { format, ...query }: { format: FileFormat } & ExportFilter,
  ): Promise<void> {
    const send = async () => {
      const filter = await this.rowFilters.of(reader);
      const pieces = this.inLane(exportPieces(source, description, format, filter, query));
      const first = await pieces.next();
      response.setHeader(
        'Content-Type',
        format === 'xlsx' ? FILE_TYPES.xlsx : `${FILE_TYPES[format]}; charset=utf-8`,
      );
      response.setHeader('Content-Disposition', `attachment; filename="${description.command}.${format}"`);
      response.setHeader('Cache-Control', 'no-store');
      try {
        await pipeline(
          Readable.from(continued(first, pieces), { objectMode: true, highWaterMark: 1 }),
          response,
        );
      } catch (error) {
        if (!isDisconnect(error)) throw error;
      }
    };
    await this.limiter.run('exports', () => this.limiter.run('sending', send));
  }

  /** Each piece has its turn among the other long reads of the database; none is held while the client reads. */
  private async *inLane(pieces: Pieces): Pieces {
    try {
      for (;;) {
        const piece = await this.limiter.run('reading', () => pieces.next());
        if (piece.done) return;
        yield piece.value;
        await nextTurn();
      }
    } finally {
      await pieces.return(undefined);
    }
  }
}

/**
 * A misspelt parameter, such as `dryrun`, would import the file.
 * @throws InvalidInputError if the query has a parameter that the route does not read
 */
function requireKnownParameters(response: Response): void {
  const ignored = response.getHeader('X-Ignored-Parameters');
  if (ignored === undefined) return;
  throw InvalidInputError.of([{ field: String(ignored), message: text('import.unknown-parameter') }]);
}

/** Most rows and most characters of the file with refused rows. */
const REFUSED_LIMITS = { rows: 10_000, characters: 4 * 1024 * 1024 };

/** The rows as they were in the file, each with its line and its reason behind it. */
async function refusedFile(
  refused: readonly RefusedRow[],
  { header, cells }: Pick<ImportFileReading, 'header' | 'cells'>,
  language: string,
) {
  let content = BYTE_ORDER_MARK + csvText([[...header, 'row', 'reason']]);
  let rows = 0;
  const turn = turns();
  for (const row of refused) {
    if (rows === REFUSED_LIMITS.rows || content.length > REFUSED_LIMITS.characters) break;
    const own = cells.get(row.line) ?? [];
    const filled = header.map((_, column) => own[column] ?? '');
    content += csvText([[...filled, row.line, reasonOf(row, language)]]);
    rows++;
    await turn();
  }
  const count = refused.length - rows;
  if (count === 0) return content;
  const more = importText.in(language)('import.more-refused', { count });
  return content + csvText([[...header.map(() => ''), '', more]]);
}

async function* continued(first: IteratorResult<string | Uint8Array, unknown>, rest: Pieces): Pieces {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

const isDisconnect = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
