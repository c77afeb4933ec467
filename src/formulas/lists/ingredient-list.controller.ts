import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { CurrentUser } from '../../platform/common/current-user';
import { InvalidInputError } from '../../platform/common/errors/service-error';
import { User } from '../../platform/http/current-user.decorator';
import { AnswersJsonText, page, pageText } from '../../platform/http/envelope';
import { PathId } from '../../platform/http/path-id';
import { ApiErrors, ApiPage } from '../../platform/openapi/responses';
import { text } from '../../platform/texts/text';
import { UseLane } from '../../platform/request-limits/lane.decorator';
import { ID_LIST_FAULTS } from '../../platform/validation/id-list';
import { ApiContractPage } from './contract-pages';
import { IngredientFilterQuery, paged } from './ingredient-list.dto';
import { ListsService } from './lists.service';
import { UsageQuery, UsingFormulaDto } from './usage.dto';

const NO_CAS = InvalidInputError.of([
  { field: 'casNumber', message: text('composition.not-a-cas-number') },
]).text;
const REVERSED = InvalidInputError.of([
  { field: 'minPrice', message: text('composition.reversed-range', { min: 100, max: 10 }) },
]).text;

@ApiTags('lists')
@Controller('ext/ingredients')
@UseLane('catalogue')
export class IngredientListController {
  constructor(private readonly lists: ListsService) {}

  @Get()
  @AnswersJsonText()
  @ApiOperation({
    summary: 'Ingredients by ids, supplier, price, CAS number and category',
    description: 'All filters that are given hold.',
  })
  @ApiContractPage('IngredientDto')
  @ApiErrors({ 400: [...ID_LIST_FAULTS, NO_CAS, REVERSED] })
  async list(@User() user: CurrentUser, @Query() filter: IngredientFilterQuery) {
    const query = paged(filter);
    return pageText(await this.lists.listIngredients(user, query), query);
  }

  @Get(':id/formulas')
  @UseLane('search')
  @ApiOperation({
    summary: 'Where an ingredient is used: formulas by name, with its share',
    description: 'Of the formulas that you may read. All numbers are of the chosen versions.',
  })
  @ApiPage(UsingFormulaDto)
  @ApiErrors({ 404: text('ingredient.not-found') })
  async listUsage(@User() user: CurrentUser, @Param('id', PathId) id: string, @Query() query: UsageQuery) {
    return page(await this.lists.listUsage(user, id, query), query);
  }
}
