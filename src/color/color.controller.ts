import { Body, Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { namingSource } from '../ai/http/ai-source-header';
import type { SignedInRequest } from '../common/http/current-user.decorator';
import { record } from '../common/http/envelope';
import { AnswersJsonText, recordText } from '../common/http/json-text';
import { ApiErrors, ApiList, ApiRecord } from '../common/openapi/responses';
import { faultOf, text } from '../common/texts/text';
import { callerOf } from '../shares/caller';
import { Heavy } from '../shares/heavy.decorator';
import { HeavyWork } from '../shares/heavy-work';
import { LargeReads } from '../shares/large-reads';
import { ColorService } from './color.service';
import {
  ColorFormulaDto,
  ColorMatchDto,
  CreateColorFormulaDto,
  MatchQuery,
  RecommendationDto,
  RecommendDto,
} from './color.dto';

@ApiTags('color')
@Controller('color')
export class ColorController {
  constructor(
    private readonly colors: ColorService,
    private readonly heavy: HeavyWork,
    private readonly largeReads: LargeReads,
  ) {}

  @Post('formulas')
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
  async create(@Req() request: SignedInRequest, @Body() input: CreateColorFormulaDto) {
    const caller = callerOf(request);
    const create = () => this.colors.create(caller.user, input);
    return record(await this.heavy.runWhere(caller.hasLargeBody ? 'composition' : undefined, caller, create));
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
  async match(@Req() request: SignedInRequest, @Query() { L, a, b, limit }: MatchQuery) {
    const caller = callerOf(request);
    const match = () => this.colors.matchAsJson(caller.user, { L, a, b }, limit);
    // Compositions are of up to 64 KB each; whoever asks for large ones does so again.
    return recordText(
      await this.largeReads.read('catalogue', `color matches for ${caller.client}`, caller, match),
    );
  }

  @Post('recommend')
  @Heavy('ai')
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
}
