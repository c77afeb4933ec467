import { type CallHandler } from '@nestjs/common';
import { Observable, type Subscriber } from 'rxjs';
import { JsonListReader } from './answer/json-list-reader';
import { readLenientJson } from './answer/lenient-json';
import { AiFailure, InvalidAnswer } from '../provider/ai-failure';
import { type CompletionRequest } from '../provider/ai-provider';
import { EMBEDDING_SIZE } from '../capabilities/embed-texts/feature-hash';
import { type AiCall, type AiEvent } from './ai-call';
import { type Timers } from './ai-scheduler';

/** No answer of ours is near this long; a provider that never stops must not fill the memory. */
const MAX_ANSWER_CHARACTERS = 1_000_000;

/** The innermost handler: one attempt at the provider, its answer read, checked and handed on. */
export class ProviderCall implements CallHandler<AiEvent> {
  constructor(
    private readonly call: AiCall,
    private readonly timers: Timers,
  ) {}

  handle(): Observable<AiEvent> {
    return new Observable((subscriber) => {
      const attempt = new Attempt(this.call, this.timers, subscriber);
      attempt.run().then(
        () => subscriber.complete(),
        (error: unknown) => subscriber.error(error),
      );
      return () => attempt.abandon();
    });
  }
}

class Attempt {
  private readonly aborter = new AbortController();
  private readonly silence: SilenceGuard;

  constructor(
    private readonly call: AiCall,
    timers: Timers,
    private readonly subscriber: Subscriber<AiEvent>,
  ) {
    // The failure is told at once, whether the provider heeds the abort or not.
    this.silence = new SilenceGuard(timers, call.policy.attemptMs, () =>
      subscriber.error(new AiFailure('timeout', call.provider.name, { retryable: true })),
    );
  }

  abandon(): void {
    this.silence.stop();
    this.aborter.abort();
  }

  async run(): Promise<void> {
    const { capability, provider } = this.call;
    this.silence.restart();
    if (capability.texts) await this.runEmbedding(capability.texts(this.call.input));
    else if (capability.parts && provider.capabilities.streaming) await this.runStreaming();
    else await this.runWhole();
  }

  private async runEmbedding(texts: readonly string[]): Promise<void> {
    const { provider, model } = this.call;
    const made = await provider.embed?.({ model, texts, size: EMBEDDING_SIZE, signal: this.aborter.signal });
    this.call.usage.add(made?.tokensUsed);
    if (made?.vectors.length !== texts.length)
      throw new InvalidAnswer(provider.name, '', 'Vectors are missing.');
    this.finish(this.validate('', { vectors: made.vectors }), true);
  }

  private async runWhole(): Promise<void> {
    const { provider } = this.call;
    const completion = await provider.complete(this.request());
    this.call.usage.add(completion.tokensUsed);
    const answer = this.validate(completion.text, readLenientJson(completion.text));
    this.finish(this.sendParts(answer), true);
  }

  private async runStreaming(): Promise<void> {
    const { provider, capability } = this.call;
    const reader = new JsonListReader(capability.listKey ?? '');
    const parts = new PartSieve(this.call);
    let text = '';
    let tokens: number | undefined;
    try {
      for await (const chunk of provider.stream(this.request())) {
        if (this.aborter.signal.aborted) return;
        this.silence.restart();
        tokens = chunk.tokensUsed ?? tokens;
        if (chunk.text === undefined) continue;
        text += chunk.text;
        if (text.length > MAX_ANSWER_CHARACTERS)
          throw new AiFailure('refused', provider.name, { retryable: false });
        for (const element of reader.push(chunk.text)) {
          const part = parts.take(element);
          if (part !== undefined) this.subscriber.next({ kind: 'part', part, source: provider.name });
        }
      }
    } catch (error) {
      // What the stream lacks after the answer's last bracket (a usage note, its end mark) takes nothing from the answer.
      if (!reader.complete) throw error;
    } finally {
      this.call.usage.add(tokens);
    }
    if (!this.aborter.signal.aborted) this.endStream(text, reader.complete, parts);
  }

  private endStream(text: string, complete: boolean, parts: PartSieve): void {
    const whole = readLenientJson(text);
    if (whole === undefined && !complete && /[[{]/.test(text)) {
      throw new AiFailure('connection', this.call.provider.name, { retryable: true });
    }
    if (parts.kept.length > 0) {
      // Elements that broke the schema were left out; such an answer is given, but not remembered.
      return this.finish(this.call.capability.parts?.assemble(parts.kept), parts.invalid === 0);
    }
    this.finish(this.sendParts(this.validate(text, whole)), true);
  }

  /** Hands on the parts of a whole answer that keep to the request, and gives the answer that is made of them. */
  private sendParts(answer: unknown): unknown {
    const { parts } = this.call.capability;
    if (!parts) return answer;
    const kept = parts.list(answer).filter((part) => parts.accepts(part, this.call.input));
    for (const part of kept) this.subscriber.next({ kind: 'part', part, source: this.call.provider.name });
    return parts.assemble(kept);
  }

  private finish(answer: unknown, cacheable: boolean): void {
    this.subscriber.next({ kind: 'answer', answer, source: this.call.provider.name, cacheable });
  }

  private validate(text: string, value: unknown): unknown {
    const { capability, provider } = this.call;
    const rooted =
      Array.isArray(value) && capability.listKey !== undefined
        ? { [capability.listKey]: value as unknown }
        : value;
    if (rooted === undefined) throw new InvalidAnswer(provider.name, text, 'The answer is not JSON.');
    const result = capability.schema.safeParse(rooted);
    if (result.success) return result.data;
    const problem = result.error.issues
      .slice(0, 10)
      .map((issue) => `${issue.path.join('.') || '(root)'}: ${issue.message}`)
      .join('; ');
    throw new InvalidAnswer(provider.name, text, problem);
  }

  private request(): CompletionRequest {
    const { call } = this;
    return {
      model: call.model,
      system: call.prompt.system,
      user: call.prompt.user,
      schema: call.schema,
      repair: call.repair,
      negotiated: call.negotiated,
      preset: () => call.capability.preset(call.input),
      maxTokens: call.capability.maxTokens,
      signal: this.aborter.signal,
    };
  }
}

/** Checks streamed elements one by one and remembers what came through. */
class PartSieve {
  readonly kept: unknown[] = [];
  invalid = 0;

  constructor(private readonly call: AiCall) {}

  /** The part, when it is valid and keeps to the request. */
  take(text: string): unknown {
    const { parts } = this.call.capability;
    if (!parts) return undefined;
    const result = parts.schema.safeParse(readLenientJson(text));
    if (!result.success) {
      this.invalid += 1;
      return undefined;
    }
    if (!parts.accepts(result.data, this.call.input)) return undefined;
    this.kept.push(result.data);
    return result.data;
  }
}

/** Calls back when nothing has happened for too long. */
class SilenceGuard {
  private cancel: (() => void) | undefined;

  constructor(
    private readonly timers: Timers,
    private readonly limitMs: number,
    private readonly onSilence: () => void,
  ) {}

  restart(): void {
    this.stop();
    this.cancel = this.timers.after(this.limitMs, this.onSilence);
  }

  stop(): void {
    this.cancel?.();
    this.cancel = undefined;
  }
}
