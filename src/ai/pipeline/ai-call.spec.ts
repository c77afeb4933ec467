import { hash } from 'node:crypto';
import { inspect } from 'node:util';
import { aiCall, WORD } from '../../../test/support/ai-calls';

/** A capability that sends texts. */
const VECTORS = {
  ...WORD,
  name: 'vectors',
  embedding: { size: 2, texts: (input: unknown) => (input as { texts: string[] }).texts },
  prompt: (input: unknown) => ({
    system: 'Embeddings',
    user: JSON.stringify((input as { texts: string[] }).texts),
  }),
};

describe('AiCall', () => {
  it("makes of the capability's name one that every provider takes for a schema", () => {
    const { schema } = aiCall({ capability: { ...WORD, name: 'my own.word-1' } });
    expect(schema.name).toBe('my_own_word-1');
  });

  it('is not answered with what another address has answered, whichever key it was asked with', () => {
    const key = (baseUrl?: string, secret = 'one') => aiCall({ access: { key: secret, baseUrl } }).cacheKey;
    expect(key('https://new.test')).not.toBe(key('https://old.test'));
    expect(key('https://new.test')).not.toBe(key());
    expect(key('https://new.test', 'another')).toBe(key('https://new.test'));
  });

  it('keeps the hash of the whole prompt: our instructions decide the answer as the data do', () => {
    expect(aiCall().promptHash).toBe(hash('sha256', 'Say.\n\nx'));
    const other = { ...WORD, prompt: () => ({ system: 'Sing.', user: 'x' }) };
    expect(aiCall({ capability: other }).cacheKey).not.toBe(aiCall().cacheKey);
  });

  it('asks with another prompt when it is told to, and is known by that', () => {
    const call = aiCall();
    const before = { hash: call.promptHash, key: call.cacheKey };
    expect(call.withPrompt({ user: '***' })).toBe(call);
    expect(call.prompt).toEqual({ system: 'Say.', user: '***' });
    expect(call.promptHash).toBe(hash('sha256', 'Say.\n\n***'));
    expect(call.cacheKey).not.toBe(before.key);
    call.withPrompt({ system: 'Say.', user: 'x' });
    expect({ hash: call.promptHash, key: call.cacheKey }).toEqual(before);
    expect(call.texts).toEqual([]);
    expect(() => call.withTexts(['x'])).toThrow('word sends a prompt: change it by withPrompt');
  });

  it('of texts asks with other texts when it is told to', () => {
    const call = aiCall({ capability: VECTORS, input: { texts: ['甘油', '秘密'] } });
    const before = { hash: call.promptHash, key: call.cacheKey };
    expect(call.texts).toEqual(['甘油', '秘密']);
    expect(call.withTexts(['甘油', '***'])).toBe(call);
    expect(call.texts).toEqual(['甘油', '***']);
    expect(call.promptHash).not.toBe(before.hash);
    expect(call.cacheKey).not.toBe(before.key);
    expect(JSON.stringify(call.prompt)).not.toContain('秘密');
    call.withTexts(['甘油', '秘密']);
    expect({ hash: call.promptHash, key: call.cacheKey }).toEqual(before);
    expect(() => call.withTexts(['甘油'])).toThrow('There must be a text for each that there was');
    expect(() => call.withPrompt({ user: 'x' })).toThrow('vectors sends texts: change them by withTexts');
  });

  it('makes the schema of a capability once', () => {
    expect(aiCall().schema).toBe(aiCall().schema);
    expect(aiCall().schema.hash).toBe(hash('sha256', JSON.stringify(aiCall().schema.json)));
  });

  it('has the key it is asked with, and shows it in no log line', () => {
    const call = aiCall({ access: { key: 'sk-secret' } });
    expect(call.access.key).toBe('sk-secret');
    expect(inspect(call, { depth: 9 }) + JSON.stringify(call)).not.toContain('sk-secret');
  });
});
