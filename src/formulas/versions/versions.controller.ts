import type { IncomingHttpHeaders } from 'node:http';
import { Body, Controller, Get, Headers, Param, Post, Put, Query, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { CurrentUser } from '../../platform/common/current-user';
import { type SignedInRequest, User } from '../../platform/http/route-decorators';
import { AnswersJsonText, page, recordText, taggedRecordText } from '../../platform/http/envelope';
import { PathId } from '../../platform/http/path-id';
import { ApiErrors, ApiIfMatch, ApiPage, ApiRecord, ApiTaggedRecord } from '../../platform/openapi/responses';
import { PageQuery } from '../../platform/common/pagination';
import { text } from '../../platform/texts/text';
import { UseLane } from '../../platform/request-limits/concurrency.guard';
import { AnswersDocument } from '../../documents/answers-document';
import { DocumentsService } from '../../documents/documents.service';
import { FormulasService } from '../formulas.service';
import { FormulaDto, FormulaVersionDto } from '../formula.dto';
import { comparisonDocument } from './comparison.document';
import { CompareQuery, ComparisonDto } from './comparison.dto';
import { CopyFormulaDto, DescribeVersionDto, ListedVersionDto, RestoreVersionDto } from './version.dto';
import { FORMULA_NOT_FOUND, VERSION_NOT_FOUND } from '../formula-errors';
import { ApiVersionNumber, VersionNumber } from '../version-number';
import { VersionsService } from './versions.service';

const NOT_COMPARABLE = [...VERSION_NOT_FOUND, text('formula.no-earlier-version')];
const FORBIDDEN = text('access.denied');
const CHANGED = text('formula.changed', { version: 2 });

@ApiTags('formula versions')
@Controller('ext/formulas')
@UseLane('formulas')
export class VersionsController {
  constructor(
    private readonly versions: VersionsService,
    private readonly formulas: FormulasService,
    private readonly documents: DocumentsService,
  ) {}

  @Get(':id/versions')
  @ApiOperation({ summary: 'List the versions of a formula, the newest first, paged' })
  @ApiPage(ListedVersionDto)
  @ApiErrors({ 404: FORMULA_NOT_FOUND })
  async list(@User() user: CurrentUser, @Param('id', PathId) id: string, @Query() query: PageQuery) {
    return page(await this.versions.list(user, id, query), query);
  }

  @Get(':id/versions/:number')
  @AnswersJsonText()
  @ApiOperation({ summary: 'Get a version of a formula with its phases and lines' })
  @ApiVersionNumber()
  @ApiRecord(FormulaVersionDto)
  @ApiErrors({ 404: VERSION_NOT_FOUND })
  async get(@User() user: CurrentUser, @Param('id', PathId) id: string, @VersionNumber() number: number) {
    return recordText(await this.formulas.getVersion(user, id, number));
  }

  @Put(':id/versions/:number')
  @AnswersJsonText()
  @ApiOperation({
    summary: 'Describe why a version was made, without a new version (creator of the formula or an admin)',
  })
  @ApiVersionNumber()
  @ApiIfMatch()
  @ApiRecord(FormulaVersionDto)
  @ApiErrors({ 403: FORBIDDEN, 404: VERSION_NOT_FOUND, 412: CHANGED })
  async describe(
    @User() user: CurrentUser,
    @Param('id', PathId) id: string,
    @VersionNumber() number: number,
    @Body() input: DescribeVersionDto,
    @Headers() headers: IncomingHttpHeaders,
  ) {
    return recordText(await this.formulas.describeVersion(user, id, number, input, headers['if-match']));
  }

  @Post(':id/versions/:number/restore')
  @ApiOperation({
    summary: 'Restore a version as a new, equal version (creator of the formula or an admin)',
  })
  @ApiVersionNumber()
  @ApiIfMatch()
  @ApiTaggedRecord(FormulaDto, 201)
  @ApiErrors({ 403: FORBIDDEN, 404: VERSION_NOT_FOUND, 412: CHANGED })
  async restore(
    @Req() request: SignedInRequest,
    @Param('id', PathId) id: string,
    @VersionNumber() number: number,
    @Body() input: RestoreVersionDto,
  ) {
    const { user, headers } = request;
    const formula = await this.versions.restore(user, id, number, input, headers['if-match']);
    return taggedRecordText(request, formula);
  }

  @Post(':id/copy')
  @ApiOperation({
    summary: 'Copy a formula; version 1 of the copy is the latest version, or the one that you name',
  })
  @ApiTaggedRecord(FormulaDto, 201)
  @ApiErrors({ 403: FORBIDDEN, 404: VERSION_NOT_FOUND })
  async copy(
    @Req() request: SignedInRequest,
    @Param('id', PathId) id: string,
    @Body() input: CopyFormulaDto,
  ) {
    return taggedRecordText(request, await this.versions.copy(request.user, id, input));
  }

  @Get(':id/compare')
  @ApiOperation({
    operationId: 'comparisons_compare',
    summary: 'Compare two versions, of one formula or of two',
  })
  @AnswersDocument(ComparisonDto)
  @ApiErrors({ 404: NOT_COMPARABLE })
  async compare(
    @Req() request: SignedInRequest,
    @Param('id', PathId) id: string,
    @Query() query: CompareQuery,
  ) {
    const comparison = await this.versions.compare(request.user, id, query);
    return this.documents.answer(request, query.lang, comparison, comparisonDocument);
  }
}
