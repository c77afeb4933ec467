import { applyDecorators, type Type as NestType } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsOptional, ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import { type FaultText, text } from '../texts/text';
import { defineField, type FieldKind, type Presence } from './field-metadata';
import { isUuid } from './uuid';

/*
 * Each decorator validates a field (with one text of the catalogue at a time, without the field's name) and
 * documents it in OpenAPI, so that the two cannot differ. A resource has one class of fields. Requests are Nest's
 * mapped types of it, responses are our `ResponseType`.
 */

export interface FieldOptions {
  presence?: Presence;
  description?: string;
  example?: unknown;
  /** Default of an optional field, used when a creation omits it and when an update clears it. */
  default?: unknown;
}

/** Returns the fault of a value, or undefined if it is valid. */
export type Fault = (value: unknown) => FaultText | undefined;

export const REQUIRED = text('field.required');

const absent = (value: unknown) => value === undefined || value === null;

/** The check of a field. As a class-validator constraint, it is copied to other classes by mapped types. */
export class FieldCheck {
  /** @param nested the class of the object, or of the list's items, if the field contains objects */
  constructor(
    readonly fault: Fault,
    readonly nested?: () => NestType<object>,
  ) {}
}

/** Wraps the check as a class-validator decorator. `InputPipe` renders its message in the language of the request. */
export const Checked = (name: string, check: FieldCheck): PropertyDecorator =>
  ValidateBy(
    {
      name,
      constraints: [check],
      validator: {
        validate: (value: unknown) => check.fault(value) === undefined,
        defaultMessage: () => '$property is invalid',
      },
    },
    { context: { fault: check.fault } },
  );

interface FieldDefinition {
  /** Name of the check in class-validator's metadata. */
  name: string;
  fault: Fault;
  /** The class of the object, or of the list's items. */
  nested?: () => NestType<object>;
  schema: ApiPropertyOptions;
  /** Part of the schema that only requests need. */
  limits?: ApiPropertyOptions;
  kind?: FieldKind;
}

/**
 * Creates the decorator of a field: its check, its documentation in requests, and its metadata for responses and
 * files.
 */
export function field(options: FieldOptions, definition: FieldDefinition): PropertyDecorator {
  const { name, fault, nested, schema, limits, kind } = definition;
  const presence = options.presence ?? 'required';
  const check = Checked(name, new FieldCheck(fault, nested));
  const texts = {
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.example === undefined ? {} : { example: options.example }),
  };
  const documented = ApiProperty({
    ...schema,
    ...limits,
    required: presence === 'required',
    ...(presence === 'optional' ? { nullable: true } : {}),
    ...texts,
  } as ApiPropertyOptions);
  const nullable = presence === 'optional' && options.default === undefined;
  const shown = { ...schema, ...(nullable ? { nullable } : {}), ...texts };

  return (target, key) => {
    if (presence === 'optional') IsOptional()(target, key);
    if (presence === 'omittable') ValidateIf((_, value: unknown) => value !== undefined)(target, key);
    check(target, key);
    documented(target, key);
    defineField(target, { name: String(key), presence, default: options.default, kind, nested, shown });
  };
}

/** Counts code points, as a reader does, not UTF-16 units. */
const longerThan = (text: string, max: number) => text.length > max && Array.from(text).length > max;

const VISIBLE = /[^\p{White_Space}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Returns true if a text has a visible character: anything but white space, zero-width characters and fillers. */
export const isVisible = (text: string): boolean => VISIBLE.test(text);

export interface TextOptions extends FieldOptions {
  /** Fewest characters (UTF-16 units). Default: 1 with `notBlank`, otherwise 0. */
  min?: number;
  /** Most characters (code points). */
  max: number;
  /** Must contain a visible character. Default: true unless `presence` is `optional`. */
  notBlank?: boolean;
  /** Surrounding white space is removed before the text is checked and stored. */
  trim?: boolean;
  /** Returns the form in which the text is checked and stored. */
  form?: (text: string) => string;
  /** A further check of a text that passes the others. */
  rule?: (text: string) => FaultText | undefined;
}

export function TextField(options: TextOptions): PropertyDecorator {
  const notBlank = options.notBlank ?? options.presence !== 'optional';
  const min = options.min ?? (notBlank ? 1 : 0);
  const fault: Fault = (value) => {
    if (absent(value)) return REQUIRED;
    if (typeof value !== 'string') return text('field.not-a-text');
    if (notBlank && !isVisible(value)) return REQUIRED;
    if (value.length < min) return text('field.text-too-short', { min });
    if (longerThan(value, options.max)) return text('field.text-too-long', { max: options.max });
    return options.rule?.(value);
  };
  const declared = field(options, {
    name: 'text',
    fault,
    schema: { type: String },
    limits: { maxLength: options.max, ...(min > 0 ? { minLength: min } : {}) },
    kind: { type: 'text', max: options.max },
  });
  const form = options.form ?? (options.trim ? (value: string) => value.trim() : undefined);
  if (!form) return declared;
  // An optional text without a character is none.
  const none = options.presence === 'optional' && !notBlank ? null : '';
  const transformed = Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? form(value) || none : value,
  );
  return applyDecorators(transformed, declared);
}

