import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { type FaultText, text } from '../texts/text';
import { Checked, type Fault, field, FieldCheck } from './fields';
import { defineField } from './field-metadata';

/** Longest free-form JSON, in bytes of its UTF-8 text without white space. */
export const FREE_JSON_LIMIT = 64 * 1024;

interface FreeJsonOptions {
  description: string;
  example?: unknown;
}

/** Schema that allows any JSON in OpenAPI. */
const ANY_JSON = {
  oneOf: [
    { type: 'object', additionalProperties: true, nullable: true },
    { type: 'array', items: {} },
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
  ],
};

/** Checks free-form JSON. Its only rule is its size. */
export function freeJsonFault(value: unknown): FaultText | undefined {
  if (value === undefined || Buffer.byteLength(JSON.stringify(value)) <= FREE_JSON_LIMIT) return undefined;
  return text('field.json-too-long', { kilobytes: FREE_JSON_LIMIT / 1024 });
}

/** An optional field that accepts any JSON up to `FREE_JSON_LIMIT` and passes it on unchanged. */
export function FreeJsonField(options: FreeJsonOptions): PropertyDecorator {
  const shown: ApiPropertyOptions = { type: Object, ...ANY_JSON, ...options };
  return (target, key) => {
    Checked('freeJson', new FieldCheck(freeJsonFault))(target, key);
    ApiProperty({ ...shown, required: false })(target, key);
    defineField(target, { name: String(key), presence: 'optional', shown });
  };
}

/** An optional object with arbitrary keys, up to `FREE_JSON_LIMIT`. */
export function FreeObjectField(options: FreeJsonOptions): PropertyDecorator {
  const fault: Fault = (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return text('field.not-an-object');
    return freeJsonFault(value);
  };
  const schema: ApiPropertyOptions = { type: 'object', additionalProperties: true };
  return field({ ...options, presence: 'optional' }, { name: 'freeObject', fault, schema });
}
