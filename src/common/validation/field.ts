import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsOptional, ValidateBy, ValidateIf } from 'class-validator';
import { type FaultText, text } from '../texts/text';
import { defineField, type FieldKind, type Presence } from './field-metadata';

export interface FieldOptions {
  presence?: Presence;
  description?: string;
  example?: unknown;
  /** Of an optional field: what it has when a creation leaves it out, and when an update clears it. */
  default?: unknown;
}

/** Says what is wrong with a value, or nothing when it is right. */
export type Fault = (value: unknown) => FaultText | undefined;

export const REQUIRED = text('field.required');

export const absent = (value: unknown) => value === undefined || value === null;

/** The check of a field. Mapped types copy it to other classes, as a constraint of class-validator's. */
export class FieldCheck {
  /** @param nested the class of the object, or of the list's items, where the field has such */
  constructor(
    readonly fault: Fault,
    readonly nested?: () => Type<object>,
  ) {}
}

/** The check as a class-validator decorator. Its message is made by `InputPipe`, which can translate it. */
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
  /** Of the check, in class-validator's metadata. */
  name: string;
  fault: Fault;
  /** The class of the object, or of the list's items. */
  nested?: () => Type<object>;
  schema: ApiPropertyOptions;
  /** Of the schema what only requests need. */
  limits?: ApiPropertyOptions;
  kind?: FieldKind;
}

/**
 * The decorator of a field: its check, its documentation in requests, and what responses and files take from
 * it.
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
