import { isDeepStrictEqual } from 'node:util';
import { contentFault } from '../../../platform/http/request-content';
import { AiFailure, InvalidAnswer } from '../../../platform/common/errors/ai-failure';
import { type AiCall, type AiEvent } from '../ai-call';
import { answerEvents } from './answer-events';
import { checkLength } from './answer-length';
import { findAnswer } from './find-answer';
import { parseJson } from './json-values';
import { ListReader } from './list-reader';

/** An answer that arrives in chunks. Each part is checked as soon as it is complete. */
export class StreamedAnswer {
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
