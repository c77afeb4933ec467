import { z } from 'zod';
import { strictJsonSchema } from './strict-json-schema';

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
