import { aiCall, WORD } from '../../../test/support/ai-calls';

describe('AiCall', () => {
  it("makes of the capability's name one that every provider takes for a schema", () => {
    const { schema } = aiCall({ capability: { ...WORD, name: 'my own.word-1' } });
    expect(schema.name).toBe('my_own_word-1');
  });
});
