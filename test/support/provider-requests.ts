import { type CompletionRequest } from '../../src/ai/providers/ai-provider';

/** A request as the pipeline makes it, with what a test says otherwise. */
export const completionRequest = (more: Partial<CompletionRequest> = {}): CompletionRequest => ({
  model: 'm',
  access: {},
  system: 'Our rules.',
  user: 'Their data.',
  schema: { name: 'test', json: { type: 'object', properties: {}, additionalProperties: false } },
  negotiated: {},
  preset: () => undefined,
  maxTokens: 77,
  signal: new AbortController().signal,
  ...more,
});
