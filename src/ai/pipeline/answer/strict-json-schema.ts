import { z } from 'zod';

type JsonSchema = Record<string, unknown>;

/**
 * Converts a zod schema to the JSON schema for structured output. The providers' strict modes demand that every
 * property is required (optional ones are nullable instead) and that additional properties are forbidden.
 */
export function strictJsonSchema(schema: z.ZodType): JsonSchema {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  delete json.$schema;
  return tighten(json);
}

function tighten(schema: JsonSchema): JsonSchema {
  const { default: _default, ...rest } = schema;
  const tightened: JsonSchema = { ...rest };
  if (isSchema(rest.properties)) {
    tightened.properties = Object.fromEntries(
      Object.entries(rest.properties).map(([name, property]) => [
        name,
        isSchema(property) ? tighten(property) : property,
      ]),
    );
    tightened.required = Object.keys(rest.properties);
    tightened.additionalProperties = false;
  }
  if (isSchema(rest.items)) tightened.items = tighten(rest.items);
  if (Array.isArray(rest.anyOf)) {
    tightened.anyOf = rest.anyOf.map((variant: unknown) => (isSchema(variant) ? tighten(variant) : variant));
  }
  return tightened;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
