import { AiFailure } from '../../provider/ai-failure';

/** No answer of ours is near this long; a provider that never stops must not fill the memory. */
export const MAX_ANSWER_CHARACTERS = 1_000_000;

/** @throws AiFailure `refused` when the answer is longer than any that is usable */
export function checkLength(text: string, provider: string): void {
  if (text.length > MAX_ANSWER_CHARACTERS) throw new AiFailure('refused', provider, { retryable: false });
}
