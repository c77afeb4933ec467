import { isDeepStrictEqual } from 'node:util';
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
import { contentFault } from '../../platform/http/request-content';
import { type RuntimeConfiguration } from '../../platform/runtime-config/runtime-configuration';
import { AiFailure, InvalidAnswer } from '../../platform/common/errors/ai-failure';
import { type CompletionRequest } from '../providers/ai-provider';
import { isConfigured } from '../providers/configured-strategy';
import { type AiCall, type AiEvent } from './ai-call';
import { answerEvents, checkedAnswer, checkLength, findAnswer, readAnswer } from './answer/answer';
import { ListReader, parseJson } from './answer/json';
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

/** An answer that arrives in chunks. Each part is checked as soon as it is complete. */
class StreamedAnswer {
  private readonly reader: ListReader;
  private readonly kept: unknown[] = [];
  private hasInvalidParts = false;
  private text = '';

  constructor(private readonly call: AiCall) {
    this.reader = new ListReader(call.capability.listKey ?? '');
  }

  /** True if the last bracket has arrived, so that a failure of the connection no longer matters. */
  get complete(): boolean {
    if (this.kept.length > 0) return this.reader.end !== undefined;
    const end = this.text.trimEnd();
    const last = (end.endsWith('```') ? end.slice(0, -3).trimEnd() : end).at(-1);
    if (last !== '}' && last !== ']') return false;
    const { kind } = findAnswer(this.call, this.text);
    return kind === 'answer' || kind === 'invalid';
  }

  /**
   * Returns the parts that the next chunk completes and that satisfy the request.
   *
   * @throws AiFailure if the answer exceeds the maximum length
   */
  push(piece: string): AiEvent[] {
    this.text += piece;
    checkLength(this.text, this.call.provider.name);
    return this.reader.push(piece).flatMap((element) => this.part(element));
  }

  /**
   * Returns the events at the end of the stream: the complete answer, preceded by its parts if none has been sent.
   *
   * @throws InvalidAnswer if it does not match the schema, or differs from the parts that have been sent
   * @throws AiFailure `connection` if the stream broke off
   */
  end(): AiEvent[] {
    const { call, kept } = this;
    const { capability, provider } = call;
    const hasEnd = kept.length === 0 || this.reader.end !== undefined;
    const found = findAnswer(call, kept.length === 0 ? this.text : this.text.slice(this.reader.end));
    if (!hasEnd || found.kind === 'cut')
      throw new AiFailure('connection', provider.name, { retryable: true });
    if (kept.length === 0) {
      if (found.kind !== 'answer') throw new InvalidAnswer(provider.name, this.text, found.problem);
      return answerEvents(call, found.answer, provider.name, true);
    }
    // After the parts that were already sent, the final answer may only repeat them.
    const parts = capability.parts!;
    if (found.kind === 'invalid' || (found.kind === 'answer' && !this.isKept(found.answer))) {
      throw new InvalidAnswer(provider.name, this.text, 'The answer holds two different ones.');
    }
    // Parts that did not match the schema were dropped. Such an answer is sent, but not cached.
    const cacheable = !this.hasInvalidParts;
    return [{ kind: 'answer', answer: parts.assemble(kept), source: provider.name, cacheable }];
  }

  private isKept(answer: unknown): boolean {
    const { parts } = this.call.capability;
    return isDeepStrictEqual(
      parts?.list(answer).filter((part) => parts.accepts(part, this.call.input)),
      this.kept,
    );
  }

  private part(element: string): AiEvent[] {
    const { parts } = this.call.capability;
    if (!parts) return [];
    const { success, data } = parts.schema.safeParse(parseJson(element));
    const isValid = success && !contentFault(data);
    if (!isValid) this.hasInvalidParts = true;
    if (!isValid || !parts.accepts(data, this.call.input)) return [];
    this.kept.push(data);
    return [{ kind: 'part', part: data, source: this.call.provider.name }];
  }
}
