import { z } from 'zod';
import { type Capability } from '../../pipeline/capability';

const schema = z.object({ ok: z.boolean() });

/** The cheapest request: tests whether a provider answers with the current key, address and model. */
export const testConnection: Capability<undefined, z.infer<typeof schema>> = {
  name: 'test-connection',
  schema,
  whenFailed: 'failure',
  maxTokens: 64,
  prompt: () => ({
    system: 'This is a connection test.',
    user: 'Answer with the JSON {"ok": true} and nothing else.',
  }),
  preset: () => ({ ok: true }),
};
