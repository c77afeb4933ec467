import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { CurrentUser } from '../../platform/common/current-user';
import { User } from '../../platform/http/route-decorators';
import { record } from '../../platform/http/envelope';
import { ApiErrors, ApiList } from '../../platform/openapi/responses';
import { faultOf, text } from '../../platform/texts/text';
import { UseLane } from '../../platform/request-limits/concurrency.guard';
import { IngredientResolver } from './ingredient-resolver';
import { MAX_RESOLVED, ResolvedNameDto, ResolveNamesDto, shownResolution } from './resolve.dto';

const TOO_MANY = faultOf('names', text('field.too-many-items', { max: MAX_RESOLVED }));

@ApiTags('names')
@Controller('ext/ingredients/resolve')
@UseLane('reading')
export class ResolveController {
  constructor(private readonly resolver: IngredientResolver) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Find the ingredients that names mean',
    description:
      'In the order of the names. The names of the catalogue come before the shipped everyday names, which ' +
      '`EVERYDAY_NAMES=off` leaves out.',
  })
  @ApiList(ResolvedNameDto)
  @ApiErrors({ 400: TOO_MANY })
  async resolve(@User() user: CurrentUser, @Body() { names }: ResolveNamesDto) {
    return record((await this.resolver.resolve(user, names)).map(shownResolution));
  }
}
