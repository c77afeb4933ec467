import type { IncomingHttpHeaders } from 'node:http';
import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Put, Query, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { UpdateColorFormulaDto } from '../color.dto';
import type { CurrentUser } from '../../platform/common/current-user';
import { InvalidInputError } from '../../platform/common/errors/service-error';
import { User } from '../../platform/http/current-user.decorator';
import { page, record } from '../../platform/http/envelope';
import { PathId } from '../../platform/http/path-id';
import { ApiDeleted, ApiErrors, ApiPage, ApiRecord } from '../../platform/openapi/responses';
import { text } from '../../platform/texts/text';
import { UseLane } from '../../platform/request-limits/lane.decorator';
import { ColorFormulaQuery, MeasuredColorDto } from './color-formulas.dto';
import { ColorFormulasService, type TaggedColor } from './color-formulas.service';

const NOT_FOUND = text('color.not-found');
const FORBIDDEN = text('access.denied');
const CHANGED = text('color.changed');
const FAULTS = [
  { field: 'targetLab.L', message: text('field.too-great', { max: 100 }) },
  { field: 'formulaId', message: text('formula.not-found') },
].map((fault) => InvalidInputError.of([fault]).text);

/** The route takes `If-Match` with an `ETag` of the colour. */
const ApiColorIfMatch = () =>
  ApiHeader({
    name: 'If-Match',
    required: false,
    description:
      'ETags of the states of the colour that may be changed: where it is in another by now, nothing is written, ' +
      'and the answer is 412 with its ETag',
    schema: { type: 'string' },
  });

@ApiTags('colour formulas')
@Controller('ext/color/formulas')
@UseLane('short')
export class ColorFormulasController {
  constructor(private readonly colors: ColorFormulasService) {}

  @Get()
  @ApiOperation({ summary: 'The stored colours, the newest first, searched and paged' })
  @ApiPage(MeasuredColorDto)
  async list(@User() user: CurrentUser, @Query() query: ColorFormulaQuery) {
    return page(await this.colors.list(user, query), query);
  }

  @Get(':id')
  @ApiOperation({ summary: 'One stored colour; its ETag is for If-Match' })
  @ApiRecord(MeasuredColorDto)
  @ApiErrors({ 404: NOT_FOUND })
  async get(
    @User() user: CurrentUser,
    @Param('id', PathId) id: string,
    @Res({ passthrough: true }) response: Response,
  ) {
    return tagged(response, await this.colors.get(user, id));
  }

  @Put(':id')
  @UseLane('formulas')
  @ApiOperation({
    summary: 'Correct a stored colour (its creator or an admin)',
    description: 'Fields that are left out stay as they are.',
  })
  @ApiColorIfMatch()
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

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a stored colour (its creator or an admin)' })
  @ApiColorIfMatch()
  @ApiDeleted()
  @ApiErrors({ 403: FORBIDDEN, 404: NOT_FOUND, 409: text('record.in-use'), 412: CHANGED })
  async delete(
    @User() user: CurrentUser,
    @Param('id', PathId) id: string,
    @Headers() headers: IncomingHttpHeaders,
  ): Promise<void> {
    await this.colors.delete(user, id, headers['if-match']);
  }
}

function tagged(response: Response, { color, tag }: TaggedColor) {
  response.setHeader('ETag', tag);
  return record(color);
}
