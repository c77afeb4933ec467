import { type AiCall, type AiEvent, type AiSource } from '../ai-call';

/**
 * The events of an answer that is there as a whole: its parts that keep to the request, and the answer made
 * of them.
 */
export function answerEvents(call: AiCall, answer: unknown, source: AiSource, cacheable = false): AiEvent[] {
  const { parts } = call.capability;
  if (!parts) return [{ kind: 'answer', answer, source, cacheable }];
  const kept = parts.list(answer).filter((part) => parts.accepts(part, call.input));
  return [
    ...kept.map((part): AiEvent => ({ kind: 'part', part, source })),
    { kind: 'answer', answer: parts.assemble(kept), source, cacheable },
  ];
}
