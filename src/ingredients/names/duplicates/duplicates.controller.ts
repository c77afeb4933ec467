import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { CurrentUser } from '../../../platform/common/current-user';
import { Roles, User } from '../../../platform/http/route-decorators';
import { page, record } from '../../../platform/http/envelope';
import { PathId } from '../../../platform/http/path-id';
import { ApiErrors, ApiPage, ApiRecord } from '../../../platform/openapi/responses';
import { PageQuery } from '../../../platform/common/pagination';
import { faultOf, text } from '../../../platform/texts/text';
import { UseLane } from '../../../platform/request-limits/concurrency.guard';
import { MAX_NAMES } from '../other-names.dto';
import { DuplicateGroupDto, MergedIngredientDto, MergeIngredientDto } from './duplicates.dto';
import { DuplicatesService } from './duplicates.service';

const NOT_FOUND = text('ingredient.not-found');
const SAME = faultOf('into', text('names.same-ingredient'));
const CONFLICTS = [
  text('ingredient.too-many-names', { field: 'synonyms', max: MAX_NAMES }),
  text('record.in-use'),
];

@ApiTags('names')
@Controller('ext/ingredients')
export class DuplicatesController {
  constructor(private readonly duplicates: DuplicatesService) {}

  @Get('duplicates')
  @UseLane('reading')
  @ApiOperation({ summary: 'List groups of ingredients that may be the same, paged' })
  @ApiPage(DuplicateGroupDto)
  async list(@User() user: CurrentUser, @Query() query: PageQuery) {
    return page(await this.duplicates.list(user, query), query);
  }

  @Post(':id/merge')
  @HttpCode(200)
  @Roles('admin')
  @UseLane('write')
  @ApiOperation({
    summary: 'Merge two ingredients (admins only)',
    description:
      'All lines move to `into`, in all versions and in the trash; a formula with both ingredients keeps two lines. ' +
      'Percentages, version numbers, dates and snapshots do not change. The names become synonyms of `into`, which ' +
      'also gets the composition if it has none, and what its card does not say. Then the ingredient is deleted.',
  })
  @ApiRecord(MergedIngredientDto)
  @ApiErrors({ 400: SAME, 404: NOT_FOUND, 409: CONFLICTS })
  async merge(
    @User() user: CurrentUser,
    @Param('id', PathId) id: string,
    @Body() { into }: MergeIngredientDto,
  ) {
    return record(await this.duplicates.merge(user, id, into));
  }
}
