import { of } from 'rxjs';
import { aiCall } from '../../../../test/support/ai-calls';
import { type Environment } from '../../../platform/config/environment';
import { type AiService, type CallOptions } from '../../pipeline/ai.service';
import type { AiStrategy } from '../../providers/ai-provider';
import { Embedder, type EmbedInput, embedTexts } from './embedder';
import { featureHash } from './feature-hash';

const { provider } = aiCall();

describe('Embedder', () => {
  const call = jest.fn((_capability: unknown, { texts }: EmbedInput, _options: CallOptions) =>
    of({ answer: { vectors: texts.map((text) => (text === '' ? [0, 0] : [3, 4])) }, source: 'remote' }),
  );
  const makerWith = (aiEmbeddingModel: string | undefined, isServed = true) =>
    new Embedder(
      { aiEmbeddingModel } as Environment,
      {
        embedding: (model: string) => Promise.resolve(isServed ? { provider, model } : undefined),
      } as AiStrategy,
      { call } as unknown as AiService,
    ).current();

  beforeEach(() => call.mockClear());

  it('makes them here unless a model is named that a provider serves', async () => {
    expect((await makerWith(undefined)).name).toBe('feature-hash-1');
    expect((await makerWith('m', false)).name).toBe('feature-hash-1');
    expect((await makerWith('m')).name).toBe('remote:m');
  });

  it('makes unit vectors of what a provider gives; of nothing stays nothing', async () => {
    const [some, none] = await (await makerWith('m')).embed(['a', '']);
    expect([...some!].map((value) => value.toFixed(3))).toEqual(['0.600', '0.800']);
    expect([...none!]).toEqual([0, 0]);
  });

  it('sends the first 8,000 characters of a text, and keeps no answer in the cache', async () => {
    await (await makerWith('m')).embed(['x'.repeat(8001), 'y']);
    const [[, input, options]] = call.mock.calls as [[unknown, EmbedInput, CallOptions]];
    expect(input.texts).toEqual(['x'.repeat(8000), 'y']);
    expect(options).toEqual({
      target: { provider, model: 'm' },
      policy: { deadlineMs: 15_000, attemptMs: 15_000, retries: 1, cache: false },
    });
  });

  it('made here, they let others have their turn after a long text, and are asked of nobody', async () => {
    const order: string[] = [];
    const texts = ['甘油 glycerin '.repeat(20_000), '水', ''];
    setImmediate(() => order.push('another'));
    const vectors = await (await makerWith(undefined)).embed(texts);
    order.push('made');
    expect(vectors).toEqual(texts.map((text) => featureHash(text)));
    expect(order).toEqual(['another', 'made']);
    expect(call).not.toHaveBeenCalled();
  });

  it('a provider has to make them of the size that is stored', () => {
    const fits = (size: number) => embedTexts.schema.safeParse({ vectors: [Array(size).fill(0)] }).success;
    expect([1535, 1536, 1537].map(fits)).toEqual([false, true, false]);
  });
});
