import { z } from 'zod';
import { type Capability, checkCapabilities, strictJsonSchema } from './capability';

const capability = (preset: unknown): Capability<unknown, unknown> => ({
  name: 'name-colour',
  schema: z.object({ name: z.string() }),
  whenFailed: 'preset',
  maxTokens: 10,
  prompt: () => ({ system: '', user: '' }),
  preset: () => preset,
});
const check = (preset: unknown) =>
  checkCapabilities([{ place: 'ColoursModule', value: { capability: capability(preset), input: {} } }]);

describe('checkCapabilities', () => {
  it('takes a preset that is an answer', () => {
    expect(() => check({ name: 'red' })).not.toThrow();
  });

  it('refuses one that breaks the schema, and names module and capability', () => {
    expect(() => check({ name: 5 })).toThrow(
      /^AI_CAPABILITY in ColoursModule: the preset of name-colour breaks its schema: .*expected string/,
    );
  });

  it.each([null, undefined, {}, { capability: null }, { capability: { name: 'x' } }])(
    'refuses %j, which is no capability',
    (value) => {
      expect(() => checkCapabilities([{ place: 'ColoursModule', value }])).toThrow(
        'The capability under AI_CAPABILITY in ColoursModule must have prompt() and preset().',
      );
    },
  );

  it('refuses a capability without a schema', () => {
    const value = { capability: { ...capability({}), schema: undefined }, input: {} };
    expect(() => checkCapabilities([{ place: 'ColoursModule', value }])).toThrow(
      'AI_CAPABILITY in ColoursModule: the preset of name-colour has no zod schema',
    );
  });

  it('refuses a preset that throws', () => {
    const preset = () => {
      throw new TypeError('no name');
    };
    const value = { capability: { ...capability({}), preset }, input: {} };
    expect(() => checkCapabilities([{ place: 'ColoursModule', value }])).toThrow(
      'AI_CAPABILITY in ColoursModule: the preset of name-colour throws: no name',
    );
  });
});

describe('strictJsonSchema', () => {
  const json = strictJsonSchema(
    z.object({
      list: z.array(
        z.object({ a: z.number(), b: z.string().nullish(), c: z.number().nullable().default(null) }),
      ),
    }),
  );

  it('requires every property at every depth and allows no others', () => {
    expect(json).toMatchObject({
      required: ['list'],
      additionalProperties: false,
      properties: { list: { items: { required: ['a', 'b', 'c'], additionalProperties: false } } },
    });
  });

  it('does so in the alternatives of a value, too', () => {
    const optional = z.object({ filters: z.object({ a: z.string().nullish() }).nullish() });
    expect(strictJsonSchema(optional)).toMatchObject({
      properties: {
        filters: { anyOf: [{ required: ['a'], additionalProperties: false }, { type: 'null' }] },
      },
    });
  });

  it('names no version of JSON Schema: not every server knows the key', () => {
    expect(json).not.toHaveProperty('$schema');
  });

  it('lets an optional property be null instead', () => {
    const { b, c } = (json as any).properties.list.items.properties;
    expect(JSON.stringify(b)).toContain('null');
    expect(JSON.stringify(c)).toContain('null');
    expect(c).not.toHaveProperty('default');
  });
});
