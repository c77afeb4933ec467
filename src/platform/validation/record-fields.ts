import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { defineField, fieldsOf } from './field-metadata';

interface ShownOptions {
  description?: string;
  example?: unknown;
}

/* Fields that the service generates. Responses contain them, requests omit them (`OmitType`). */

/** The id of the record itself, or of a record that the service relates to it. */
export const IdField = (options: ShownOptions = {}): PropertyDecorator =>
  ShownField({ type: String, format: 'uuid', ...options });

/** A time as text: `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export const TimestampField = (options: ShownOptions = {}): PropertyDecorator =>
  ShownField({ type: String, format: 'date-time', ...options });

const orNull =
  (type: typeof Number | typeof String) =>
  (description: string, example: number | string | null): PropertyDecorator =>
    ApiProperty({ type, nullable: true, description, example });

/** A number, or a text, of a response that may be null. */
export const [NumberOrNull, TextOrNull] = [orNull(Number), orNull(String)];

/** Any other field of responses, with its documentation. */
export function ShownField(shown: ApiPropertyOptions): PropertyDecorator {
  return (target, key) => defineField(target, { name: String(key), presence: 'shown', shown });
}

/**
 * Mapped type for responses, beside Nest's own. Every key is present, an optional field without a default may be
 * null, and lengths are not documented, because they apply to requests only.
 */
export function ResponseType<Fields extends object>(fields: Type<Fields>): Type<Required<Fields>> {
  class ResponseClass {}
  for (const { name, shown } of fieldsOf(fields)) {
    ApiProperty({ ...shown, required: true } as ApiPropertyOptions)(ResponseClass.prototype, name);
  }
  return ResponseClass as Type<Required<Fields>>;
}
