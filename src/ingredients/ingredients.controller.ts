import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { SignedInRequest } from '../platform/http/route-decorators';
import { AnswersJsonText, pageText, taggedRecordText } from '../platform/http/envelope';
import { PathId } from '../platform/http/path-id';
import {
  ApiDeleted,
  ApiErrorResponse,
  ApiErrors,
  ApiIfMatch,
  ApiPage,
  ApiTaggedRecord,
} from '../platform/openapi/responses';
import { faultOf, render, text } from '../platform/texts/text';
import { UseLane } from '../platform/request-limits/concurrency.guard';
import {
  CreateIngredientDto,
  IngredientDto,
  IngredientInUseDto,
  IngredientQuery,
  UpdateIngredientDto,
} from './ingredient.dto';
import {
  INGREDIENT_CHANGED,
  INGREDIENT_IN_USE_TEXT,
  INGREDIENT_NOT_FOUND,
  IngredientsService,
} from './ingredients.service';

const INVALID = faultOf('functionCategory', text('field.required'));
const TOO_MANY = faultOf('limit', text('field.too-great', { max: 100 }));
const NEGATIVE_PRICE = faultOf('unitPrice', text('field.too-small', { min: 0 }));

/** Response header with the ids of ingredients that the new one duplicates. */
const DUPLICATE_HEADER = 'X-Duplicate-Of';

@ApiTags('ingredients')
@Controller('ingredients')
@UseLane('catalogue')
export class IngredientsController {
  constructor(private readonly ingredients: IngredientsService) {}

  @Get()
  @AnswersJsonText()
  @ApiOperation({ summary: 'The catalogue, newest first; of a search what fits best first' })
  @ApiPage(IngredientDto)
  @ApiErrors({ 400: TOO_MANY })
  async list(@Req() { user }: SignedInRequest, @Query() query: IngredientQuery) {
    return pageText(await this.ingredients.list(user, query), query);
  }

  @Get(':id')
  @ApiOperation({ summary: 'One ingredient' })
  @ApiTaggedRecord(IngredientDto)
  @ApiErrors({ 404: INGREDIENT_NOT_FOUND })
  async get(@Req() request: SignedInRequest, @Param('id', PathId) id: string) {
    return taggedRecordText(request, await this.ingredients.get(request.user, id));
  }

  @Post()
  @ApiOperation({ summary: 'Add an ingredient' })
  @ApiTaggedRecord(IngredientDto, 201, {
    [DUPLICATE_HEADER]: {
      description:
        'Ids of ingredients that you may read and that have the same INCI name but for its case, normal form, ' +
        'width, blanks or invisible characters, and the same supplier where one is given; the oldest first, at most 5',
      schema: { type: 'string', example: '3f0c1d52-6c1e-4f7e-9d3b-0f6f1f0a7c11' },
    },
  })
  @ApiErrors({ 400: INVALID })
  async create(
    @Req() request: SignedInRequest,
    @Body() input: CreateIngredientDto,
    @Res({ passthrough: true }) response: Response,
  ) {
    const created = await this.ingredients.create(request.user, input);
    // The ingredient has been stored, so if this lookup fails, only the header is missing.
    const sameNames = await this.ingredients.duplicatesOf(request.user, input).catch(() => []);
    const duplicates = sameNames.filter((other) => other !== created.id);
    if (duplicates.length > 0) response.setHeader(DUPLICATE_HEADER, duplicates.join(', '));
    return taggedRecordText(request, created);
  }

  @Put(':id')
  @ApiOperation({ summary: 'Change fields of an ingredient' })
  @ApiIfMatch()
  @ApiTaggedRecord(IngredientDto)
  @ApiErrors({ 400: NEGATIVE_PRICE, 404: INGREDIENT_NOT_FOUND, 412: INGREDIENT_CHANGED })
  async update(
    @Req() request: SignedInRequest,
    @Param('id', PathId) id: string,
    @Body() input: UpdateIngredientDto,
  ) {
    const { user, headers } = request;
    return taggedRecordText(request, await this.ingredients.update(user, id, input, headers['if-match']));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove an ingredient that no formula uses' })
  @ApiIfMatch()
  @ApiDeleted()
  @ApiErrors({ 404: INGREDIENT_NOT_FOUND, 412: INGREDIENT_CHANGED })
  @ApiErrorResponse(409, IngredientInUseDto, [{ error: render(INGREDIENT_IN_USE_TEXT), usageCount: 3 }])
  async delete(@Req() { user, headers }: SignedInRequest, @Param('id', PathId) id: string): Promise<void> {
    await this.ingredients.delete(user, id, headers['if-match']);
  }
}
