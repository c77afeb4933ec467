import 'reflect-metadata';
import { ApiProperty, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { getMetadataStorage } from 'class-validator';
import { EnumField, IntegerField, ListField, NumberField, ObjectField, TextField, UuidField } from './fields';
import { fieldNames, toUpdateValues, toInsertValues } from './field-metadata';
import { FreeJsonField } from './free-json';
import { InputPipe } from './input.pipe';
import { RequestClasses } from './request-instance';
import { IdField, ShownField, TimestampField, ResponseType } from './record-fields';

class Fields {
  @IdField()
  id!: string;

  @TextField({ max: 5, trim: true, description: 'What it is called', example: 'a' })
  name!: string;

  @EnumField({ values: ['x', 'y'] })
  kind!: string;

  @TextField({ max: 5, presence: 'optional', default: 'kg' })
  unit?: string | null;

  @NumberField({ min: 0, presence: 'optional', example: 1.5 })
  price?: number | null;

  @IntegerField()
  order!: number;

  @UuidField({ presence: 'optional' })
  parent?: string | null;

  @FreeJsonField({ description: 'Any JSON' })
  more?: unknown;

  @ShownField({ type: Number, description: 'How many' })
  count!: number;

  @TimestampField()
  createdAt!: string;
}

class Create extends OmitType(Fields, ['id', 'count', 'createdAt']) {}
class Update extends PartialType(Create, { skipNullProperties: false }) {}

const pipe = new InputPipe(new RequestClasses());
async function read(metatype: new () => object, value: unknown): Promise<unknown> {
  try {
    return { ...((await pipe.transform(value, { type: 'body', metatype })) as object) };
  } catch (error) {
    return (error as Error).message;
  }
}

/** What a class documents of its properties. */
function documented(type: new () => object): Record<string, Record<string, unknown>> {
  const names = Reflect.getMetadata('swagger/apiModelPropertiesArray', type.prototype as object) as string[];
  return Object.fromEntries(
    names.map((name) => {
      const key = name.slice(1);
      const schema: unknown = Reflect.getMetadata(
        'swagger/apiModelProperties',
        type.prototype as object,
        key,
      );
      const { isArray: _, ...rest } = schema as Record<string, unknown>;
      return [key, rest];
    }),
  );
}

const whole = { name: 'a', kind: 'x', order: 1 };

describe('requests by mapped types', () => {
  it('a creation takes what is required and drops what is only shown', async () => {
    expect(await read(Create, { ...whole, name: ' a ', id: 'x', count: 5, createdAt: 'x' })).toEqual({
      ...whole,
      more: undefined,
    });
    expect(await read(Create, {})).toBe('name: 不能为空; kind: 不能为空; order: 不能为空');
    expect(await read(Create, { ...whole, name: null })).toBe('name: 不能为空');
    expect(await read(Create, { ...whole, unit: null, price: null, parent: null })).toMatchObject({
      unit: null,
      price: null,
      parent: null,
    });
    expect(await read(Create, { ...whole, price: -1 })).toBe('price: 不能小于0');
  });

  it('an update may leave out anything, and clear what is optional only', async () => {
    expect(await read(Update, {})).toEqual({ more: undefined });
    expect(await read(Update, { price: null, unit: null })).toMatchObject({ price: null, unit: null });
    expect(await read(Update, { name: null, kind: null })).toBe('name: 不能为空; kind: 不能为空');
    expect(await read(Update, { name: ' b ' })).toMatchObject({ name: 'b' });
    expect(await read(Update, { price: -1, name: '' })).toBe('name: 不能为空; price: 不能小于0');
  });

  it('free JSON passes by as it is, through mapped types too', async () => {
    const more = { constructor: 1, list: [{ toString: null }] };
    expect(await read(Create, { ...whole, more })).toMatchObject({ more });
    expect(await read(Update, { more: null })).toEqual({ more: null });
  });

  it('cost a request no more checks than fields written out would', () => {
    const checks = (type: new () => object) =>
      getMetadataStorage().getTargetValidationMetadatas(type, '', false, false).length;
    // A check for each field and a condition for each optional one; an update adds a condition for each.
    expect(checks(Create)).toBe(7 + 3);
    expect(checks(Update)).toBe(7 + 3 + 7);
  });

  it('document limits, and null where it may be sent', () => {
    expect(documented(Create).name).toMatchObject({ required: true, minLength: 1, maxLength: 5 });
    expect(documented(Create).unit).toMatchObject({ required: false, nullable: true, maxLength: 5 });
    expect(documented(Update).name).toMatchObject({ required: false, maxLength: 5 });
    expect(documented(Update).name).not.toHaveProperty('nullable');
    class Written {
      @TextField({ max: 5, presence: 'omittable' })
      name?: string;
    }
    expect(documented(Written).name).toEqual({ type: String, required: false, minLength: 1, maxLength: 5 });
    expect(documented(Create).order).toMatchObject({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 });
  });
});

describe('ResponseType', () => {
  class Response extends ResponseType(Fields) {
    @ApiProperty({ type: Boolean })
    extra!: boolean;
  }

  it('documents every key as there, null only where nothing else takes its place, and no lengths', () => {
    expect(documented(Response)).toEqual({
      id: { type: String, format: 'uuid', required: true },
      name: { type: String, required: true, description: 'What it is called', example: 'a' },
      kind: { type: 'string', enum: ['x', 'y'], required: true },
      unit: { type: String, required: true },
      price: { type: Number, minimum: 0, nullable: true, required: true, example: 1.5 },
      order: { type: 'integer', required: true },
      parent: { type: String, format: 'uuid', nullable: true, required: true },
      more: expect.objectContaining({ oneOf: expect.any(Array) as unknown, required: true }) as unknown,
      count: { type: Number, description: 'How many', required: true },
      createdAt: { type: String, format: 'date-time', required: true },
      extra: { type: Boolean },
    });
  });

  it('can be picked from as any other class', () => {
    class Short extends PickType(Response, ['name', 'price']) {}
    expect(Object.keys(documented(Short))).toEqual(['name', 'price']);
  });
});

describe('the values of fields', () => {
  it('are listed in their order, those of a base class first', () => {
    class More extends Fields {
      @TextField({ max: 1 })
      last!: string;
    }
    expect(fieldNames(More)).toEqual([...fieldNames(Fields), 'last']);
    expect(fieldNames(Fields)).toEqual([
      ...['id', 'name', 'kind', 'unit', 'price', 'order', 'parent', 'more', 'count', 'createdAt'],
    ]);
  });

  it('get defaults or null where a creation leaves them out, and never come from outside for what is shown', () => {
    const rest = { price: null, parent: null, more: null };
    expect(toInsertValues(Fields, { ...whole, id: 'x', other: 1 })).toEqual({
      ...whole,
      ...rest,
      unit: 'kg',
    });
    expect(toInsertValues(Fields, { ...whole, unit: null, price: 0 })).toMatchObject({
      unit: 'kg',
      price: 0,
    });
    expect(toInsertValues(Fields, { ...whole, unit: 'g' })).toMatchObject({ unit: 'g' });
  });

  it('get defaults or null within objects, too, unless their class is a mapped type', () => {
    class Mapped extends PickType(Fields, ['unit', 'price']) {}
    class Nested {
      @ObjectField({ type: () => Fields })
      one!: object;

      @ListField({ type: () => Fields, maxItems: 2 })
      list!: object[];

      @ObjectField({ type: () => Mapped, presence: 'optional' })
      mapped?: object | null;
    }
    const filled = { ...whole, unit: 'kg', price: null, parent: null, more: null };
    expect(toInsertValues(Nested, { one: whole, list: [whole], mapped: { price: 1 } })).toEqual({
      ...{ one: filled, list: [filled], mapped: { price: 1 } },
    });
  });

  it('of an update are those that are there; null clears, or sets back to the default', () => {
    expect(toUpdateValues(Fields, {})).toEqual({});
    expect(toUpdateValues(Fields, { id: 'x', name: undefined, unit: null, price: null, order: 0 })).toEqual({
      unit: 'kg',
      price: null,
      order: 0,
    });
  });
});
