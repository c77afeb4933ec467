import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { fieldsOf } from './field-metadata';

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
