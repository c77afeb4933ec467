import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import {
  BooleanField,
  EnumField,
  IntegerField,
  ListField,
  NumberField,
  ObjectField,
  TextField,
  TextListField,
  UuidField,
  UuidListField,
} from './fields';
import { QueryEnumField, QueryIntegerField, QueryNumberField, QueryTextField } from './query-fields';
import { InputPipe } from './input.pipe';
import { RequestClasses } from './request-instance';

const pipe = new InputPipe(new RequestClasses());

/** What the pipe makes of a body or query: the value, or the error's text. */
async function read(type: Type, value: unknown, kind: 'body' | 'query' = 'body'): Promise<unknown> {
  try {
    return { ...((await pipe.transform(value, { type: kind, metatype: type })) as object) };
  } catch (error) {
    return (error as Error).message;
  }
}

class Inner {
  @NumberField({ min: 0, max: 1 })
  x!: number;
}

class Body {
  @TextField({ max: 3 })
  required!: string;

  @TextField({ max: 3, presence: 'optional' })
  optional?: string | null;

  @TextField({ max: 3, presence: 'omittable', trim: true })
  omittable?: string;

  @NumberField({ moreThan: 0, presence: 'optional' })
  number?: number | null;

  @IntegerField({ presence: 'optional' })
  integer?: number | null;

  @UuidField({ presence: 'optional' })
  uuid?: string | null;

  @EnumField({ values: ['a', 'b'], presence: 'optional' })
  choice?: string | null;

  @ObjectField({ type: () => Inner, presence: 'optional' })
  inner?: Inner | null;

  @ListField({ type: () => Inner, minItems: 1, maxItems: 3, presence: 'optional' })
  list?: Inner[] | null;

  @TextListField({ max: 3, maxItems: 2, presence: 'optional' })
  texts?: string[] | null;
}

class Ids {
  @BooleanField()
  flag!: boolean;

  @UuidListField({ minItems: 1, maxItems: 2 })
  ids!: string[];
}

class Query {
  @QueryIntegerField({ default: 7, min: 1, max: 9 })
  integer: number = 7;

  @QueryNumberField({ min: -1 })
  number!: number;

  @QueryTextField({ max: 3 })
  text?: string;

  @QueryEnumField({ values: ['a', 'b'], default: 'b' })
  choice: string = 'b';
}

const body = (fields: object) => read(Body, { required: 'x', ...fields });
const query = (fields: object) => read(Query, { number: '0', ...fields }, 'query');

const ID = 'FFFFFFFF-ffff-0000-1111-222222222222';

describe('flags and lists of ids', () => {
  const ids = (fields: object) => read(Ids, { flag: false, ids: [ID], ...fields });

  it('are handed on', async () => {
    expect(await ids({})).toEqual({ flag: false, ids: [ID] });
    expect(await ids({ flag: true, ids: [ID, ID] })).toMatchObject({ flag: true });
  });

  it.each([
    [{ flag: 'true' }, 'flag: 必须是 true 或 false'],
    [{ flag: 1 }, 'flag: 必须是 true 或 false'],
    [{ flag: null }, 'flag: 不能为空'],
    [{ ids: ID }, 'ids: 必须是数组'],
    [{ ids: [] }, 'ids: 至少需要1项'],
    [{ ids: [ID, ID, ID] }, 'ids: 不能超过2项'],
    [{ ids: [ID, 'x'] }, 'ids: 第2项必须是 UUID'],
    [{ ids: [{ toString: 1 }] }, 'ids: 第1项必须是 UUID'],
  ])('are refused as %j', async (fields, message) => {
    expect(await ids(fields)).toBe(message);
  });
});

