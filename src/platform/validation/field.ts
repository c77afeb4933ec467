import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsOptional, ValidateBy, ValidateIf } from 'class-validator';
import { type FaultText, text } from '../texts/text';
import { defineField, type FieldKind, type Presence } from './field-metadata';

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

export const absent = (value: unknown) => value === undefined || value === null;

/** The check of a field. As a class-validator constraint, it is copied to other classes by mapped types. */
export class FieldCheck {
  /** @param nested the class of the object, or of the list's items, if the field contains objects */
  constructor(
    readonly fault: Fault,
    readonly nested?: () => Type<object>,
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
  nested?: () => Type<object>;
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
    defineField(target, { name: String(key), presence, default: options.default, kind, shown });
  };
}
