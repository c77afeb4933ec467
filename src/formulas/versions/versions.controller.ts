import type { IncomingHttpHeaders } from 'node:http';
import { Body, Controller, Get, Headers, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { CurrentUser } from '../../platform/common/current-user';
import { User } from '../../platform/http/current-user.decorator';
import { AnswersJsonText, page, recordText } from '../../platform/http/envelope';
import { PathId } from '../../platform/http/path-id';
import { ApiErrors, ApiPage } from '../../platform/openapi/responses';
import { PageQuery } from '../../platform/common/pagination';
import { text } from '../../platform/texts/text';
import { UseLane } from '../../platform/request-limits/lane.decorator';
import { FormulasService } from '../formulas.service';
import { ApiContractVersion, ApiCreatedFormula, ApiFormulaIfMatch } from './contract-records';
import { CopyFormulaDto, DescribeVersionDto, ListedVersionDto, RestoreVersionDto } from './version.dto';
import { ApiVersionNumber, VersionNumber } from './version-number';
import { VersionsService } from './versions.service';

const NOT_FOUND = text('formula.not-found');
const VERSION_NOT_FOUND = [NOT_FOUND, text('formula.version-not-found')];
const FORBIDDEN = text('access.denied');
const CHANGED = text('formula.changed', { version: 2 });

@ApiTags('formula versions')
@Controller('ext/formulas')
@UseLane('formulas')
export class VersionsController {
  constructor(
    private readonly versions: VersionsService,
    private readonly formulas: FormulasService,
  ) {}

  @Get(':id/versions')
  @ApiOperation({ summary: 'All versions of a formula, the newest first, paged' })
  @ApiPage(ListedVersionDto)
  @ApiErrors({ 404: NOT_FOUND })
  async list(@User() user: CurrentUser, @Param('id', PathId) id: string, @Query() query: PageQuery) {
    return page(await this.versions.list(user, id, query), query);
  }

  @Get(':id/versions/:number')
  @AnswersJsonText()
  @ApiOperation({ summary: 'One version of a formula with its phases and lines' })
  @ApiVersionNumber()
  @ApiContractVersion()
  @ApiErrors({ 404: VERSION_NOT_FOUND })
  async get(@User() user: CurrentUser, @Param('id', PathId) id: string, @VersionNumber() number: number) {
    return recordText(await this.formulas.getVersion(user, id, number));
  }

  @Put(':id/versions/:number')
  @AnswersJsonText()
  @ApiOperation({
    summary: 'Say why a version was made (creator of the formula or an admin); no new version',
  })
  @ApiVersionNumber()
  @ApiFormulaIfMatch()
  @ApiContractVersion()
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
  @AnswersJsonText()
  @ApiOperation({
    summary: 'Restore a version (creator of the formula or an admin): a new version that is equal to it',
  })
  @ApiVersionNumber()
  @ApiFormulaIfMatch()
  @ApiCreatedFormula()
  @ApiErrors({ 403: FORBIDDEN, 404: VERSION_NOT_FOUND, 412: CHANGED })
  async restore(
    @User() user: CurrentUser,
    @Param('id', PathId) id: string,
    @VersionNumber() number: number,
    @Body() input: RestoreVersionDto,
    @Res({ passthrough: true }) response: Response,
    @Headers() headers: IncomingHttpHeaders,
  ) {
    const formula = await this.versions.restore(user, id, number, input, headers['if-match']);
    response.setHeader('ETag', this.formulas.entityTag(formula));
    return recordText(formula);
  }

  @Post(':id/copy')
  @AnswersJsonText()
  @ApiOperation({
    summary: 'Copy a formula: a new one, whose version 1 is the latest version, or another one',
  })
  @ApiCreatedFormula()
  @ApiErrors({ 403: FORBIDDEN, 404: VERSION_NOT_FOUND })
  async copy(
    @User() user: CurrentUser,
    @Param('id', PathId) id: string,
    @Body() input: CopyFormulaDto,
    @Res({ passthrough: true }) response: Response,
  ) {
    const formula = await this.versions.copy(user, id, input);
    response.setHeader('ETag', this.formulas.entityTag(formula));
    return recordText(formula);
  }
}
