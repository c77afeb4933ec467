import type { Type } from '@nestjs/common';
import { type FieldMetadata, requestedFields } from './field-metadata';

type Values<Input> = { [Key in keyof Input]-?: Exclude<Input[Key], undefined> };

/**
 * What a creation stores: every field of the class that requests have, absent ones with their default or
 * null.
 */
export const toInsertValues = <Input extends object>(fields: Type<object>, input: Input): Values<Input> =>
  Object.fromEntries(
    requestedFields(fields).map((field) => [field.name, stored(field, input)]),
  ) as Values<Input>;

/** What an update stores: the fields that are there; null clears one, or sets it back to its default. */
export const toUpdateValues = <Input extends object>(
  fields: Type<object>,
  input: Input,
): Partial<Values<Input>> =>
  Object.fromEntries(
    requestedFields(fields)
      .filter(({ name }) => input[name as keyof Input] !== undefined)
      .map((field) => [field.name, stored(field, input)]),
  ) as Partial<Values<Input>>;

const stored = ({ name, default: fallback }: FieldMetadata, input: object): unknown =>
  (input as Record<string, unknown>)[name] ?? fallback ?? null;
