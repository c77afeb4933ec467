import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { defineField, fieldsOf } from './field-metadata';

interface ShownOptions {
  description?: string;
  example?: unknown;
}

/*
 * Fields that the service makes: responses have them, requests leave them out (`OmitType`).
 */

/** An id: of the record itself, or of one that the service relates it to. */
export const IdField = (options: ShownOptions = {}): PropertyDecorator =>
  ShownField({ type: String, format: 'uuid', ...options });

/** A moment, as text: `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export const TimestampField = (options: ShownOptions = {}): PropertyDecorator =>
  ShownField({ type: String, format: 'date-time', ...options });

/** Anything else that responses show, as they document it. */
export function ShownField(shown: ApiPropertyOptions): PropertyDecorator {
  return (target, key) => defineField(target, { name: String(key), presence: 'shown', shown });
}

/**
 * Mapped type, beside Nest's own, for what the service answers: every key is there, an optional field without
 * a default may be null, and lengths, which only requests are held to, are not documented.
 */
export function ResponseType<Fields extends object>(fields: Type<Fields>): Type<Required<Fields>> {
  class ResponseClass {}
  for (const { name, shown } of fieldsOf(fields)) {
    ApiProperty({ ...shown, required: true } as ApiPropertyOptions)(ResponseClass.prototype, name);
  }
  return ResponseClass as Type<Required<Fields>>;
}
