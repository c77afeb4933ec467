import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { readDecimal } from './decimal';
import {
  EnumField,
  type EnumOptions,
  IntegerField,
  NumberField,
  type NumberOptions,
  TextField,
  type TextOptions,
} from './fields';

/* Fields of a query. They arrive as text; an empty one counts as absent. */

function query(read: (text: string) => unknown, fallback: unknown): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => {
    if (value === undefined || value === '') return fallback;
    // A repeated parameter arrives as an array. It is passed on, and the field's check refuses it.
    return typeof value === 'string' ? read(value) : value;
  });
}

const numberOf = (text: string): unknown => readDecimal(text) ?? text;

function queryNumber(
  numeric: (options: NumberOptions) => PropertyDecorator,
  { default: fallback, ...rest }: NumberOptions & { default?: number },
): PropertyDecorator {
  if (fallback === undefined) return applyDecorators(query(numberOf, undefined), numeric(rest));
  return applyDecorators(
    query(numberOf, fallback),
    numeric({ ...rest, presence: 'omittable' }),
    ApiDefault(fallback),
  );
}

/** Omittable, unless `presence` says otherwise. */
export function QueryIntegerField(options: NumberOptions & { default?: number }): PropertyDecorator {
  return queryNumber(IntegerField, { presence: 'omittable', ...options });
}

export function QueryNumberField(options: NumberOptions & { default?: number }): PropertyDecorator {
  return queryNumber(NumberField, options);
}

export function QueryTextField(options: TextOptions): PropertyDecorator {
  return applyDecorators(
    query((text) => text, undefined),
    TextField({
      notBlank: options.presence === 'required',
      ...options,
      presence: options.presence ?? 'omittable',
    }),
  );
}

export function QueryEnumField(options: EnumOptions & { default?: string }): PropertyDecorator {
  const { default: fallback, ...rest } = options;
  // A `+` that the client did not encode arrives as a blank.
  const withPlus = (text: string) => text.replaceAll(' ', '+');
  return applyDecorators(
    query((text) => (rest.values.includes(withPlus(text)) ? withPlus(text) : text), fallback),
    EnumField({ ...rest, presence: options.presence ?? 'omittable' }),
    ...(fallback === undefined ? [] : [ApiDefault(fallback)]),
  );
}

/** Value of a switch in a query. */
export type QuerySwitch = 'true' | 'false';

/**
 * A switch, `true` or `false`; `false` if it is not sent. Unlike in other fields, an empty value is refused: an import
 * with `?dryRun` must not write.
 */
export const QuerySwitchField = (options: { description: string }): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => value ?? 'false'),
    EnumField({ ...options, values: ['true', 'false'], presence: 'omittable' }),
    ApiDefault('false'),
  );

const ApiDefault = (fallback: unknown): PropertyDecorator =>
  ApiProperty({ default: fallback, required: false });
