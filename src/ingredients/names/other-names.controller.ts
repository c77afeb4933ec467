import { Body, Controller, Get, HttpCode, Param, Post, Put, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { SignedInRequest } from '../../platform/http/route-decorators';
import { taggedRecordText } from '../../platform/http/envelope';
import { PathId } from '../../platform/http/path-id';
import { ApiErrors, ApiIfMatch, ApiTaggedRecord } from '../../platform/openapi/responses';
import { faultOf, text } from '../../platform/texts/text';
import { UseLane } from '../../platform/request-limits/concurrency.guard';
import { AddedNamesDto, OtherNamesDto, ShownOtherNamesDto } from './other-names.dto';
import { OtherNamesService } from './other-names.service';

const NOT_FOUND = text('ingredient.not-found');
const FORBIDDEN = text('access.denied');
const CHANGED = text('ingredient.changed');
const WRONG_DIGIT = faultOf(
  'casNumbers.0',
  text('composition.wrong-check-digit', { number: '56-81-4', expected: 5 }),
);

@ApiTags('names')
@Controller('ext/ingredients')
@UseLane('short')
export class OtherNamesController {
  constructor(private readonly names: OtherNamesService) {}

  @Get(':id/names')
  @ApiOperation({ summary: 'Get the other names of an ingredient: registry numbers, synonyms, trade names' })
  @ApiTaggedRecord(ShownOtherNamesDto)
  @ApiErrors({ 404: NOT_FOUND })
  async get(@Req() request: SignedInRequest, @Param('id', PathId) id: string) {
    return taggedRecordText(request, await this.names.get(request.user, id));
  }

  @Put(':id/names')
  @ApiOperation({ summary: 'Replace all other names of an ingredient' })
  @ApiIfMatch()
  @ApiTaggedRecord(ShownOtherNamesDto)
  @ApiErrors({ 400: WRONG_DIGIT, 403: FORBIDDEN, 404: NOT_FOUND, 412: CHANGED })
  async replace(
    @Req() request: SignedInRequest,
    @Param('id', PathId) id: string,
    @Body() names: OtherNamesDto,
  ) {
    const { user, headers } = request;
    return taggedRecordText(request, await this.names.replace(user, id, names, headers['if-match']));
  }

  @Post(':id/names')
  @HttpCode(200)
  @ApiOperation({ summary: 'Add a name, or several, to the other names of an ingredient' })
  @ApiIfMatch()
  @ApiTaggedRecord(ShownOtherNamesDto)
  @ApiErrors({ 400: WRONG_DIGIT, 403: FORBIDDEN, 404: NOT_FOUND, 412: CHANGED })
  async add(@Req() request: SignedInRequest, @Param('id', PathId) id: string, @Body() names: AddedNamesDto) {
    const { user, headers } = request;
    return taggedRecordText(request, await this.names.add(user, id, names, headers['if-match']));
  }
}
