import { z } from 'zod';
import { type Capability } from '../../pipeline/capability';
import { EMBEDDING_SIZE, featureHash } from './feature-hash';

export interface EmbedInput {
  readonly texts: readonly string[];
}

const schema = z.object({ vectors: z.array(z.array(z.number()).length(EMBEDDING_SIZE)) });

/** Turns texts into vectors. */
export const embedTexts: Capability<EmbedInput, z.infer<typeof schema>> = {
  name: 'embed-texts',
  schema,
  // A vector of the preset must not be stored as one of the provider.
  whenFailed: 'failure',
  maxTokens: 0,
  embedding: { size: EMBEDDING_SIZE, texts: ({ texts }) => texts },
  prompt: ({ texts }) => ({ system: 'Embeddings', user: JSON.stringify(texts) }),
  preset: ({ texts }) => ({ vectors: texts.map((text) => [...featureHash(text)]) }),
};
