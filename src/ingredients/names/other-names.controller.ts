import { Body, Controller, Get, Headers, Param, Put, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { CurrentUser } from '../../platform/common/current-user';
import { InvalidInputError } from '../../platform/common/errors/service-error';
import { User } from '../../platform/http/route-decorators';
import { entityTag, record } from '../../platform/http/envelope';
import { PathId } from '../../platform/http/path-id';
import { ApiErrors, ApiIfMatch, ApiTaggedRecord } from '../../platform/openapi/responses';
import { text } from '../../platform/texts/text';
import { UseLane } from '../../platform/request-limits/concurrency.guard';
import { OtherNamesDto, ShownOtherNamesDto } from './other-names.dto';
import { OtherNamesService } from './other-names.service';

const NOT_FOUND = text('ingredient.not-found');
const FORBIDDEN = text('access.denied');
const CHANGED = text('ingredient.changed');
const WRONG_DIGIT = InvalidInputError.of([
  {
    field: 'casNumbers.0',
    message: text('composition.wrong-check-digit', { number: '56-81-4', expected: 5 }),
  },
]).text;

@ApiTags('names')
@Controller('ext/ingredients')
@UseLane('short')
export class OtherNamesController {
  constructor(private readonly names: OtherNamesService) {}

  @Get(':id/names')
  @ApiOperation({ summary: 'Get the other names of an ingredient: registry numbers, synonyms, trade names' })
  @ApiTaggedRecord(ShownOtherNamesDto)
  @ApiErrors({ 404: NOT_FOUND })
  async get(
    @User() user: CurrentUser,
    @Param('id', PathId) id: string,
    @Res({ passthrough: true }) response: Response,
  ) {
    return this.tagged(response, await this.names.get(user, id));
  }

  @Put(':id/names')
  @ApiOperation({ summary: 'Replace all other names of an ingredient' })
  @ApiIfMatch()
  @ApiTaggedRecord(ShownOtherNamesDto)
  @ApiErrors({ 400: WRONG_DIGIT, 403: FORBIDDEN, 404: NOT_FOUND, 412: CHANGED })
  async replace(
    @User() user: CurrentUser,
    @Param('id', PathId) id: string,
    @Body() names: OtherNamesDto,
    @Res({ passthrough: true }) response: Response,
    @Headers('if-match') ifMatch?: string,
  ) {
    return this.tagged(response, await this.names.replace(user, id, names, ifMatch));
  }

  private tagged(response: Response, names: ShownOtherNamesDto) {
    response.setHeader('ETag', entityTag(names));
    return record(names);
  }
}
