import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { CurrentUser } from '../../platform/common/current-user';
import { InvalidInputError } from '../../platform/common/errors/service-error';
import { User } from '../../platform/http/current-user.decorator';
import { AnswersJsonText, pageText, record, recordText } from '../../platform/http/envelope';
import { PathId } from '../../platform/http/path-id';
import { ApiErrors, ApiRecord } from '../../platform/openapi/responses';
import { text } from '../../platform/texts/text';
import { UseLane } from '../../platform/request-limits/lane.decorator';
import { ApiContractPage } from './contract-pages';
import { EXPANSION_WORDS } from './expanded-formula';
import { ExpandedFormulaDto, ExpandQuery } from './expanded-formula.dto';
import { FormulaFilterQuery } from './formula-list.dto';
import { ListsService } from './lists.service';
import { MovedFormulasDto, MoveFormulasDto } from './move.dto';

const NO_TIME = InvalidInputError.of([{ field: 'changedSince', message: text('field.not-a-time') }]).text;
const NO_INGREDIENT = InvalidInputError.of([
  { field: 'minShare', message: text('list.share-without-ingredient') },
]).text;
const REVERSED = InvalidInputError.of([
  { field: 'minShare', message: text('composition.reversed-range', { min: 5, max: 1 }) },
]).text;
const UNKNOWN_FORMULA = InvalidInputError.of([{ field: 'ids.0', message: text('formula.not-found') }]).text;
const UNKNOWN_PROJECT = InvalidInputError.of([
  { field: 'projectId', message: text('project.not-found') },
]).text;
const UNKNOWN_WORD = InvalidInputError.of([
  { field: 'expand', message: text('field.none-of', { values: EXPANSION_WORDS.join(', ') }) },
]).text;

@ApiTags('lists')
@Controller('ext/formulas')
@UseLane('search')
export class FormulaListController {
  constructor(private readonly lists: ListsService) {}

  @Get()
  @AnswersJsonText()
  @ApiOperation({
    summary: 'Formulas by project, ingredient and its share, category, creator and time of change',
    description:
      'All filters that are given hold. `search` finds among the formulas that they leave, and `category` is of an ' +
      'ingredient that the latest version contains.',
  })
  @ApiContractPage('ListedFormulaDto')
  @ApiErrors({ 400: [NO_TIME, NO_INGREDIENT, REVERSED] })
  async list(@User() user: CurrentUser, @Query() query: FormulaFilterQuery) {
    return pageText(await this.lists.listFormulas(user, query), query);
  }

  @Post('move')
  @HttpCode(200)
  @UseLane('formulas')
  @ApiOperation({
    summary: 'Put formulas into a project, or into none: all of them or none (their creator or an admin)',
    description:
      'Moves `updatedAt` of those that were elsewhere, as any change of metadata does; no new versions.',
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
    summary: 'One formula with its latest version, with prices, units and categories in its lines',
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
