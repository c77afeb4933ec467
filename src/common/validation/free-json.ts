import { ApiProperty } from '@nestjs/swagger';

const FIELDS = Symbol('free JSON fields');

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

/** Documents a field of a response that holds any JSON. */
export const ApiFreeJson = (options: FreeJsonOptions): PropertyDecorator =>
  ApiProperty({ ...ANY_JSON, ...options });

/**
 * An optional field of a body that takes any JSON and hands it on as it was sent. Only directly in the body's class,
 * not in a nested one.
 */
export function FreeJsonField(options: FreeJsonOptions): PropertyDecorator {
  return (target, name) => {
    const fields = [...freeJsonFields(target.constructor), String(name)];
    Reflect.defineMetadata(FIELDS, fields, target.constructor);
    ApiProperty({ ...ANY_JSON, ...options, required: false })(target, name);
  };
}

/** Names of the free-form fields of a request class. */
export const freeJsonFields = (type: object): readonly string[] =>
  (Reflect.getMetadata(FIELDS, type) as string[] | undefined) ?? [];