export interface NumberOptions extends FieldOptions {
  /** Smallest value allowed. */
  min?: number;
  /** The value must be greater than this. */
  moreThan?: number;
  /** Largest value allowed. */
  max?: number;
}

function numberFault(value: unknown, { min, moreThan, max }: NumberOptions): FaultText | undefined {
  if (absent(value)) return REQUIRED;
  if (typeof value !== 'number') return text('field.not-a-number');
  if (!Number.isFinite(value)) return text('field.not-finite');
  if (min !== undefined && value < min) return text('field.too-small', { min });
  if (moreThan !== undefined && value <= moreThan) return text('field.not-above', { bound: moreThan });
  if (max !== undefined && value > max) return text('field.too-great', { max });
  return undefined;
}

const numberSchema = ({ min, moreThan, max }: NumberOptions): ApiPropertyOptions => ({
  ...(min === undefined ? {} : { minimum: min }),
  ...(moreThan === undefined ? {} : { minimum: moreThan, exclusiveMinimum: true }),
  ...(max === undefined ? {} : { maximum: max }),
});

const bounds = ({ min, moreThan, max }: NumberOptions) => ({ min, moreThan, max });

export function NumberField(options: NumberOptions = {}): PropertyDecorator {
  return field(options, {
    name: 'number',
    fault: (value) => numberFault(value, options),
    schema: { type: Number, ...numberSchema(options) },
    kind: { type: 'number', ...bounds(options) },
  });
}

const INT32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };

function integerFault(value: unknown, options: NumberOptions): FaultText | undefined {
  if (absent(value)) return REQUIRED;
  if (typeof value !== 'number' || !Number.isInteger(value)) return text('field.not-an-integer');
  return numberFault(value, options);
}

/** An integer, within 32 bits unless its bounds are narrower. */
export function IntegerField(options: NumberOptions = {}): PropertyDecorator {
  const bounded = { ...INT32, ...options };
  return field(options, {
    name: 'integer',
    fault: (value) => integerFault(value, bounded),
    schema: { type: 'integer', ...numberSchema(options) },
    limits: numberSchema(bounded),
    kind: { type: 'integer', ...bounds(bounded) },
  });
}

export function UuidField(options: FieldOptions = {}): PropertyDecorator {
  const fault: Fault = (value) => {
    if (absent(value)) return REQUIRED;
    return isUuid(value) ? undefined : text('field.not-a-uuid');
  };
  return field(options, { name: 'uuid', fault, schema: { type: String, format: 'uuid' } });
}

/** PostgreSQL has no year 0. */
const DAY = /^(?!0000)\d{4}-\d{2}-\d{2}$/;

/** Returns true for a day of the calendar: `2026-12-31`. */
export function isDay(value: unknown): boolean {
  const time = typeof value === 'string' && DAY.test(value) ? Date.parse(`${value}T00:00:00Z`) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value as string);
}

export function DayField(options: FieldOptions = {}): PropertyDecorator {
  const fault: Fault = (value) => {
    if (absent(value)) return REQUIRED;
    return isDay(value) ? undefined : text('field.not-a-day');
  };
  return field(options, { name: 'day', fault, schema: { type: String, format: 'date' } });
}

/** `true` or `false`, never a string. */
export function BooleanField(options: FieldOptions = {}): PropertyDecorator {
  const fault: Fault = (value) => {
    if (absent(value)) return REQUIRED;
    return typeof value === 'boolean' ? undefined : text('field.not-a-boolean');
  };
  return field(options, { name: 'boolean', fault, schema: { type: Boolean } });
}

