import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { SignedInRequest } from '../platform/http/route-decorators';
import { AnswersJsonText, pageText, recordText, taggedRecordText } from '../platform/http/envelope';
import { PathId } from '../platform/http/path-id';
import {
  ApiDeleted,
  ApiErrors,
  ApiIfMatch,
  ApiPage,
  ApiRecord,
  ApiTaggedRecord,
} from '../platform/openapi/responses';
import { faultOf, text } from '../platform/texts/text';
import { UseLane } from '../platform/request-limits/concurrency.guard';
import { INGREDIENT_NOT_FOUND } from '../ingredients/ingredients.service';
import { PROJECT_NOT_FOUND } from '../projects/projects.service';
import {
  CreateFormulaDto,
  FORMULA_SORTS,
  FormulaDto,
  FormulaMetadataDto,
  FormulaQuery,
  ListedFormulaDto,
  RevisionDto,
  UpdateFormulaDto,
} from './formula.dto';
import { FORMULA_NOT_FOUND, FormulasService } from './formulas.service';
import { incompleteText } from './percentage-sum';

const INVALID_SUM = faultOf('phases', incompleteText('99.4'));
const UNKNOWN_INGREDIENT = faultOf('phases.0.ingredients.0.ingredientId', INGREDIENT_NOT_FOUND);
const UNKNOWN_PROJECT = faultOf('projectId', PROJECT_NOT_FOUND);
const INVALID_SORT = faultOf('sortBy', text('field.none-of', { values: FORMULA_SORTS.join(', ') }));
const INVALID_NAME = faultOf('name', text('field.required'));
const CHANGED = text('formula.changed', { version: 2 });
const FORBIDDEN = text('access.denied');

@ApiTags('formulas')
@Controller('formulas')
@UseLane('formulas')
export class FormulasController {
  constructor(private readonly formulas: FormulasService) {}

  @Get()
  @AnswersJsonText()
  @ApiOperation({ summary: 'Formulas, searched, sorted and paged' })
  @ApiPage(ListedFormulaDto)
  @ApiErrors({ 400: INVALID_SORT })
  async list(@Req() { user }: SignedInRequest, @Query() query: FormulaQuery) {
    return pageText(await this.formulas.list(user, query), query);
  }

  @Get(':id')
  @ApiOperation({ summary: 'One formula with its latest version' })
  @ApiTaggedRecord(FormulaDto)
  @ApiErrors({ 404: FORMULA_NOT_FOUND })
  async get(@Req() request: SignedInRequest, @Param('id', PathId) id: string) {
    return taggedRecordText(request, await this.formulas.get(request.user, id));
  }

  @Post()
  @ApiOperation({ summary: 'Create a formula with its version 1' })
  @ApiTaggedRecord(FormulaDto, 201)
  @ApiErrors({ 400: [INVALID_SUM, UNKNOWN_INGREDIENT, UNKNOWN_PROJECT] })
  async create(@Req() request: SignedInRequest, @Body() input: CreateFormulaDto) {
    return taggedRecordText(request, await this.formulas.create(request.user, input));
  }

  @Put(':id')
  @AnswersJsonText()
  @ApiOperation({ summary: 'Change name and description (its creator or an admin); no new version' })
  @ApiIfMatch()
  @ApiRecord(FormulaMetadataDto)
  @ApiErrors({ 400: INVALID_NAME, 403: FORBIDDEN, 404: FORMULA_NOT_FOUND, 412: CHANGED })
  async updateMetadata(
    @Req() { user, headers }: SignedInRequest,
    @Param('id', PathId) id: string,
    @Body() input: UpdateFormulaDto,
  ) {
    return recordText(await this.formulas.updateMetadata(user, id, input, headers['if-match']));
  }

  @Put(':id/composition')
  @ApiOperation({
    summary: 'Revise the composition (its creator or an admin): a new version with the next number',
  })
  @ApiIfMatch()
  @ApiTaggedRecord(FormulaDto)
  @ApiErrors({
    400: [INVALID_SUM, UNKNOWN_INGREDIENT],
    403: FORBIDDEN,
    404: FORMULA_NOT_FOUND,
    412: CHANGED,
  })
  async revise(@Req() request: SignedInRequest, @Param('id', PathId) id: string, @Body() input: RevisionDto) {
    const { user, headers } = request;
    return taggedRecordText(request, await this.formulas.revise(user, id, input, headers['if-match']));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a formula with all its versions (its creator or an admin)' })
  @ApiIfMatch()
  @ApiDeleted()
  @ApiErrors({ 403: FORBIDDEN, 404: FORMULA_NOT_FOUND, 412: CHANGED })
  async delete(@Req() { user, headers }: SignedInRequest, @Param('id', PathId) id: string): Promise<void> {
    await this.formulas.delete(user, id, headers['if-match']);
  }
}
