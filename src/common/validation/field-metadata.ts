import type { Type } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';

/**
 * - `required`: must be there and not null;
 * - `optional`: may be absent or null (a creation takes null as absent, an update as "clear it");
 * - `omittable`: may be absent but not null (an update of a field that every record has).
 */
export type Presence = 'required' | 'optional' | 'omittable';

/** What a text has to be like to be a value of the field: for cells of a file. */
export type FieldKind =
  | { type: 'text'; max: number }
  | { type: 'number'; min?: number; moreThan?: number; max?: number }
  | { type: 'integer'; min?: number; moreThan?: number; max?: number }
  | { type: 'enum'; values: readonly string[] };

/** What the decorators of a class of fields say about one of them. */
export interface FieldMetadata {
  readonly name: string;
  /** `shown`: no request has it. */
  readonly presence: Presence | 'shown';
  /** What an absent optional field has instead of null. */
  readonly default?: unknown;
  readonly kind?: FieldKind;
  /** How a response documents it. */
  readonly shown: ApiPropertyOptions;
}

const FIELDS = Symbol('fields');

/** For decorators: enters a property of a class in its list of fields. */
export function defineField(target: object, field: FieldMetadata): void {
  const inherited = fieldsOf(target.constructor as Type<object>);
  Reflect.defineMetadata(FIELDS, [...inherited, field], target.constructor);
}

/**
 * The fields of a class, in the order in which it names them. Classes made by mapped types have none of their
 * own.
 */
export const fieldsOf = (type: Type<object>): readonly FieldMetadata[] =>
  (Reflect.getMetadata(FIELDS, type) as readonly FieldMetadata[] | undefined) ?? [];

/** The fields that requests have. */
export const requestedFields = (type: Type<object>): readonly FieldMetadata[] =>
  fieldsOf(type).filter(({ presence }) => presence !== 'shown');

export const fieldNames = (type: Type<object>): readonly string[] => fieldsOf(type).map(({ name }) => name);

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
