import { Body, Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { namingSource } from '../ai/http/ai-answers';
import type { SignedInRequest } from '../platform/http/route-decorators';
import { AnswersJsonText, page, record, recordText } from '../platform/http/envelope';
import { ApiErrors, ApiList, ApiPage, ApiRecord } from '../platform/openapi/responses';
import { faultOf, text } from '../platform/texts/text';
import { UseLane } from '../platform/request-limits/concurrency.guard';
import {
  ColorFormulaDto,
  ColorMatchDto,
  CreateColorFormulaDto,
  LibraryQuery,
  MatchQuery,
  NamedColorDto,
  RecommendationDto,
  RecommendDto,
} from './color.dto';
import { ColorService } from './color.service';
import { ColorLibraryService } from './color-library.service';

@ApiTags('color')
@Controller('color')
@UseLane('short')
export class ColorController {
  constructor(
    private readonly colors: ColorService,
    private readonly library: ColorLibraryService,
  ) {}

  // This route checks the linked formula, so it uses the lane of formulas.
  @Post('formulas')
  @UseLane('formulas')
  @ApiOperation({
    summary: 'Store a colour',
    description:
      'Colours are CIELAB values (D65, 10° observer recommended; one convention for all records), stored as given.',
  })
  @ApiRecord(ColorFormulaDto, 201)
  @ApiErrors({
    400: [
      faultOf('targetLab.L', text('field.too-great', { max: 100 })),
      faultOf('formulaId', text('formula.not-found')),
    ],
  })
  async create(@Req() { user }: SignedInRequest, @Body() input: CreateColorFormulaDto) {
    return record(await this.colors.create(user, input));
  }

  @Get('formulas/match')
  @AnswersJsonText()
  @ApiOperation({
    summary: 'The stored colours nearest to a measurement by CIEDE2000',
    description:
      'Exact at any number of stored colours: the same records in the same order as ranking all of them by CIEDE2000 ' +
      '(kL = kC = kH = 1) from the query to targetLab, ascending, equal differences by id.',
  })
  @ApiList(ColorMatchDto)
  @ApiErrors({ 400: faultOf('limit', text('field.too-great', { max: 20 })) })
  async match(@Req() { user }: SignedInRequest, @Query() { L, a, b, limit }: MatchQuery) {
    return recordText(await this.colors.matchAsJson(user, { L, a, b }, limit));
  }

  @Post('recommend')
  @UseLane('ai')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Colorants for a colour, and the 5 stored colours nearest to it',
    description:
      'Nearest by Euclidean difference in CIELAB (ΔE*ab, 1976) to targetLab, ascending, equal differences by id.',
  })
  @ApiOkResponse({ type: RecommendationDto, description: 'OK' })
  @ApiErrors({ 400: faultOf('targetLab.L', text('field.too-small', { min: 0 })) })
  recommend(
    @Req() { user }: SignedInRequest,
    @Body() { targetLab }: RecommendDto,
    @Res({ passthrough: true }) response: Response,
  ): Observable<RecommendationDto> {
    return this.colors.recommend(user, targetLab).pipe(
      namingSource(response),
      map(({ answer }) => answer),
    );
  }

  @Get('library')
  @UseLane('catalogue')
  @ApiOperation({
    operationId: 'colorLibrary_find',
    summary: 'Named colours, by name or nearest to a colour',
    description:
      '320 traditional Chinese colours and about 4900 English colour names with their sRGB value and its CIELAB coordinates ' +
      '(D65, 2°). For reference: measurements under another observer or illuminant compare only roughly.',
  })
  @ApiPage(NamedColorDto)
  @ApiErrors({ 400: faultOf('b', text('color.incomplete-lab')) })
  async findInLibrary(@Query() query: LibraryQuery) {
    return page(await this.library.find(query), query);
  }
}
