import type { Type } from '@nestjs/common';
import { fieldNames } from '../validation/field-metadata';

/**
 * Converts an entity to its resource: a plain object with the fields of `fields`, in their order, and times as in
 * JSON.
 */
export function toRecord<Shown extends object>(fields: Type<object>, entity: object): Shown {
  const values = entity as Record<string, unknown>;
  return Object.fromEntries(
    fieldNames(fields).map((name) => {
      const value = values[name];
      return [name, value instanceof Date ? value.toISOString() : value];
    }),
  ) as Shown;
}
