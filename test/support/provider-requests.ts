import { type CompletionRequest } from '../../src/ai/provider/ai-provider';
import { type AiProviderAccess } from '../../src/environment/environment';
import { type RuntimeConfiguration } from '../../src/runtime-config/runtime-configuration';

/** A runtime configuration in which every provider has this access. */
export const configuredWith = (access: AiProviderAccess): RuntimeConfiguration =>
  ({
    current: () => Promise.resolve({ aiMock: false, provider: () => access }),
  }) as unknown as RuntimeConfiguration;

/** A request as the pipeline makes it, with what a test says otherwise. */
export const completionRequest = (more: Partial<CompletionRequest> = {}): CompletionRequest => ({
  model: 'm',
  system: 'Our rules.',
  user: 'Their data.',
  schema: { name: 'test', json: { type: 'object', properties: {}, additionalProperties: false } },
  negotiated: {},
  preset: () => undefined,
  maxTokens: 77,
  signal: new AbortController().signal,
  ...more,
});
