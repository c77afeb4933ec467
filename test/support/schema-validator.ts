import type { OpenAPIObject } from '@nestjs/swagger';
import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

type Schema = Record<string, any>;

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A schema of OpenAPI 3.0 as JSON Schema, read strictly: an object has no fields but those that are
 * documented, unless the schema says that it is free-form.
 */
function jsonSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(jsonSchema);
  if (!isObject(schema)) return schema;
  const { nullable, exclusiveMinimum, exclusiveMaximum, example: _example, ...rest } = schema;
  const converted: Schema = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      key === 'properties'
        ? Object.fromEntries(
            Object.entries(value as Schema).map(([name, field]) => [name, jsonSchema(field)]),
          )
        : ['enum', 'default', 'required'].includes(key)
          ? value
          : jsonSchema(value),
    ]),
  );
  if (exclusiveMinimum === true) {
    converted.exclusiveMinimum = converted.minimum;
    delete converted.minimum;
  }
  if (exclusiveMaximum === true) {
    converted.exclusiveMaximum = converted.maximum;
    delete converted.maximum;
  }
  if (converted.properties && converted.additionalProperties === undefined) {
    converted.additionalProperties = false;
  }
  // `type: object` beside a reference only carries `nullable`.
  if (converted.allOf?.length === 1)
    return nullable ? { anyOf: [converted.allOf[0], { type: 'null' }] } : converted.allOf[0];
  return nullable ? { anyOf: [converted, { type: 'null' }] } : converted;
}

/** Checks values against the schemas of a document. */
export class SchemaValidator {
  private readonly ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
  private readonly compiled = new Map<object, ValidateFunction>();

  constructor(document: OpenAPIObject) {
    addFormats(this.ajv);
    // The contract takes any 8-4-4-4-12 hexadecimal text for a UUID, whatever its version bits.
    this.ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
    this.ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
      this.ajv.addSchema(jsonSchema(schema) as object, `#/components/schemas/${name}`);
    }
  }

  /** What is wrong with the value, or an empty list. */
  faults(schema: object, value: unknown): string[] {
    let validate = this.compiled.get(schema);
    if (!validate) {
      validate = this.ajv.compile(jsonSchema(schema) as object);
      this.compiled.set(schema, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
    );
  }
}
