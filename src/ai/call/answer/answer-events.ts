import { type AiCall, type AiEvent, type AiSource } from '../ai-call';

/** The events of an answer that is there as a whole (cached or preset): what a provider's stream of it would have given. */
export function answerEvents(call: AiCall, answer: unknown, source: AiSource): AiEvent[] {
  const { parts } = call.capability;
  if (!parts) return [{ kind: 'answer', answer, source, cacheable: false }];
  const kept = parts.list(answer).filter((part) => parts.accepts(part, call.input));
  return [
    ...kept.map((part): AiEvent => ({ kind: 'part', part, source })),
    { kind: 'answer', answer: parts.assemble(kept), source, cacheable: false },
  ];
}
