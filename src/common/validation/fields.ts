import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsOptional, ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import { isUuid } from './uuid';

/*
 * One decorator per field of a request: it validates (one message at a time, in Chinese, without the field's
 * name) and documents the field in OpenAPI, so that the two cannot drift apart.
 */

/**
 * - `required`: must be there and not null;
 * - `optional`: may be absent or null (a creation takes null as absent, an update as "clear it");
 * - `omittable`: may be absent but not null (an update of a field that every record has).
 */
export type Presence = 'required' | 'optional' | 'omittable';

interface FieldOptions {
  presence?: Presence;
  description?: string;
  example?: unknown;
}

/** Says what is wrong with a value, or nothing when it is right. */
type Fault = (value: unknown) => string | undefined;

const REQUIRED = '不能为空';

function field(
  options: FieldOptions,
  name: string,
  fault: Fault,
  schema: ApiPropertyOptions,
): PropertyDecorator {
  const presence = options.presence ?? 'required';
  const check = ValidateBy({
    name,
    validator: {
      validate: (value: unknown) => fault(value) === undefined,
      defaultMessage: (args) => fault(args?.value) ?? '',
    },
  });
  const documented = ApiProperty({
    ...schema,
    required: presence === 'required',
    ...(presence === 'optional' ? { nullable: true } : {}),
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.example === undefined ? {} : { example: options.example }),
  } as ApiPropertyOptions);
  switch (presence) {
    case 'required':
      return applyDecorators(check, documented);
    case 'optional':
      return applyDecorators(IsOptional(), check, documented);
    case 'omittable':
      return applyDecorators(
        ValidateIf((_, value: unknown) => value !== undefined),
        check,
        documented,
      );
  }
}

const absent = (value: unknown) => value === undefined || value === null;

/** Characters as a reader counts them: code points, not UTF-16 units. */
const longerThan = (text: string, max: number) => text.length > max && Array.from(text).length > max;

interface TextOptions extends FieldOptions {
  /** Fewest characters (UTF-16 units). Default: 1 where blank is not allowed, else none. */
  min?: number;
  /** Most characters (code points). */
  max: number;
  /** Must hold a character that is no white space. Default: as `presence` is not `optional`. */
  notBlank?: boolean;
  /** Stored without surrounding white space, and measured so. */
  trim?: boolean;
}

export function TextField(options: TextOptions): PropertyDecorator {
  const notBlank = options.notBlank ?? options.presence !== 'optional';
  const min = options.min ?? (notBlank ? 1 : 0);
  const fault: Fault = (value) => {
    if (absent(value)) return REQUIRED;
    if (typeof value !== 'string') return '必须是字符串';
    if (notBlank && value.trim() === '') return REQUIRED;
    if (value.length < min) return `不能少于${min}个字符`;
    if (longerThan(value, options.max)) return `不能超过${options.max}个字符`;
    return undefined;
  };
  const documented = field(options, 'text', fault, {
    type: String,
    maxLength: options.max,
    ...(min > 0 ? { minLength: min } : {}),
  });
  if (!options.trim) return documented;
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value)),
    documented,
  );
}

interface NumberOptions extends FieldOptions {
  /** Smallest value allowed. */
  min?: number;
  /** The value must be greater than this. */
  moreThan?: number;
  /** Largest value allowed. */
  max?: number;
}

function numberFault(value: unknown, { min, moreThan, max }: NumberOptions): string | undefined {
  if (absent(value)) return REQUIRED;
  if (typeof value !== 'number') return '必须是数字';
  if (!Number.isFinite(value)) return '必须是有限的数字';
  if (min !== undefined && value < min) return `不能小于${min}`;
  if (moreThan !== undefined && value <= moreThan) return `必须大于${moreThan}`;
  if (max !== undefined && value > max) return `不能大于${max}`;
  return undefined;
}

const numberSchema = ({ min, moreThan, max }: NumberOptions): ApiPropertyOptions => ({
  ...(min === undefined ? {} : { minimum: min }),
  ...(moreThan === undefined ? {} : { minimum: moreThan, exclusiveMinimum: true }),
  ...(max === undefined ? {} : { maximum: max }),
});

export function NumberField(options: NumberOptions = {}): PropertyDecorator {
  return field(options, 'number', (value) => numberFault(value, options), {
    type: Number,
    ...numberSchema(options),
  });
}

const INT32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };

function integerFault(value: unknown, options: NumberOptions): string | undefined {
  if (absent(value)) return REQUIRED;
  if (typeof value !== 'number' || !Number.isInteger(value)) return '必须是整数';
  return numberFault(value, options);
}

/** A whole number, within 32 bits unless narrower bounds are given. */
export function IntegerField(options: NumberOptions = {}): PropertyDecorator {
  const bounds = { ...INT32, ...options };
  return field(options, 'integer', (value) => integerFault(value, bounds), {
    type: 'integer',
    ...numberSchema(bounds),
  });
}

