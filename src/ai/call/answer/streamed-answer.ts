import { contentFault } from '../../../common/http/request-content';
import { AiFailure } from '../../provider/ai-failure';
import { type AiCall, type AiEvent } from '../ai-call';
import { answerEvents } from './answer-events';
import { checkLength } from './answer-length';
import { checkedAnswer } from './checked-answer';
import { JsonListReader } from './json-list-reader';
import { readLenientJson } from './lenient-json';

/** An answer that arrives in pieces. Its parts are checked one by one, as each is complete. */
export class StreamedAnswer {
  private readonly reader: JsonListReader;
  private readonly kept: unknown[] = [];
  private hasInvalidParts = false;
  private text = '';

  constructor(private readonly call: AiCall) {
    this.reader = new JsonListReader(call.capability.listKey ?? '');
  }

  /** Whether its last bracket has come: whatever the connection does now, the answer is whole. */
  get complete(): boolean {
    return this.reader.complete;
  }

  /**
   * The parts that the next piece completes and that keep to the request.
   *
   * @throws AiFailure `refused` when the answer is longer than any that is usable
   */
  push(piece: string): AiEvent[] {
    this.text += piece;
    checkLength(this.text, this.call.provider.name);
    return this.reader.push(piece).flatMap((element) => this.part(element));
  }

  /**
   * The events at the end of the pieces: the whole answer, and before it the parts where none has been handed
   * on.
   *
   * @throws InvalidAnswer when it breaks the schema
   * @throws AiFailure `connection` when it broke off before anything usable had come
   */
  end(): AiEvent[] {
    const { capability, provider } = this.call;
    const value = readLenientJson(this.text);
    if (value === undefined && !this.complete && /[[{]/.test(this.text)) {
      throw new AiFailure('connection', provider.name, { retryable: true });
    }
    if (this.kept.length === 0) {
      return answerEvents(this.call, checkedAnswer(this.call, this.text, value), provider.name, true);
    }
    // Parts that broke the schema were left out; such an answer is handed on, but not remembered.
    const cacheable = !this.hasInvalidParts;
    const answer = capability.parts?.assemble(this.kept);
    return [{ kind: 'answer', answer, source: provider.name, cacheable }];
  }

  private part(element: string): AiEvent[] {
    const { parts } = this.call.capability;
    if (!parts) return [];
    const { success, data } = parts.schema.safeParse(readLenientJson(element));
    const isValid = success && !contentFault(data);
    if (!isValid) this.hasInvalidParts = true;
    if (!isValid || !parts.accepts(data, this.call.input)) return [];
    this.kept.push(data);
    return [{ kind: 'part', part: data, source: this.call.provider.name }];
  }
}
