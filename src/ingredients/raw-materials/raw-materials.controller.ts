import { Body, Controller, Get, HttpCode, Param, Post, Put, Query, Req, UploadedFile } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { mayImportFiles, requireAllowed } from '../../platform/access/access-policy';
import type { CurrentUser } from '../../platform/common/current-user';
import { InvalidInputError } from '../../platform/common/errors/service-error';
import { Environment } from '../../platform/config/environment';
import { AcceptsFile, type ReceivedFile } from '../../platform/http/accepts-file';
import { type SignedInRequest, User } from '../../platform/http/route-decorators';
import { record, taggedRecordText } from '../../platform/http/envelope';
import { PathId } from '../../platform/http/path-id';
import { ApiErrors, ApiIfMatch, ApiRecord, ApiTaggedRecord } from '../../platform/openapi/responses';
import { faultOf, text } from '../../platform/texts/text';
import { UseLane } from '../../platform/request-limits/concurrency.guard';
import { AnswersDocument } from '../../documents/answers-document';
import { DocumentQuery } from '../../documents/document-format';
import { DocumentsService } from '../../documents/documents.service';
import {
  ExportedSubstancesDto,
  ImportedCompositionsDto,
  ImportSubstancesDto,
  MAX_EXPORTED_ROWS,
  RawMaterialDto,
  SubstancesDto,
} from './raw-material.dto';
import { RawMaterialsService } from './raw-materials.service';
import { rowsDocument } from './rows.document';
import { SUBSTANCES_FILE } from './substances-file.words';

const NOT_FOUND = text('ingredient.not-found');
const FORBIDDEN = text('access.denied');
const CHANGED = text('ingredient.changed');
const TOO_MANY = text('composition.too-many-rows', { max: MAX_EXPORTED_ROWS });

const WRONG_SUM = faultOf('substances', text('composition.percentage-sum', { sum: '99' }));
const ROW_FAULT = faultOf(
  'rows.1.casNumber',
  text('composition.wrong-check-digit', { number: '56-81-4', expected: 5 }),
);

const COMPOSITIONS =
  'ingredient,inciName,casNumber,percentage,role\n' +
  'Sodium Laureth Sulfate,Sodium Laureth Sulfate,9004-82-4,70,\n' +
  'Sodium Laureth Sulfate,Aqua,7732-18-5,30,solvent\n';

@ApiTags('raw materials')
@Controller('ext/ingredients')
@UseLane('short')
export class RawMaterialsController {
  constructor(
    private readonly rawMaterials: RawMaterialsService,
    private readonly documents: DocumentsService,
    private readonly environment: Environment,
  ) {}

  @Get('compositions')
  @UseLane('reading')
  @ApiOperation({
    summary: 'Export all compositions as JSON or a file, a row for each substance',
    description: `Of the raw materials that you may read. More than ${MAX_EXPORTED_ROWS} rows are 409, never a part.`,
  })
  @AnswersDocument(ExportedSubstancesDto, 'One table, which the import takes back')
  @ApiErrors({ 409: TOO_MANY })
  async exportAll(@Req() request: SignedInRequest, @Query() { lang }: DocumentQuery) {
    const data = await this.rawMaterials.exportRows(request.user);
    return this.documents.answer(request, lang, data, rowsDocument('substances', SUBSTANCES_FILE.columns));
  }

  @Post('compositions')
  @HttpCode(200)
  @UseLane('files')
  @ApiOperation({
    summary: 'Replace the compositions of several raw materials, all of them or none',
    description:
      'The rows are those of the export, as JSON or as the CSV or XLSX file. A fault names its row and its field: of ' +
      'JSON the row counted from 0, of a file the line.',
  })
  @AcceptsFile({ example: COMPOSITIONS })
  @ApiRecord(ImportedCompositionsDto)
  @ApiErrors({ 400: ROW_FAULT, 403: FORBIDDEN })
  async importRows(
    @User() user: CurrentUser,
    @Body() { rows }: ImportSubstancesDto,
    @UploadedFile() file?: ReceivedFile,
  ) {
    await requireAllowed(mayImportFiles(this.environment, user));
    if (file) return record(await this.rawMaterials.importFile(user, file));
    if (!rows) throw InvalidInputError.of([{ field: 'rows', message: text('field.required') }]);
    return record(await this.rawMaterials.importRows(user, rows));
  }

  @Get(':id/composition')
  @ApiOperation({ summary: 'Get the substances of a raw material' })
  @ApiTaggedRecord(RawMaterialDto)
  @ApiErrors({ 404: NOT_FOUND })
  async get(@Req() request: SignedInRequest, @Param('id', PathId) id: string) {
    return taggedRecordText(request, await this.rawMaterials.get(request.user, id));
  }

  @Put(':id/composition')
  @ApiOperation({
    summary: 'Replace the substances of a raw material; an empty list removes its composition',
  })
  @ApiIfMatch()
  @ApiTaggedRecord(RawMaterialDto)
  @ApiErrors({ 400: WRONG_SUM, 403: FORBIDDEN, 404: NOT_FOUND, 412: CHANGED })
  async replace(
    @Req() request: SignedInRequest,
    @Param('id', PathId) id: string,
    @Body() { substances }: SubstancesDto,
  ) {
    const { user, headers } = request;
    const replaced = await this.rawMaterials.replace(user, id, substances, headers['if-match']);
    return taggedRecordText(request, replaced);
  }
}