export function UuidField(options: FieldOptions = {}): PropertyDecorator {
  const fault: Fault = (value) => {
    if (absent(value)) return REQUIRED;
    return isUuid(value) ? undefined : '必须是 UUID';
  };
  return field(options, 'uuid', fault, { type: String, format: 'uuid' });
}

interface EnumOptions extends FieldOptions {
  values: readonly string[];
  /** Name of the schema in OpenAPI, where several fields share it. */
  enumName?: string;
}

function enumFault(value: unknown, values: readonly string[]): string | undefined {
  if (absent(value)) return REQUIRED;
  return typeof value === 'string' && values.includes(value)
    ? undefined
    : `必须是以下值之一: ${values.join(', ')}`;
}

export function EnumField(options: EnumOptions): PropertyDecorator {
  return field(options, 'enum', (value) => enumFault(value, options.values), {
    enum: [...options.values],
    ...(options.enumName ? { enumName: options.enumName } : {}),
  });
}

interface NestedOptions extends FieldOptions {
  type: () => new () => object;
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** One object with fields of its own. */
export function ObjectField(options: NestedOptions): PropertyDecorator {
  const fault: Fault = (value) => {
    if (absent(value)) return REQUIRED;
    return isObject(value) ? undefined : '必须是对象';
  };
  return applyDecorators(
    Type(options.type),
    ValidateNested(),
    field(options, 'object', fault, { type: options.type }),
  );
}

interface ListOptions extends NestedOptions {
  /** Fewest items. */
  min?: number;
}

/** An array of objects with fields of their own. */
export function ListField(options: ListOptions): PropertyDecorator {
  const min = options.min ?? 0;
  const fault: Fault = (value) => {
    if (absent(value)) return REQUIRED;
    if (!Array.isArray(value)) return '必须是数组';
    if (value.length < min) return `至少需要${min}项`;
    const wrong = value.findIndex((item) => !isObject(item));
    return wrong < 0 ? undefined : `第${wrong + 1}项必须是对象`;
  };
  return applyDecorators(
    Type(options.type),
    ValidateNested({ each: true }),
    field(options, 'list', fault, { type: [options.type()], minItems: min }),
  );
}

/** An array of texts, each not blank. */
export function TextListField(options: TextOptions & { min?: number }): PropertyDecorator {
  const min = options.min ?? 0;
  const fault: Fault = (value) => {
    if (absent(value)) return REQUIRED;
    if (!Array.isArray(value)) return '必须是数组';
    if (value.length < min) return `至少需要${min}项`;
    const wrong = value.findIndex(
      (item) => typeof item !== 'string' || item.trim() === '' || longerThan(item, options.max),
    );
    return wrong < 0 ? undefined : `第${wrong + 1}项必须是不超过${options.max}个字符的非空字符串`;
  };
  return field(options, 'textList', fault, {
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: options.max },
    minItems: min,
  });
}

/*
 * Query parameters arrive as text; an empty one counts as absent.
 */

interface QueryOptions {
  description?: string;
  example?: unknown;
}

function query(read: (text: string) => unknown, fallback: unknown): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => {
    if (value === undefined || value === '') return fallback;
    // A repeated parameter arrives as an array, which no reader takes: the check then says what is wrong.
    return typeof value === 'string' ? read(value) : value;
  });
}

/** Decimal notation only: `0x10`, ` 1` or `Infinity` are no numbers here. */
const numberOf = (text: string): unknown =>
  /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : text;

export function QueryIntegerField(
  options: QueryOptions & NumberOptions & { default: number },
): PropertyDecorator {
  const { default: fallback, ...rest } = options;
  return applyDecorators(
    query(numberOf, fallback),
    IntegerField({ ...rest, presence: 'omittable' }),
    ApiDefault(fallback),
  );
}

export function QueryNumberField(options: QueryOptions & NumberOptions): PropertyDecorator {
  return applyDecorators(query(numberOf, undefined), NumberField(options));
}

export function QueryTextField(options: QueryOptions & TextOptions): PropertyDecorator {
  return applyDecorators(
    query((text) => text, undefined),
    TextField({
      notBlank: options.presence === 'required',
      ...options,
      presence: options.presence ?? 'omittable',
    }),
  );
}

export function QueryEnumField(
  options: QueryOptions & EnumOptions & { default?: string },
): PropertyDecorator {
  const { default: fallback, ...rest } = options;
  return applyDecorators(
    query((text) => text, fallback),
    EnumField({ ...rest, presence: 'omittable' }),
    ...(fallback === undefined ? [] : [ApiDefault(fallback)]),
  );
}

const ApiDefault = (fallback: unknown): PropertyDecorator =>
  ApiProperty({ default: fallback, required: false });
