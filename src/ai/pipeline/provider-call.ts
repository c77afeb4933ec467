import { type CallHandler } from '@nestjs/common';
import {
  catchError,
  concat,
  concatMap,
  defer,
  EMPTY,
  finalize,
  from,
  mergeAll,
  type MonoTypeOperatorFunction,
  type Observable,
  type SchedulerLike,
  tap,
  throwError,
  timeout,
} from 'rxjs';
import { type RuntimeConfiguration } from '../../platform/runtime-config/runtime-configuration';
import { AiFailure, InvalidAnswer } from '../../platform/common/errors/ai-failure';
import { type CompletionRequest } from '../providers/ai-provider';
import { isConfigured } from '../providers/configured-strategy';
import { type AiCall, type AiEvent } from './ai-call';
import { answerEvents } from './answer/answer-events';
import { checkLength } from './answer/answer-length';
import { checkedAnswer, readAnswer } from './answer/find-answer';
import { StreamedAnswer } from './answer/streamed-answer';
import { type EmbeddedTexts } from './capability';

/**
 * The innermost handler. Makes one attempt: sends the request, and reads and checks the answer. The
 * HTTP request is aborted if the caller unsubscribes or the provider sends nothing for too long.
 */
export class ProviderCall implements CallHandler<AiEvent> {
  constructor(
    private readonly call: AiCall,
    private readonly scheduler: SchedulerLike,
    private readonly configuration: RuntimeConfiguration,
  ) {}

  handle(): Observable<AiEvent> {
    const { capability, provider } = this.call;
    return defer(async () => {
      await this.renewAccess();
      const aborter = new AbortController();
      const { signal } = aborter;
      const events = capability.embedding
        ? this.embedded(capability.embedding, signal)
        : capability.parts && provider.capabilities.streaming
          ? this.streamed(this.request(signal))
          : this.completed(this.request(signal));
      return events.pipe(finalize(() => aborter.abort()));
    }).pipe(mergeAll());
  }

  /**
   * Reads the configuration again: while the call waited for the rate limit or for a retry, its key may have
   * been removed or mock mode switched on.
   * @throws AiFailure `not-configured` in mock mode, without a key, and if the address has changed, because the
   *   answer would be cached under the earlier address
   */
  private async renewAccess(): Promise<void> {
    const { call } = this;
    const { provider } = call;
    if (!provider.capabilities.remote) return;
    const access = await this.configuration.inForce(provider.name, call.access);
    if (access === call.access) return; // the strategy's own access
    const isSameAddress = access?.baseUrl === call.access.baseUrl;
    if (!access || !isSameAddress || !(await isConfigured(provider, access))) {
      throw new AiFailure('not-configured', provider.name, { retryable: false });
    }
    call.renewAccess(access);
  }

  private completed(request: CompletionRequest): Observable<AiEvent> {
    const { call } = this;
    return defer(() => call.provider.complete(request)).pipe(
      this.limitSilence(),
      concatMap(({ text, tokensUsed }) => {
        call.usage.add(tokensUsed);
        checkLength(text, call.provider.name);
        return answerEvents(call, readAnswer(call, text), call.provider.name, true);
      }),
    );
  }

  private streamed(request: CompletionRequest): Observable<AiEvent> {
    const { call } = this;
    const answer = new StreamedAnswer(call);
    let counted = 0;
    return concat(
      defer(() => from(call.provider.stream!(request))).pipe(
        this.limitSilence(),
        tap(({ tokensUsed }) => (counted = call.usage.add(tokensUsed, counted))),
        concatMap(({ text }) => answer.push(text ?? '')),
        // The answer is complete at its last bracket, even if the usage or the end mark never arrives.
        catchError((error: unknown) => (answer.complete ? EMPTY : throwError(() => error))),
      ),
      defer(() => answer.end()),
    );
  }

  private embedded({ size }: EmbeddedTexts, signal: AbortSignal): Observable<AiEvent> {
    const { call } = this;
    const { provider, model, access, texts } = call;
    return defer(async () => provider.embed?.({ model, access, texts, size, signal })).pipe(
      this.limitSilence(),
      concatMap((made) => {
        call.usage.add(made?.tokensUsed);
        if (made?.vectors.length !== texts.length)
          throw new InvalidAnswer(provider.name, '', 'Vectors are missing.');
        return answerEvents(call, checkedAnswer(call, { vectors: made.vectors }), provider.name, true);
      }),
    );
  }

  private limitSilence<T>(): MonoTypeOperatorFunction<T> {
    const failure = () => new AiFailure('timeout', this.call.provider.name, { retryable: true });
    return timeout<T, Observable<never>>({
      each: this.call.policy.attemptMs,
      with: () => throwError(failure),
      scheduler: this.scheduler,
    });
  }

  private request(signal: AbortSignal): CompletionRequest {
    const { call } = this;
    return {
      model: call.model,
      access: call.access,
      system: call.prompt.system,
      user: call.prompt.user,
      schema: call.schema,
      repair: call.repair,
      negotiated: call.negotiated,
      preset: () => call.capability.preset(call.input),
      maxTokens: call.capability.maxTokens,
      signal,
    };
  }
}
