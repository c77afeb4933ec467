import { Injectable } from '@nestjs/common';
import { defer, filter, map, mergeMap, type Observable } from 'rxjs';
import { type Capability } from './capability';
import { type ExploreInput } from '../capabilities/explore-formula/explore-rules';
import { exploreFormula, type ExploreOption } from '../capabilities/explore-formula/explore-formula';
import { extractFormula, type Extraction, type ExtractInput } from '../capabilities/extract-formula/extract-formula';
import { predictFormula, type PredictInput, type Prediction } from '../capabilities/predict-formula/predict-formula';
import {
  recommendColorants,
  type ColorantRecommendations,
  type RecommendInput,
} from '../capabilities/recommend-colorants/recommend-colorants';
import { type SearchInput, searchKeywords, type SearchUnderstanding } from '../capabilities/search-keywords/search-keywords';
import { AiCall, type AiEvent, type AiSource, type CallPolicy } from './ai-call';
import { AiLimits } from './ai-limits';
import { AiPipeline } from './ai-pipeline';
import { type ChosenProvider, ProviderRegistry } from '../provider/configured-strategy';

/** An answer and where it came from. */
export interface AiResult<Answer> {
  readonly answer: Answer;
  readonly source: AiSource;
}

/** A part of an answer, handed on before the answer is whole. */
export interface AiPart<Part> {
  readonly part: Part;
  readonly source: AiSource;
}

/**
 * The AI features, one method each. Every call goes through the one pipeline; nothing is asked before somebody subscribes, and who
 * unsubscribes gives the call up.
 */
@Injectable()
export class AiService {
  constructor(
    private readonly registry: ProviderRegistry,
    private readonly pipeline: AiPipeline,
    private readonly limits: AiLimits,
  ) {}

  predict(input: PredictInput): Observable<AiResult<Prediction>> {
    return this.call(predictFormula, input);
  }

  /** The options one by one, each as soon as it is complete. */
  explore(input: ExploreInput): Observable<AiPart<ExploreOption>> {
    return this.parts(exploreFormula, input);
  }

  /** @throws AiFailure when no provider gave a usable answer: there is no preset for it */
  extract(input: ExtractInput): Observable<AiResult<Extraction>> {
    return this.call(extractFormula, input);
  }

  understandSearch(input: SearchInput): Observable<AiResult<SearchUnderstanding>> {
    return this.call(searchKeywords, input);
  }

  recommendColorants(input: RecommendInput): Observable<AiResult<ColorantRecommendations>> {
    return this.call(recommendColorants, input);
  }

  /**
   * The whole answer of any capability.
   *
   * @param options another provider than the configured one, or other bounds
   */
  call<Input, Answer, Part>(
    capability: Capability<Input, Answer, Part>,
    input: Input,
    options: { readonly target?: ChosenProvider; readonly policy?: Partial<CallPolicy> } = {},
  ): Observable<AiResult<Answer>> {
    return this.events(capability, input, options).pipe(
      filter((event) => event.kind === 'answer'),
      map(({ answer, source }) => ({ answer: answer as Answer, source })),
    );
  }

  /** The parts of the answer of any capability that has parts, as they come. */
  parts<Input, Answer, Part>(
    capability: Capability<Input, Answer, Part>,
    input: Input,
  ): Observable<AiPart<Part>> {
    return this.events(capability, input, {}).pipe(
      filter((event) => event.kind === 'part'),
      map(({ part, source }) => ({ part: part as Part, source })),
    );
  }

  private events<Input, Answer, Part>(
    capability: Capability<Input, Answer, Part>,
    input: Input,
    options: { readonly target?: ChosenProvider; readonly policy?: Partial<CallPolicy> },
  ): Observable<AiEvent> {
    const { deadlineMs, attemptMs, retries } = this.limits;
    const policy: CallPolicy = {
      deadlineMs,
      attemptMs,
      retries,
      cache: true,
      whenFailed: capability.whenFailed,
      ...options.policy,
    };
    return defer(async () => {
      const { provider, model } = options.target ?? (await this.registry.choose());
      // Inside the pipeline nobody knows what a capability's types are; here both ends are tied to them.
      return new AiCall(capability as Capability<unknown, unknown>, input, provider, model, policy);
    }).pipe(mergeMap((call) => this.pipeline.run(call)));
  }
}