export interface EnumOptions extends FieldOptions {
  values: readonly string[];
  /** Name of the schema in OpenAPI, if several fields share it. */
  enumName?: string;
}

function enumFault(value: unknown, values: readonly string[]): FaultText | undefined {
  if (absent(value)) return REQUIRED;
  return typeof value === 'string' && values.includes(value)
    ? undefined
    : text('field.none-of', { values: values.join(', ') });
}

export function EnumField(options: EnumOptions): PropertyDecorator {
  return field(options, {
    name: 'enum',
    fault: (value) => enumFault(value, options.values),
    schema: { enum: [...options.values], ...(options.enumName ? { enumName: options.enumName } : {}) },
    kind: { type: 'enum', values: options.values },
  });
}

interface NestedOptions extends FieldOptions {
  type: () => new () => object;
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object with fields of its own. */
export function ObjectField(options: NestedOptions): PropertyDecorator {
  const fault: Fault = (value) => {
    if (absent(value)) return REQUIRED;
    return isObject(value) ? undefined : text('field.not-an-object');
  };
  return applyDecorators(
    Type(options.type),
    ValidateNested(),
    field(options, { name: 'object', fault, nested: options.type, schema: { type: options.type } }),
  );
}

/** Every list has a maximum length, so the work for a request is bounded. */
interface ListBounds {
  /** Fewest items. Default: 0. */
  minItems?: number;
  /** Most items. */
  maxItems: number;
}

function listFault(value: unknown, { minItems = 0, maxItems }: ListBounds): FaultText | undefined {
  if (absent(value)) return REQUIRED;
  if (!Array.isArray(value)) return text('field.not-a-list');
  if (value.length < minItems) return text('field.too-few-items', { min: minItems });
  if (value.length > maxItems) return text('field.too-many-items', { max: maxItems });
  return undefined;
}

const listLimits = ({ minItems = 0, maxItems }: ListBounds) => ({ minItems, maxItems });

interface ListOptions extends NestedOptions, ListBounds {
  /** A rule for the entire list, checked before its items, which are therefore not validated yet. */
  rule?: (items: readonly object[]) => FaultText | undefined;
}

/** An array of objects with fields of their own. */
export function ListField(options: ListOptions): PropertyDecorator {
  const fault: Fault = (value) => {
    const ofList = listFault(value, options);
    if (ofList) return ofList;
    const items = value as object[];
    const wrong = items.findIndex((item) => !isObject(item));
    return wrong < 0 ? options.rule?.(items) : text('field.item-not-an-object', { position: wrong + 1 });
  };
  return applyDecorators(
    Type(options.type),
    ValidateNested({ each: true }),
    field(options, {
      name: 'list',
      fault,
      nested: options.type,
      schema: { type: [options.type()] },
      limits: listLimits(options),
    }),
  );
}

/** An array of texts. Each is not blank and has at most `max` characters. */
export function TextListField(options: FieldOptions & ListBounds & { max: number }): PropertyDecorator {
  const fault: Fault = (value) => {
    const ofList = listFault(value, options);
    if (ofList) return ofList;
    const wrong = (value as unknown[]).findIndex(
      (item) => typeof item !== 'string' || !isVisible(item) || longerThan(item, options.max),
    );
    return wrong < 0 ? undefined : text('field.item-not-a-text', { position: wrong + 1, max: options.max });
  };
  const items = { type: 'string' as const };
  return field(options, {
    name: 'textList',
    fault,
    schema: { type: 'array', items },
    limits: { items: { ...items, minLength: 1, maxLength: options.max }, ...listLimits(options) },
  });
}

/** An array of ids. */
export function UuidListField(options: FieldOptions & ListBounds): PropertyDecorator {
  const fault: Fault = (value) => {
    const ofList = listFault(value, options);
    if (ofList) return ofList;
    const wrong = (value as unknown[]).findIndex((item) => !isUuid(item));
    return wrong < 0 ? undefined : text('field.item-not-a-uuid', { position: wrong + 1 });
  };
  return field(options, {
    name: 'uuidList',
    fault,
    schema: { type: 'array', items: { type: 'string', format: 'uuid' } },
    limits: listLimits(options),
  });
}
