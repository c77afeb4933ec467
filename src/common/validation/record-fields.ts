import { type ApiPropertyOptions } from '@nestjs/swagger';
import { defineField } from './field-metadata';

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
