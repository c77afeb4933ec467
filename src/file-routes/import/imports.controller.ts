import {
  Controller,
  Get,
  Header,
  HttpCode,
  Param,
  Post,
  Query,
  Res,
  StreamableFile,
  UploadedFile,
} from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { CurrentUser } from '../../platform/common/current-user';
import { InvalidInputError } from '../../platform/common/errors/service-error';
import { AcceptsFile, type ReceivedFile } from '../../platform/http/accepts-file';
import { User } from '../../platform/http/current-user.decorator';
import { record } from '../../platform/http/envelope';
import { PathId } from '../../platform/http/path-id';
import { ApiErrors, ApiRecord } from '../../platform/openapi/responses';
import { text } from '../../platform/texts/text';
import { UseLane } from '../../platform/request-limits/lane.decorator';
import { IMPORT_EXAMPLES } from './import-examples.words';
import { FormulaImportQuery, ImportAnswerDto, ImportQuery, IngredientImportQuery } from './import.dto';
import { ImportService } from './import.service';

const NO_FILE = InvalidInputError.of([{ field: 'file', message: text('file.missing') }]).text;
/**
 * A misspelt parameter, such as `dryrun`, would import the file.
 * @throws InvalidInputError if the query has a parameter that the route does not read
 */
function requireKnownParameters(response: Response): void {
  const ignored = response.getHeader('X-Ignored-Parameters');
  if (ignored === undefined) return;
  throw InvalidInputError.of([{ field: String(ignored), message: text('import.unknown-parameter') }]);
}

const FORBIDDEN = text('access.denied');
const ALL_OR_NONE =
  'All rows are imported or none, unless `partial`. `applied` says so. With faults the status is 200, too.';

@ApiTags('files')
@Controller('ext/import')
@UseLane('write')
export class ImportsController {
  constructor(private readonly imports: ImportService) {}

  @Post('ingredients')
  @HttpCode(200)
  @AcceptsFile({ json: true, example: IMPORT_EXAMPLES.ingredients })
  @ApiOperation({
    summary: 'Create and update ingredients from a CSV, XLSX or JSON file',
    description: `A row is the ingredient of its names; an empty cell changes nothing. ${ALL_OR_NONE}`,
  })
  @ApiRecord(ImportAnswerDto)
  @ApiErrors({ 400: NO_FILE, 403: FORBIDDEN })
  async ingredients(
    @User() user: CurrentUser,
    @Query() query: IngredientImportQuery,
    @Res({ passthrough: true }) response: Response,
    @UploadedFile() file?: ReceivedFile,
  ) {
    requireKnownParameters(response);
    return record(await this.imports.ingredients(user, file, query));
  }

  @Post('colors')
  @HttpCode(200)
  @AcceptsFile({ json: true, example: IMPORT_EXAMPLES.colors })
  @ApiOperation({
    summary: 'Create and update stored colours from a CSV, XLSX or JSON file',
    description: `A row is the colour of its name; an empty cell changes nothing. ${ALL_OR_NONE}`,
  })
  @ApiRecord(ImportAnswerDto)
  @ApiErrors({ 400: NO_FILE, 403: FORBIDDEN })
  async colors(
    @User() user: CurrentUser,
    @Query() query: ImportQuery,
    @Res({ passthrough: true }) response: Response,
    @UploadedFile() file?: ReceivedFile,
  ) {
    requireKnownParameters(response);
    return record(await this.imports.colors(user, file, query));
  }

  @Post('formulas')
  @HttpCode(200)
  @AcceptsFile({ json: true, example: IMPORT_EXAMPLES.formulas })
  @ApiOperation({
    summary: 'Create and revise formulas from a CSV, XLSX or JSON file with a row for each line',
    description:
      'The rows of the export, or the table of a laboratory: phase, ingredient, and percent or grams. A formula whose ' +
      'id you may read gets a new version if it is different; any other is new, unless you have an equal one of its name. ' +
      'Ingredients are found by id, INCI name (with supplier) or Chinese name, and otherwise by what ' +
      '`POST /api/ext/ingredients/resolve` is certain of and by CAS number; notes say which. There is no `match`. ' +
      `Counts are formulas, \`refused\` rows. ${ALL_OR_NONE}`,
  })
  @ApiRecord(ImportAnswerDto)
  @ApiErrors({ 400: NO_FILE, 403: FORBIDDEN })
  async formulas(
    @User() user: CurrentUser,
    @Query() query: FormulaImportQuery,
    @Res({ passthrough: true }) response: Response,
    @UploadedFile() file?: ReceivedFile,
  ) {
    requireKnownParameters(response);
    return record(await this.imports.formulas(user, file, query));
  }

  @Get('refused/:id')
  @UseLane('short')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'The refused rows of an import of yours, with the reasons, for an hour' })
  @ApiOkResponse({ description: 'A CSV file', content: { 'text/csv': { schema: { type: 'string' } } } })
  @ApiErrors({ 404: text('import.refused-rows-not-found') })
  async refusedRows(@User() user: CurrentUser, @Param('id', PathId) id: string): Promise<StreamableFile> {
    const content = Buffer.from(await this.imports.refusedRows(user, id));
    return new StreamableFile(content, {
      type: 'text/csv; charset=utf-8',
      disposition: 'attachment; filename="refused.csv"',
      length: content.length,
    });
  }
}
