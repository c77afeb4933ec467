import { Controller, Delete, Get, HttpCode, Param, Post, Put, Query, UploadedFile } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { InvalidInputError } from '../../platform/common/errors/service-error';
import { AcceptsFile, type ReceivedFile } from '../../platform/http/accepts-file';
import { page, record } from '../../platform/http/envelope';
import { PathId } from '../../platform/http/path-id';
import { Roles } from '../../platform/http/route-decorators';
import { ApiDeleted, ApiErrors, ApiPage, ApiRecord } from '../../platform/openapi/responses';
import { PageQuery } from '../../platform/common/pagination';
import { text } from '../../platform/texts/text';
import { UseLane } from '../../platform/request-limits/concurrency.guard';
import { readReceivedFile } from '../../files/read-import-file';
import { ImportedEditionDto, ImportLimitsQuery } from './limit-editions.dto';
import { EditionDto, LimitDto, MAX_REFUSED } from './limit.entity';
import { LIMIT_FILE, limitsOf } from './limit-file';
import { RegulationsService, MAX_LIMITS } from './regulations.service';
import { refusalText } from '../regulations.texts';

const NOT_FOUND = text('limits.edition-not-found');
const EXISTS = text('limits.edition-exists');
const REFUSED = InvalidInputError.of([
  {
    field: 'row 12',
    message: `limitPercent: ${refusalText.in('zh')('limit-refusal.two-numbers')}: > 0,1 % ≤ 6 %`,
  },
]).text;

const EXAMPLE =
  'region,annex,entry,inciNames,casNumbers,kind,productTypes,limitPercent,source\n' +
  'house,H2,1,Phenoxyethanol,122-99-6,maximum,face-leave-on,0.8,made up\n' +
  'house,H2,2,Glycerin,56-81-5,declare-above,,10,made up\n';

@ApiTags('limits')
@Controller('ext/limits/editions')
@UseLane('short')
export class LimitEditionsController {
  constructor(private readonly limits: RegulationsService) {}

  @Post()
  @UseLane('files')
  @Roles('admin')
  @ApiOperation({
    summary: 'Import a table of limits (admins only)',
    description:
      `A CSV or XLSX file of at most ${MAX_LIMITS} rows, in one of the forms of docs/limits.md. Rows without a certain ` +
      'number, scope and basis are refused: without partial=true one of them refuses the file.',
  })
  @AcceptsFile({ example: EXAMPLE })
  @ApiRecord(ImportedEditionDto, 201)
  @ApiErrors({ 400: REFUSED, 409: EXISTS })
  async importFile(
    @Query() { edition: name, partial, encoding, sheet, lang }: ImportLimitsQuery,
    @UploadedFile() received?: ReceivedFile,
  ) {
    const file = await limitsOf(
      await readReceivedFile(received, LIMIT_FILE, {
        ...(encoding !== undefined && { encoding }),
        ...(sheet !== undefined && { sheet }),
        maxRows: MAX_LIMITS,
      }),
    );
    const edition = await this.limits.importEdition(name, file, { isPartial: partial === 'true', lang });
    return record({
      ...edition,
      unknownScopes: file.limits.filter(({ productTypes }) => productTypes === null).length,
      refused: file.refused.slice(0, MAX_REFUSED).map(({ row, column, value, reason }) => ({
        row,
        column,
        value,
        reason,
        message: refusalText.in(lang)(`limit-refusal.${reason}`),
      })),
    });
  }

  @Get()
  @ApiOperation({ summary: 'List the tables of limits, the latest import first, paged' })
  @ApiPage(EditionDto)
  async list(@Query() query: PageQuery) {
    return page(await this.limits.listEditions(query), query);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Get a table of limits without its rows' })
  @ApiRecord(EditionDto)
  @ApiErrors({ 404: NOT_FOUND })
  async get(@Param('id', PathId) id: string) {
    return record(await this.limits.getEdition(id));
  }

  @Get(':id/limits')
  @ApiOperation({ summary: 'List the limits of a table in the order of its file, paged' })
  @ApiPage(LimitDto)
  @ApiErrors({ 404: NOT_FOUND })
  async listLimits(@Param('id', PathId) id: string, @Query() query: PageQuery) {
    return page(await this.limits.list(id, query), query);
  }

  @Put(':id/default')
  @UseLane('write')
  @Roles('admin')
  @ApiOperation({
    summary: 'Make a table of limits the default of its regions (admins only)',
    description: 'A comparison without edition= then uses it, instead of the one imported last.',
  })
  @ApiRecord(EditionDto)
  @ApiErrors({ 404: NOT_FOUND })
  async setDefault(@Param('id', PathId) id: string) {
    return record(await this.limits.setDefault(id, true));
  }

  @Delete(':id/default')
  @UseLane('write')
  @Roles('admin')
  @ApiOperation({
    summary: 'Make a table of limits the default of no region (admins only)',
    description: 'A comparison without edition= then uses the table imported last for these regions.',
  })
  @ApiRecord(EditionDto)
  @ApiErrors({ 404: NOT_FOUND })
  async unsetDefault(@Param('id', PathId) id: string) {
    return record(await this.limits.setDefault(id, false));
  }

  @Delete(':id')
  @HttpCode(204)
  @Roles('admin')
  @ApiOperation({ summary: 'Delete a table of limits and its rows (admins only)' })
  @ApiDeleted()
  @ApiErrors({ 404: NOT_FOUND })
  async delete(@Param('id', PathId) id: string): Promise<void> {
    await this.limits.deleteEdition(id);
  }
}
