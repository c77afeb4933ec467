import { Injectable } from '@nestjs/common';
import { lastValueFrom } from 'rxjs';
import { z } from 'zod';
import type { Capability } from '../../pipeline/capability';
import { EMBEDDING_SIZE, featureHash, LOCAL_MAKER } from './feature-hash';
import { inTurns } from '../../../platform/common/in-turns';
import { Environment } from '../../../platform/config/environment';
import { AiService } from '../../pipeline/ai.service';
import { AiStrategy, type AiTarget } from '../../providers/ai-provider';

export interface EmbedInput {
  readonly texts: readonly string[];
}

const schema = z.object({ vectors: z.array(z.array(z.number()).length(EMBEDDING_SIZE)) });

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

/** An implementation that makes embeddings. Only vectors of one maker can be compared. */
export interface EmbeddingMaker {
  readonly name: string;
  /** Returns one unit vector for each text. */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
}

/**
 * Chooses how embeddings are made: in this process, unless `AI_EMBEDDING_MODEL` names a provider's model, so
 * that formulas leave the service only if the operator configures it. Mock mode always uses this process.
 */
@Injectable()
export class Embedder {
  constructor(
    private readonly environment: Environment,
    private readonly strategy: AiStrategy,
    private readonly ai: AiService,
  ) {}

  async current(): Promise<EmbeddingMaker> {
    const model = this.environment.aiEmbeddingModel;
    const target = model ? await this.strategy.embedding(model) : undefined;
    return target ? this.remote(target) : LOCAL;
  }

  private remote(target: AiTarget): EmbeddingMaker {
    return {
      name: `${target.provider.name}:${target.model}`,
      embed: async (texts) => {
        // The models of providers accept a few thousand tokens at most.
        const clipped = texts.map((text) => text.slice(0, 8_000));
        const call = this.ai.call(embedTexts, { texts: clipped }, { target, policy: POLICY });
        return (await lastValueFrom(call)).answer.vectors.map(normalised);
      },
    };
  }
}

/** Vectors are stored in the database. In the answer cache they would only evict answers that users wait for. */
const POLICY = { deadlineMs: 15_000, attemptMs: 15_000, retries: 1, cache: false } as const;

const LOCAL: EmbeddingMaker = {
  name: LOCAL_MAKER,
  embed: (texts) => inTurns(texts, featureHash),
};

function normalised(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector) || 1;
  return Float32Array.from(vector, (value) => value / length);
}
