import type { IncomingHttpHeaders } from 'node:http';
import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Put, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import {
  ColorFormulaDto,
  ColorFormulaQuery,
  MatchesDto,
  MeasuredColorDto,
  MOST_COMPARED,
  NEAR_DELTA_E,
  NearestQuery,
  SwatchQuery,
  UpdateColorFormulaDto,
} from './color.dto';
import type { CurrentUser } from '../platform/common/current-user';
import { User } from '../platform/http/route-decorators';
import { entityTag, page, record } from '../platform/http/envelope';
import { PathId } from '../platform/http/path-id';
import { ApiDeleted, ApiErrors, ApiIfMatch, ApiPage, ApiRecord } from '../platform/openapi/responses';
import { faultOf, text } from '../platform/texts/text';
import { UseLane } from '../platform/request-limits/concurrency.guard';
import { ColorService } from './color.service';
import { ciede2000, euclideanDifference } from './difference';
import { ColorMatchesService } from './color-matches.service';
import { PagePolicy } from '../documents/answers-document';
import { DocumentsService } from '../documents/documents.service';
import { swatchesDocument } from './swatches.document';

const NOT_FOUND = text('color.not-found');
const FORBIDDEN = text('access.denied');
const CHANGED = text('color.changed');
const FAULTS = [
  faultOf('targetLab.L', text('field.too-great', { max: 100 })),
  faultOf('formulaId', text('formula.not-found')),
];

@ApiTags('colour formulas')
@Controller('ext/color')
@UseLane('short')
export class ColorFormulasController {
  constructor(
    private readonly colors: ColorService,
    private readonly matches: ColorMatchesService,
    private readonly documents: DocumentsService,
  ) {}

  @Get('formulas')
  @ApiOperation({ summary: 'List the stored colours, the newest first' })
  @ApiPage(MeasuredColorDto)
  async list(@User() user: CurrentUser, @Query() query: ColorFormulaQuery) {
    const { rows, total } = await this.colors.list(user, query);
    return page({ rows: rows.map(measured), total }, query);
  }

  @Get('formulas/:id')
  @ApiOperation({ summary: 'Get a stored colour; send its ETag as If-Match' })
  @ApiRecord(MeasuredColorDto)
  @ApiErrors({ 404: NOT_FOUND })
  async get(
    @User() user: CurrentUser,
    @Param('id', PathId) id: string,
    @Res({ passthrough: true }) response: Response,
  ) {
    return tagged(response, await this.colors.get(user, id));
  }

  @Put('formulas/:id')
  @UseLane('formulas')
  @ApiOperation({
    summary: 'Correct a stored colour (its creator or an admin)',
    description: 'Fields that you leave out stay as they are.',
  })
  @ApiIfMatch()
  @ApiRecord(MeasuredColorDto)
  @ApiErrors({ 400: FAULTS, 403: FORBIDDEN, 404: NOT_FOUND, 412: CHANGED })
  async update(
    @User() user: CurrentUser,
    @Param('id', PathId) id: string,
    @Body() input: UpdateColorFormulaDto,
    @Res({ passthrough: true }) response: Response,
    @Headers() headers: IncomingHttpHeaders,
  ) {
    return tagged(response, await this.colors.update(user, id, input, headers['if-match']));
  }

  @Delete('formulas/:id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a stored colour (its creator or an admin)' })
  @ApiIfMatch()
  @ApiDeleted()
  @ApiErrors({ 403: FORBIDDEN, 404: NOT_FOUND, 409: text('record.in-use'), 412: CHANGED })
  async delete(
    @User() user: CurrentUser,
    @Param('id', PathId) id: string,
    @Headers() headers: IncomingHttpHeaders,
  ): Promise<void> {
    await this.colors.delete(user, id, headers['if-match']);
  }

  @Get('match')
  @ApiOperation({
    operationId: 'matches_match',
    summary: 'Find the stored colours nearest to a measurement, with a note if none is near',
    description:
      `The matches of GET /api/color/formulas/match. A colour is near up to a CIEDE2000 difference of ${NEAR_DELTA_E}. ` +
      `With unique=true, duplicates are folded among the nearest ${MOST_COMPARED}; a note says so if that was not enough.`,
  })
  @ApiRecord(MatchesDto)
  async match(@User() user: CurrentUser, @Query() query: NearestQuery) {
    return record(await this.matches.match(user, query));
  }

  @Get('page')
  @PagePolicy()
  @ApiOperation({
    operationId: 'swatches_page',
    summary: 'Show the stored colours nearest to a measurement as a page with swatches',
  })
  @ApiOkResponse({ description: 'A page to print', content: { 'text/html': { schema: { type: 'string' } } } })
  async page(@User() user: CurrentUser, @Query() { L, a, b, limit, lang }: SwatchQuery) {
    const wanted = { L, a, b };
    const matches = await this.colors.nearest(user, wanted, limit);
    return this.documents.file('html', swatchesDocument(wanted, matches, lang), lang);
  }
}

/** The answer with a colour and its differences. The tag names the stored colour. */
function tagged(response: Response, color: ColorFormulaDto) {
  response.setHeader('ETag', entityTag(color));
  return record(measured(color));
}

const measured = (color: ColorFormulaDto): MeasuredColorDto => ({ ...color, ...differencesOf(color) });

/** Computes the differences between target and measurement. */
function differencesOf({ targetLab, actualLab }: ColorFormulaDto) {
  if (!actualLab) return { deltaE2000: null, deltaE76: null };
  return {
    deltaE2000: ciede2000(targetLab, actualLab),
    deltaE76: euclideanDifference(targetLab, actualLab),
  };
}
