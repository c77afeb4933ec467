import { Body, Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { catchError, map, mergeMap, type Observable, throwError } from 'rxjs';
import type { SignedInRequest } from '../../platform/http/route-decorators';
import { record } from '../../platform/http/envelope';
import { ApiErrors } from '../../platform/openapi/responses';
import { StreamsEvents } from '../../platform/sse/event-stream.interceptor';
import { languageOf } from '../../platform/texts/languages';
import { faultOf, text } from '../../platform/texts/text';
import { ConcurrencyLimiter } from '../../platform/request-limits/concurrency-limiter';
import { UseLane } from '../../platform/request-limits/concurrency.guard';
import {
  type AiStream,
  namingSource,
  noteExploration,
  NOTES_HEADER,
  noteSearch,
  optionMessages,
  resultMessages,
  setExtractionHeaders,
  whenEmpty,
} from './ai-answers';
import { AiService } from '../pipeline/ai.service';
import { AiStrategy } from '../providers/ai-provider';
import {
  extractFormula,
  EXTRACTION_FAILED,
  ExtractionFailedError,
  readAhead,
} from '../capabilities/extract-formula/extract-formula';
import {
  AiSearchDto,
  AiSearchQuery,
  ExploreFormulaDto,
  ExtractedLineDto,
  ExtractFormulaDto,
  PredictFormulaDto,
} from './dto/ai.dto';
import {
  ApiStream,
  DoneMessageDto,
  OptionMessageDto,
  PredictionDto,
  ResultMessageDto,
} from './dto/ai-messages.dto';
import { FormulaExtraction } from '../capabilities/extract-formula/formula-extraction';
import { exploreFormula } from '../capabilities/explore-formula/explore-formula';
import { FormulaExploration } from '../capabilities/explore-formula/formula-exploration';
import { withoutIdleChanges } from '../capabilities/explore-formula/explore-rules';
import { FormulaPrediction, predictFormula } from '../capabilities/predict-formula/predict-formula';
import { searchKeywords } from '../capabilities/search-keywords/search-keywords';
import { FormulaSearch } from '../capabilities/search-keywords/formula-search';

const EVENT_STREAM = 'text/event-stream';

/** Returns true if the `Accept` header prefers an event stream to JSON. JSON is the default. */
const prefersStream = (request: Request): boolean =>
  request.accepts(['application/json', EVENT_STREAM]) === EVENT_STREAM;

@ApiTags('ai')
@Controller('ai')
@UseLane('ai')
export class AiController {
  constructor(
    private readonly ai: AiService,
    private readonly strategy: AiStrategy,
    private readonly prediction: FormulaPrediction,
    private readonly exploration: FormulaExploration,
    private readonly extraction: FormulaExtraction,
    private readonly search: FormulaSearch,
    private readonly limiter: ConcurrencyLimiter,
  ) {}

  @Post('predict-formula')
  @StreamsEvents()
  @ApiOperation({ summary: 'Predicts feel, stability and cost; a stream of one `result` message' })
  @ApiStream({
    description: 'One `result`; its content is a Prediction as JSON text',
    messages: [ResultMessageDto],
    content: { model: PredictionDto },
    example: [{ type: 'result', content: '{"sensoryIndex":{"spreadability":70,…},…}' }],
  })
  @ApiErrors({ 400: faultOf('ingredients', text('field.too-few-items', { min: 1 })) })
  async predict(
    @Req() request: SignedInRequest,
    @Body() body: PredictFormulaDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AiStream> {
    const { user } = request;
    const options = await this.ai.allowed(predictFormula, user);
    const input = await this.limiter.run('catalogue', () => this.prediction.withCatalogue(user, body));
    const results = this.ai.call(predictFormula, input, options).pipe(namingSource(response));
    return resultMessages(results, languageOf(request));
  }

  @Post('explore-formula')
  @StreamsEvents()
  @ApiOperation({ summary: 'Proposes variants of a formula; a stream of `option` messages and a `done`' })
  @ApiStream({
    description: 'Zero or more `option` messages, then `done`',
    messages: [OptionMessageDto, DoneMessageDto],
    headers: {
      [NOTES_HEADER]: {
        description:
          'Remarks on the request. `excluded-not-in-base=N`: the base has no ingredient for N of the names to ' +
          'exclude. `no-options=REASON`: the reason for no options, if it is known when the stream opens ' +
          '(over-cost-limit, excluded-ingredient, kept-ingredient, added-twice, percentages, none-proposed)',
        schema: { type: 'string', example: 'excluded-not-in-base=2, no-options=over-cost-limit' },
      },
    },
    example: [
      {
        type: 'option',
        option: {
          name: '降本方案',
          changes: [{ action: 'reduce', ingredient: '甘油', oldPercentage: 5, newPercentage: 3 }],
          predictedMetrics: { costEstimate: 24, stabilityScore: 78 },
          reasoning: '减少甘油以降低成本。',
        },
      },
      { type: 'done' },
    ],
  })
  @ApiErrors({
    400: faultOf('costLimit', text('exploration.without-goal')),
    404: text('formula.not-found'),
  })
  async explore(
    @Req() request: SignedInRequest,
    @Body() body: ExploreFormulaDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AiStream> {
    const { user } = request;
    const requested = await this.exploration.inputOf(user, body);
    const allowed = await this.ai.allowed(exploreFormula, user);
    const named = await this.limiter.run('catalogue', () => this.exploration.withCatalogue(user, requested));
    const target = await this.strategy.current();
    const isPreset = target.provider.role === 'presets';
    const input = isPreset ? await this.exploration.withSolutions(named) : named;
    const notes = await this.exploration.notesOn(input, isPreset);
    noteExploration(response, notes);
    const options = this.ai.parts(exploreFormula, input, { ...allowed, target }).pipe(
      namingSource(response),
      map(({ part, source }) => ({ part: withoutIdleChanges(part, input), source })),
      whenEmpty(() => noteExploration(response, { ...notes, noOptions: this.exploration.reportNone(input) })),
    );
    return optionMessages(options, languageOf(request));
  }

  @Post('extract-formula')
  @HttpCode(200)
  @StreamsEvents()
  @ApiOperation({
    summary: 'Reads a formula out of free text; as a stream of one `result` where the client prefers that',
  })
  @ApiStream({
    description:
      'The lines of the formula; with `Accept: text/event-stream` one `result` with them as JSON text',
    messages: [ResultMessageDto],
    content: { model: ExtractedLineDto, isArray: true },
    json: ExtractedLineDto,
    headers: {
      'X-Unread-Lines': {
        description:
          'How many lines were not read, and, where no model has read the text, their numbers (at most 200 of ' +
          'them): lines that may name an ingredient and are not understood as a whole, those of further formulas in ' +
          'the text, and those beyond 200 ingredients',
        schema: { type: 'string', example: '2; 3,7' },
      },
      'X-Percent-Total': {
        description:
          'The sum of the percentages that were read, as a decimal; absent where the announced example is answered',
        schema: { type: 'string', example: '99.8' },
      },
    },
    example: [{ type: 'result', content: '[{"inciName":"Glycerin",…}]' }],
  })
  @ApiErrors({ 400: faultOf('text', text('field.required')), 500: EXTRACTION_FAILED })
  async extract(
    @Req() request: SignedInRequest,
    @Body() input: ExtractFormulaDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AiStream | Observable<{ data: ExtractedLineDto[] }>> {
    const { user } = request;
    const options = await this.ai.allowed(extractFormula, user);
    await readAhead(input);
    const lines = this.ai.call(extractFormula, input, options).pipe(
      namingSource(response),
      mergeMap(async ({ answer, source }) => {
        const { lines, ...headers } = await this.limiter.run('catalogue', () =>
          this.extraction.complete(user, answer, input),
        );
        setExtractionHeaders(response, headers);
        return { answer: lines, source };
      }),
    );
    if (prefersStream(request)) {
      return resultMessages(lines, languageOf(request), EXTRACTION_FAILED);
    }
    return lines.pipe(
      map(({ answer }) => record(answer)),
      catchError((error: unknown) => throwError(() => ExtractionFailedError.from(error))),
    );
  }

  @Get('search')
  @ApiOperation({ summary: 'Finds formulas for a phrase in natural language' })
  @ApiOkResponse({
    type: AiSearchDto,
    description: 'OK',
    headers: {
      [NOTES_HEADER]: {
        description: '`excluded-unknown=N`: so many of the names that the phrase rules out stand for nothing',
        schema: { type: 'string', example: 'excluded-unknown=1' },
      },
    },
  })
  @ApiErrors({ 400: faultOf('q', text('field.required')) })
  find(
    @Req() { user }: SignedInRequest,
    @Query() { q }: AiSearchQuery,
    @Res({ passthrough: true }) response: Response,
  ): Observable<AiSearchDto> {
    return this.ai.call(searchKeywords, { phrase: q }, { user }).pipe(
      namingSource(response),
      mergeMap(({ answer }) => this.limiter.run('search', () => this.search.find(user, q, answer))),
      map(({ excludedUnknown, ...found }) => {
        noteSearch(response, excludedUnknown);
        return found;
      }),
    );
  }
}
