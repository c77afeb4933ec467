import { type AiCall, type AiEvent, type AiSource } from '../ai-call';

/**
 * Returns the events of an answer that arrived in one piece: its valid parts, then the answer that consists of them.
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
