import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { CurrentUser } from '../../platform/common/current-user';
import { User } from '../../platform/http/route-decorators';
import { AnswersJsonText, page, pageText, record, recordText } from '../../platform/http/envelope';
import { PathId } from '../../platform/http/path-id';
import { ApiErrors, ApiPage, ApiRecord } from '../../platform/openapi/responses';
import { faultOf, text } from '../../platform/texts/text';
import { UseLane } from '../../platform/request-limits/concurrency.guard';
import { IngredientDto } from '../../ingredients/ingredient.dto';
import { ListedFormulaDto } from '../formula.dto';
import {
  ExpandedFormulaDto,
  ExpandQuery,
  EXPANSION_WORDS,
  FormulaFilterQuery,
  IngredientFilterQuery,
  MovedFormulasDto,
  MoveFormulasDto,
  paged,
  UsageQuery,
  UsingFormulaDto,
} from './lists.dto';
import { ListsService } from './lists.service';
import { ID_LIST_FAULTS } from '../../platform/validation/id-list';

const NO_TIME = faultOf('changedSince', text('field.not-a-time'));
const NO_INGREDIENT = faultOf('minShare', text('list.share-without-ingredient'));
const REVERSED = faultOf('minShare', text('composition.reversed-range', { min: 5, max: 1 }));
const UNKNOWN_FORMULA = faultOf('ids.0', text('formula.not-found'));
const UNKNOWN_PROJECT = faultOf('projectId', text('project.not-found'));
const UNKNOWN_WORD = faultOf('expand', text('field.none-of', { values: EXPANSION_WORDS.join(', ') }));

const NO_CAS = faultOf('casNumber', text('composition.not-a-cas-number'));
const REVERSED_PRICES = faultOf('minPrice', text('composition.reversed-range', { min: 100, max: 10 }));

@ApiTags('lists')
@Controller('ext/formulas')
@UseLane('search')
export class FormulaListController {
  constructor(private readonly lists: ListsService) {}

  @Get()
  @AnswersJsonText()
  @ApiOperation({
    summary:
      'List formulas by project, product type, market, ingredient and its share, category, creator and time of change',
    description:
      'A formula must satisfy all filters. `search` searches those that do. With `category`, the latest version ' +
      'contains an ingredient of that category.',
  })
  @ApiPage(ListedFormulaDto)
  @ApiErrors({ 400: [NO_TIME, NO_INGREDIENT, REVERSED] })
  async list(@User() user: CurrentUser, @Query() query: FormulaFilterQuery) {
    return pageText(await this.lists.listFormulas(user, query), query);
  }

  @Post('move')
  @HttpCode(200)
  @UseLane('formulas')
  @ApiOperation({
    summary:
      'Move formulas into a project, or out of theirs: all of them or none (their creator or an admin)',
    description:
      'Creates no versions. As with any change of metadata, `updatedAt` changes for formulas that were elsewhere.',
  })
  @ApiRecord(MovedFormulasDto)
  @ApiErrors({ 400: [UNKNOWN_FORMULA, UNKNOWN_PROJECT], 403: text('access.denied') })
  async move(@User() user: CurrentUser, @Body() input: MoveFormulasDto) {
    return record(await this.lists.moveFormulas(user, input));
  }

  @Get(':id')
  @UseLane('formulas')
  @AnswersJsonText()
  @ApiOperation({
    summary: 'Get a formula with its latest version, with prices, units and categories in its lines',
  })
  @ApiRecord(ExpandedFormulaDto)
  @ApiErrors({ 400: UNKNOWN_WORD, 404: text('formula.not-found') })
  async expanded(
    @User() user: CurrentUser,
    @Param('id', PathId) id: string,
    @Query() query: ExpandQuery,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { formula, tag } = await this.lists.expandedFormula(user, id, query);
    response.setHeader('ETag', tag);
    return recordText(formula);
  }
}

@ApiTags('lists')
@Controller('ext/ingredients')
@UseLane('catalogue')
export class IngredientListController {
  constructor(private readonly lists: ListsService) {}

  @Get()
  @AnswersJsonText()
  @ApiOperation({
    summary: 'List ingredients by ids, supplier, price, CAS number and category',
    description: 'An ingredient must satisfy all filters.',
  })
  @ApiPage(IngredientDto)
  @ApiErrors({ 400: [...ID_LIST_FAULTS, NO_CAS, REVERSED_PRICES] })
  async list(@User() user: CurrentUser, @Query() filter: IngredientFilterQuery) {
    const query = paged(filter);
    return pageText(await this.lists.listIngredients(user, query), query);
  }

  @Get(':id/formulas')
  @UseLane('search')
  @ApiOperation({
    summary: 'List the formulas that use an ingredient, with its share',
    description:
      'Contains the formulas that you may read, by name. All numbers are those of the chosen versions.',
  })
  @ApiPage(UsingFormulaDto)
  @ApiErrors({ 404: text('ingredient.not-found') })
  async listUsage(@User() user: CurrentUser, @Param('id', PathId) id: string, @Query() query: UsageQuery) {
    return page(await this.lists.listUsage(user, id, query), query);
  }
}
