import { Injectable } from '@nestjs/common';
import {
  AiFailure,
  type AiProvider,
  Clock,
  type Completion,
  type CompletionRequest,
  type ProviderAccess,
  providerFetch,
  statusFailure,
} from 'formula-development-service';
import { z } from 'zod';

const ADDRESS = 'https://api.gamma.example';

/** What Gamma answers. */
const answerOf = z.object({ output: z.string(), usage: z.object({ total: z.number() }).optional() });

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// #region provider
/** The models of the vendor Gamma, used when `AI_DEFAULT_MODEL` is one of theirs. */
@Injectable()
export class GammaProvider implements AiProvider {
  readonly name = 'gamma'; // its settings are gammaKey and gammaBaseUrl, or GAMMA_API_KEY and GAMMA_BASE_URL
  readonly defaultModel = 'gamma-1';
  readonly capabilities = { remote: true, streaming: false };

  constructor(private readonly clock: Clock) {}

  serves(model: string): boolean {
    return model.startsWith('gamma-');
  }

  async isConfigured({ key }: ProviderAccess): Promise<boolean> {
    return key !== undefined;
  }

  /** One request. Repeating, waiting, counting and checking the answer are done around it. */
  async complete(request: CompletionRequest): Promise<Completion> {
    const { answer, text } = await this.post(request);
    if (!answer.ok)
      throw statusFailure(this.name, answer.status, (name) => answer.headers.get(name), this.clock.now());
    const { success, data } = answerOf.safeParse(jsonOf(text));
    if (!success) throw new AiFailure('invalid-answer', this.name, { retryable: false });
    return { text: data.output, tokensUsed: data.usage?.total };
  }

  private async post({ access, model, system, user, schema, repair, maxTokens, signal }: CompletionRequest) {
    try {
      // Bounded, without redirects, and to no private address where the operator forbids it.
      const answer = await providerFetch(access)(new URL('/v1/answers', access.baseUrl ?? ADDRESS), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Gamma-Key': access.key ?? '' },
        body: JSON.stringify({
          model,
          instructions: system,
          data: user,
          schema: schema.json,
          repair,
          maxTokens,
        }),
        signal,
      });
      return { answer, text: await answer.text() };
    } catch {
      throw new AiFailure('connection', this.name, { retryable: true });
    }
  }
}
// #endregion