describe('body fields', () => {
  it('hand on what is right and drop what is unknown', async () => {
    const value = {
      required: 'abc',
      optional: '',
      omittable: ' ab ',
      number: 0.1,
      integer: -5,
      uuid: 'FFFFFFFF-ffff-0000-1111-222222222222',
      choice: 'a',
      inner: { x: 0, unknown: 1 },
      list: [{ x: 1, unknown: 1 }],
      texts: ['a'],
      unknown: 1,
    };
    const { unknown: _, ...known } = value;
    expect(await body(value)).toEqual({
      ...known,
      omittable: 'ab',
      inner: { x: 0 },
      list: [{ x: 1 }],
    });
  });

  it('count the characters of texts as a reader does', async () => {
    const [three, four] = ['𠮷𠮷𠮷', '𠮷𠮷𠮷𠮷'];
    expect(await body({ required: three, texts: [three] })).toMatchObject({
      required: three,
      texts: [three],
    });
    expect(await body({ required: four })).toBe('required: 不能超过3个字符');
    expect(await body({ texts: [three, four] })).toBe('texts: 第2项必须是不超过3个字符的非空字符串');
  });

  it.each([
    [{ required: undefined }, 'required: 不能为空'],
    [{ required: null }, 'required: 不能为空'],
    [{ required: '\t' }, 'required: 不能为空'],
    [{ required: 'abcd' }, 'required: 不能超过3个字符'],
    [{ required: ['a'] }, 'required: 必须是字符串'],
    [{ optional: 'abcd' }, 'optional: 不能超过3个字符'],
    [{ omittable: null }, 'omittable: 不能为空'],
    [{ omittable: '  ' }, 'omittable: 不能为空'],
    [{ number: 0 }, 'number: 必须大于0'],
    [{ number: '1' }, 'number: 必须是数字'],
    [{ number: NaN }, 'number: 必须是有限的数字'],
    [{ integer: 1.5 }, 'integer: 必须是整数'],
    [{ integer: 2 ** 31 }, `integer: 不能大于${2 ** 31 - 1}`],
    [{ integer: -(2 ** 31) - 1 }, `integer: 不能小于-${2 ** 31}`],
    [{ uuid: 'x' }, 'uuid: 必须是 UUID'],
    [{ uuid: '{ffffffff-ffff-0000-1111-222222222222}' }, 'uuid: 必须是 UUID'],
    [{ choice: 'c' }, 'choice: 必须是以下值之一: a, b'],
    [{ choice: 'toString' }, 'choice: 必须是以下值之一: a, b'],
    [{ inner: [] }, 'inner: 必须是对象'],
    [{ inner: 'x' }, 'inner: 必须是对象'],
    [{ inner: {} }, 'inner.x: 不能为空'],
    [{ inner: { x: 2 } }, 'inner.x: 不能大于1'],
    [{ list: [] }, 'list: 至少需要1项'],
    [{ list: {} }, 'list: 必须是数组'],
    [{ list: [{ x: 0 }, null] }, 'list: 第2项必须是对象'],
    [{ list: [{ x: 0 }, { x: -1 }, {}] }, 'list.1.x: 不能小于0; list.2.x: 不能为空'],
    [{ list: Array(4).fill({ x: 5 }) }, 'list: 不能超过3项'],
    [{ list: [{}, {}, {}, null] }, 'list: 不能超过3项'],
    [{ list: Array(3).fill({ x: 5 }) }, [0, 1, 2].map((n) => `list.${n}.x: 不能大于1`).join('; ')],
    [{ texts: ['a', 'b', ' '] }, 'texts: 不能超过2项'],
    [{ texts: ['a', ' '] }, 'texts: 第2项必须是不超过3个字符的非空字符串'],
    [{ texts: [1] }, 'texts: 第1项必须是不超过3个字符的非空字符串'],
    [{ texts: 'a' }, 'texts: 必须是数组'],
  ])('refuse %j', async (fields, message) => {
    expect(await body(fields)).toBe(message);
  });

  it('an optional field takes null, and an absent one stays absent', async () => {
    const nulls = { optional: null, number: null, integer: null, uuid: null, inner: null, list: null };
    expect(await body(nulls)).toMatchObject(nulls);
    expect(JSON.stringify(await body({}))).toBe('{"required":"x"}');
  });

  it('a body that is no object is refused, an absent one is an empty one', async () => {
    for (const value of [[], 'x', 5, null]) expect(await read(Body, value)).toBe('请求体必须是 JSON 对象');
    expect(await read(Body, undefined)).toBe('required: 不能为空');
  });
});

describe('query fields', () => {
  it.each([
    [{}, { integer: 7, choice: 'b' }],
    [
      { integer: '', choice: '', text: '' },
      { integer: 7, choice: 'b', text: undefined },
    ],
    [
      { integer: '9', choice: 'a', text: ' x' },
      { integer: 9, choice: 'a', text: ' x' },
    ],
    [
      { integer: '1e0', number: '-.5E0' },
      { integer: 1, number: -0.5 },
    ],
    [{ number: '+1.' }, { number: 1 }],
  ])('read %j', async (given, expected) => {
    expect(await query(given)).toMatchObject(expected);
  });

  it.each([
    [{ integer: '0' }, 'integer: 不能小于1'],
    [{ integer: '10' }, 'integer: 不能大于9'],
    [{ integer: '1.5' }, 'integer: 必须是整数'],
    [{ integer: '0x1' }, 'integer: 必须是整数'],
    [{ integer: ' 1' }, 'integer: 必须是整数'],
    [{ integer: ['1', '2'] }, 'integer: 必须是整数'],
    [{ number: '' }, 'number: 不能为空'],
    [{ number: 'NaN' }, 'number: 必须是数字'],
    [{ number: '1e999' }, 'number: 必须是有限的数字'],
    [{ number: '-2' }, 'number: 不能小于-1'],
    [{ text: 'abcd' }, 'text: 不能超过3个字符'],
    [{ text: ['a', 'b'] }, 'text: 必须是字符串'],
    [{ choice: 'c' }, 'choice: 必须是以下值之一: a, b'],
  ])('refuse %j', async (given, message) => {
    expect(await query(given)).toBe(message);
  });
});
