import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { getMetadataStorage, ValidateBy } from 'class-validator';
import { defineField } from './field-metadata';

const FREE_JSON = 'freeJson';

interface FreeJsonOptions {
  description: string;
  example?: unknown;
}

/** OpenAPI's way to say that any JSON is allowed. */
const ANY_JSON = {
  oneOf: [
    { type: 'object', additionalProperties: true, nullable: true },
    { type: 'array', items: {} },
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
  ],
};

/**
 * An optional field of a body that takes any JSON and hands it on as it was sent. Only directly in the body's
 * class, not in a nested one.
 */
export function FreeJsonField(options: FreeJsonOptions): PropertyDecorator {
  const shown: ApiPropertyOptions = { type: Object, ...ANY_JSON, ...options };
  return (target, key) => {
    // Always right: class-validator's metadata is what mapped types hand on.
    ValidateBy({ name: FREE_JSON, validator: { validate: () => true } })(target, key);
    ApiProperty({ ...shown, required: false })(target, key);
    defineField(target, { name: String(key), presence: 'optional', shown });
  };
}

const known = new WeakMap<object, readonly string[]>();

/** Names of the free-form fields of a request class. */
export function freeJsonFields(type: new () => object): readonly string[] {
  let names = known.get(type);
  if (!names) {
    const checks = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
    names = checks.filter(({ name }) => name === FREE_JSON).map(({ propertyName }) => propertyName);
    known.set(type, names);
  }
  return names;
}
