import { AiFailure } from '../../../platform/common/errors/ai-failure';

/** Maximum length of an answer. Usable answers are much shorter. Limits the memory for a provider that never stops. */
export const MAX_ANSWER_CHARACTERS = 1_000_000;

/** @throws AiFailure `refused` if the answer exceeds the maximum length */
export function checkLength(text: string, provider: string): void {
  if (text.length > MAX_ANSWER_CHARACTERS) throw new AiFailure('refused', provider, { retryable: false });
}
