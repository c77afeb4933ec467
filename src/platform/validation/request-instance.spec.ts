import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { PartialType } from '@nestjs/swagger';
import { Exclude, Expose, Transform, type TransformFnParams } from 'class-transformer';
import { Allow, IsObject, IsOptional } from 'class-validator';
import { ListField, NumberField, ObjectField, TextField, TextListField } from './fields';
import { FREE_JSON_LIMIT, FreeJsonField, FreeObjectField } from './free-json';
import { InputPipe } from './input.pipe';
import { RequestClasses, requestInstance } from './request-instance';

/** The objects that class-transformer was given. */
let seen: object[] = [];
const Seen = () =>
  Transform(({ value, obj }: TransformFnParams): unknown => {
    seen.push(obj as object);
    return value;
  });

class Item {
  @Seen()
  @TextField({ max: 3 })
  name!: string;
}

class Body {
  @Seen()
  @TextField({ max: 3, trim: true, presence: 'optional' })
  name?: string;

  @NumberField({ presence: 'optional' })
  number?: number;

  @ObjectField({ type: () => Item, presence: 'optional' })
  item?: Item;

  @ListField({ type: () => Item, maxItems: 2, presence: 'optional', rule: (items) => RULE(items) })
  items?: Item[];

  @TextListField({ max: 3, maxItems: 2, presence: 'optional' })
  texts?: string[];

  @FreeJsonField({ description: 'Any JSON' })
  free?: unknown;

  @FreeObjectField({ description: 'Any object' })
  targets?: Record<string, unknown>;

  @IsOptional()
  @IsObject()
  foreign?: object;

  @Allow()
  allowed?: unknown;

  @Allow()
  initial = 5;
}
class Update extends PartialType(Body) {}

let RULE: (items: readonly object[]) => string | undefined;

const pipe = new InputPipe(new RequestClasses());
const read = async (value: unknown, metatype: Type = Body, type: 'body' | 'query' = 'body') => {
  try {
    return { ...((await pipe.transform(value, { type, metatype })) as object) };
  } catch (error) {
    return (error as Error).message;
  }
};

beforeEach(() => {
  seen = [];
  RULE = () => undefined;
});

describe('the instance of a request class', () => {
  it.each([Body, Update])('is one of it and of the classes inside, with what they declare: %p', (type) => {
    const made = requestInstance(type, {
      name: ' a ',
      item: { name: 'b', other: 1 },
      items: [{ name: 'c', other: 1 }],
      other: 1,
    }) as Body;
    expect(made).toBeInstanceOf(type);
    expect(made.item).toBeInstanceOf(Item);
    expect(made.items![0]).toBeInstanceOf(Item);
    expect(made).toEqual({ name: 'a', item: { name: 'b' }, items: [{ name: 'c' }], initial: 5 });
    // The work for a key that nobody declares is not done.
    expect(seen.flatMap((object) => Object.keys(object))).toEqual(['name', 'name', 'name']);
  });

  it('trims a text that is to be trimmed, and no other', async () => {
    class Trimming {
      @TextField({ max: 3, trim: true })
      trimmed!: string;

      @TextField({ max: 3 })
      kept!: string;
    }
    expect(await read({ trimmed: ' abc ', kept: ' a ' }, Trimming)).toEqual({ trimmed: 'abc', kept: ' a ' });
    expect(await read({ trimmed: 5, kept: 'a' }, Trimming)).toBe('trimmed: 必须是字符串');
  });

  it('brings a text into its form, and an optional one without a character is null', async () => {
    class Formed {
      @TextField({ max: 3, form: (text) => text.toLowerCase() })
      formed!: string;

      @TextField({ max: 3, trim: true, presence: 'optional' })
      optional?: string | null;

      @TextField({ max: 3, trim: true, presence: 'optional', notBlank: true })
      visible?: string | null;
    }
    expect(await read({ formed: 'ABC', optional: ' ' }, Formed)).toEqual({ formed: 'abc', optional: null });
    expect(await read({ formed: 'ABC', visible: ' ' }, Formed)).toBe('visible: 不能为空');
  });

  it('gives class-transformer what has a decorator of its own, and nothing else', () => {
    class Shown {
      @Expose()
      @TextField({ max: 3 })
      a!: string;

      @Exclude()
      @TextField({ max: 3 })
      b!: string;

      @TextField({ max: 3 })
      c!: string;
    }
    expect(requestInstance(Shown, { a: 'a', b: 'b', c: 'c' })).toEqual({ a: 'a', c: 'c' });
  });

  it('takes nothing from a prototype, and no meaning from a name', () => {
    const given = JSON.parse('{"__proto__":{"name":"x"},"constructor":1,"item":{"__proto__":{"name":"y"}}}');
    expect(requestInstance(Body, given as object)).toEqual({ item: {}, initial: 5 });
    expect(requestInstance(Body, Object.create({ name: 'x' }) as object)).toEqual({ initial: 5 });
  });

  it('hands on as it is what is free, and what decorators of others declare', async () => {
    const deep = JSON.parse('{"constructor":{"toString":[null]},"__proto__":1}') as object;
    const made = (await read({ free: deep, targets: deep, foreign: { a: 1 }, allowed: [{ b: 2 }] })) as Body;
    expect(made.free).toBe(deep);
    expect(made.targets).toBe(deep);
    expect(made).toMatchObject({ foreign: { a: 1 }, allowed: [{ b: 2 }] });
  });

  it.each([
    ['name', {}, 'name: 必须是字符串'],
    ['number', [], 'number: 必须是数字'],
    ['item', [{ name: 'a' }], 'item: 必须是对象'],
    ['items', { 0: { name: 'a' } }, 'items: 必须是数组'],
    ['items', [{ name: 'a' }, 5], 'items: 第2项必须是对象'],
    ['items', [{}, {}, {}], 'items: 不能超过2项'],
    ['texts', [{}], 'texts: 第1项必须是不超过3个字符的非空字符串'],
    ['foreign', 5, 'foreign: foreign must be an object'],
  ])('does not look into a %s that is none: %j', async (name, value, error) => {
    expect(await read({ [name]: value })).toBe(error);
    expect(seen).toEqual([]);
  });

  it('tells the rule of a whole list alone, before the items', async () => {
    RULE = (items) => (items.length === 2 ? '太多' : undefined);
    expect(await read({ items: [{}, {}] })).toBe('items: 太多');
    expect(await read({ items: [{}] })).toBe('items.0.name: 不能为空');
  });

  it('is made of a query alike', async () => {
    const query = Object.assign(Object.create(null) as object, { name: 'a', other: '1' });
    expect(await read(query, Body, 'query')).toEqual({ name: 'a', initial: 5 });
    expect(await read({ name: ['a', 'b'] }, Body, 'query')).toBe('name: 必须是字符串');
  });
});

