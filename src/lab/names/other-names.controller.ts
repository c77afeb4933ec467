import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { CurrentUser } from '../../common/current-user';
import { InvalidInputError } from '../../common/errors/service-error';
import { User } from '../../common/http/current-user.decorator';
import { record } from '../../common/http/envelope';
import { PathId } from '../../common/http/path-id';
import { ApiErrors, ApiRecord } from '../../common/openapi/responses';
import { text } from '../../common/texts/text';
import { UseLane } from '../../concurrency/lane.decorator';
import { OtherNamesDto, ShownOtherNamesDto } from './other-names.dto';
import { OtherNamesService } from './other-names.service';

const NOT_FOUND = text('ingredient.not-found');
const FORBIDDEN = text('access.denied');
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
  @ApiOperation({ summary: 'The other names of an ingredient: registry numbers, synonyms, trade names' })
  @ApiRecord(ShownOtherNamesDto)
  @ApiErrors({ 404: NOT_FOUND })
  async get(@User() user: CurrentUser, @Param('id', PathId) id: string) {
    return record(await this.names.get(user, id));
  }

  @Put(':id/names')
  @ApiOperation({ summary: 'Replace the other names of an ingredient, all of them' })
  @ApiRecord(ShownOtherNamesDto)
  @ApiErrors({ 400: WRONG_DIGIT, 403: FORBIDDEN, 404: NOT_FOUND })
  async replace(@User() user: CurrentUser, @Param('id', PathId) id: string, @Body() names: OtherNamesDto) {
    return record(await this.names.replace(user, id, names));
  }
}
