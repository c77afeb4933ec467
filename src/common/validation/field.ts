import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsOptional, ValidateBy, ValidateIf } from 'class-validator';
import { type FaultText, inWords, text } from '../texts/text';
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

/** Under which class-validator's error holds the text that is not put into words yet. */
export const TOLD = Symbol('told');

export const absent = (value: unknown) => value === undefined || value === null;

/** What there is to know of a field's value before it is looked into. */
export class FieldCheck {
  /** @param nested the class of the object, or of the list's items, where the field has such */
  constructor(
    readonly fault: Fault,
    readonly nested?: () => Type<object>,
    /** What is made of a value before it is checked. */
    readonly read?: (value: unknown) => unknown,
  ) {}
}

/**
 * The check of a field as class-validator runs it, one message at a time.
 * @param name of the check, in class-validator's metadata
 */
export function Checked(name: string, check: FieldCheck): PropertyDecorator {
  let told: FaultText | undefined;
  // class-validator copies it into the error, at once, too: its messages are strings.
  const context = {
    get [TOLD]() {
      return told;
    },
  };
  return ValidateBy(
    {
      name,
      // Handed on by mapped types; `instanceOf` finds it here.
      constraints: [check],
      validator: {
        validate: (value: unknown) => (told = check.fault(value)) === undefined,
        // Asked for at once, and only then.
        defaultMessage: () => inWords(told ?? ''),
      },
    },
    { context },
  );
}

interface FieldDefinition {
  /** Of the check, in class-validator's metadata. */
  name: string;
  fault: Fault;
  /** The class of the object, or of the list's items. */
  nested?: () => Type<object>;
  read?: (value: unknown) => unknown;
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
  const { name, fault, nested, read, schema, limits, kind } = definition;
  const presence = options.presence ?? 'required';
  const check = Checked(name, new FieldCheck(fault, nested, read));
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
