import type { Type } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';

/**
 * - `required`: must be there and not null;
 * - `optional`: may be absent or null (a creation takes null as absent, an update as "clear it");
 * - `omittable`: may be absent but not null (an update of a field that every record has).
 */
export type Presence = 'required' | 'optional' | 'omittable';

/** Type and bounds of a field, used to read cells of a file. */
export type FieldKind =
  | { type: 'text'; max: number }
  | { type: 'number'; min?: number; moreThan?: number; max?: number }
  | { type: 'integer'; min?: number; moreThan?: number; max?: number }
  | { type: 'enum'; values: readonly string[] };

/** Metadata of a field, set by the decorators of its class. */
export interface FieldMetadata {
  readonly name: string;
  /** `shown`: only responses contain the field. */
  readonly presence: Presence | 'shown';
  /** Value of an absent optional field instead of null. */
  readonly default?: unknown;
  readonly kind?: FieldKind;
  /** The class of the object, or of the list's items. */
  readonly nested?: () => Type<object>;
  /** Documentation of the field in responses. */
  readonly shown: ApiPropertyOptions;
}

const FIELDS = Symbol('fields');

/** For decorators: adds a property to the list of fields of its class. */
export function defineField(target: object, field: FieldMetadata): void {
  const inherited = fieldsOf(target.constructor as Type<object>);
  Reflect.defineMetadata(FIELDS, [...inherited, field], target.constructor);
}

/**
 * Returns the fields of a class in the order of their declaration. Classes made by mapped types have none of their
 * own.
 */
export const fieldsOf = (type: Type<object>): readonly FieldMetadata[] =>
  (Reflect.getMetadata(FIELDS, type) as readonly FieldMetadata[] | undefined) ?? [];

/** Returns the fields that requests may contain. */
export const requestedFields = (type: Type<object>): readonly FieldMetadata[] =>
  fieldsOf(type).filter(({ presence }) => presence !== 'shown');

export const fieldNames = (type: Type<object>): readonly string[] => fieldsOf(type).map(({ name }) => name);

type Values<Input> = { [Key in keyof Input]-?: Exclude<Input[Key], undefined> };

/**
 * Returns the values that a creation stores: every field of requests, also of objects in it; absent ones have their
 * default or null.
 */
export const toInsertValues = <Input extends object>(fields: Type<object>, input: Input): Values<Input> =>
  Object.fromEntries(
    requestedFields(fields).map((field) => [field.name, stored(field, input)]),
  ) as Values<Input>;

/**
 * Returns the values that an update stores: the fields that are present. Null clears a field or restores its
 * default.
 */
export const toUpdateValues = <Input extends object>(
  fields: Type<object>,
  input: Input,
): Partial<Values<Input>> =>
  Object.fromEntries(
    requestedFields(fields)
      .filter(({ name }) => input[name as keyof Input] !== undefined)
      .map((field) => [field.name, stored(field, input)]),
  ) as Partial<Values<Input>>;

function stored({ name, default: fallback, nested }: FieldMetadata, input: object): unknown {
  const value = (input as Record<string, unknown>)[name] ?? fallback ?? null;
  const type = nested?.();
  if (value === null || !type || fieldsOf(type).length === 0) return value;
  return Array.isArray(value)
    ? value.map((item: object) => toInsertValues(type, item))
    : toInsertValues(type, value);
}