describe('free-form JSON', () => {
  const TOO_LARGE = 'JSON 文本不能超过64KB';
  /** A text whose JSON has this many bytes. */
  const ofBytes = (bytes: number, character: string) => {
    const each = Buffer.byteLength(JSON.stringify(character)) - 2;
    const rest = (bytes - 2) % each;
    return character.repeat((bytes - 2 - rest) / each) + 'x'.repeat(rest);
  };

  it.each(['x', '水', '😀', '"', '\u0001'])('may have 64 KB of text in UTF-8, of %j', async (character) => {
    const most = ofBytes(FREE_JSON_LIMIT, character);
    expect(((await read({ free: most })) as Body).free).toBe(most);
    expect(await read({ free: `${most}x` })).toBe(`free: ${TOO_LARGE}`);
  });

  it('counts brackets, keys and commas', async () => {
    const frame = JSON.stringify({ a: ['', 1] }).length;
    const ofSize = (bytes: number) => ({ a: ['x'.repeat(bytes - frame), 1] });
    for (const name of ['free', 'targets']) {
      expect(await read({ [name]: ofSize(FREE_JSON_LIMIT) })).toMatchObject({
        [name]: ofSize(FREE_JSON_LIMIT),
      });
      expect(await read({ [name]: ofSize(FREE_JSON_LIMIT + 1) })).toBe(`${name}: ${TOO_LARGE}`);
    }
  });

  it.each([null, 0, false, '', [], [null]])('may be %j', async (value) => {
    expect(await read({ free: value })).toEqual({ free: value, initial: 5 });
  });

  it.each([5, 'x', [], [{}], true])('is no object: %j', async (value) => {
    expect(await read({ targets: value })).toBe('targets: 必须是对象');
  });
});

class NoteDto {
  @TextField({ max: 3 })
  text!: string;
}

class NoteOfMoreDto extends NoteDto {
  @TextField({ max: 3 })
  more!: string;
}

describe('A class that has more fields in one application', () => {
  it('is what its requests are checked against, in this application only', async () => {
    const classes = new RequestClasses();
    const read = async (by: RequestClasses, sent: object) =>
      new InputPipe(by).transform(sent, { type: 'body', metatype: NoteDto });
    classes.replace(NoteDto, NoteOfMoreDto);
    expect(await read(classes, { text: 'a', more: 'b', else: 'c' })).toEqual({ text: 'a', more: 'b' });
    await expect(read(classes, { text: 'a', more: 'long' })).rejects.toThrow('more: 不能超过3个字符');
    await expect(read(classes, { text: 'long', more: 'a' })).rejects.toThrow('text: 不能超过3个字符');
    expect(await read(new RequestClasses(), { text: 'a', more: 'long' })).toEqual({ text: 'a' });
  });
});
