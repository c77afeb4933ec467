import 'reflect-metadata';
import { Type } from 'class-transformer';
import { IsString, ValidateNested } from 'class-validator';
import { ListField, ObjectField, TextField } from './fields';
import { FreeJsonField } from './free-json';
import { ignoredFields, withBrackets } from './request-instance';

class Line {
  @TextField({ max: 3 })
  name!: string;

  @FreeJsonField({ description: 'Any JSON' })
  free?: unknown;
}

class Foreign {
  @IsString()
  text!: string;
}

class Body {
  @TextField({ max: 3 })
  name!: string;

  @ListField({ type: () => Line, maxItems: 2 })
  lines!: Line[];

  @ObjectField({ type: () => Line })
  line!: Line;

  @ValidateNested()
  @Type(() => Foreign)
  foreign!: Foreign;

  @ValidateNested({ each: true })
  @Type((options) => (options?.object ? Foreign : Line))
  either!: object[];
}

const ignored = (given: object) => [...ignoredFields(Body, given)];

describe('ignored fields', () => {
  it('are paths without indexes, each once, in the order sent', () => {
    const lines = [{ name: 'a', note: 1 }, { other: 1, note: 2 }, { name: 'b' }];
    expect(ignored({ z: 1, name: 'a', lines, line: { x: 1 }, y: { deep: 1 } })).toEqual([
      ...['z', 'lines.note', 'lines.other', 'line.x', 'y'],
    ]);
    expect(ignored({ name: 'a', lines: [{ name: 'a' }] })).toEqual([]);
  });

  it('are not looked for in free JSON, in what is no value of its field, and in what may be either', () => {
    expect(ignored({ line: { free: { a: 1 } }, lines: { a: 1 }, either: [{ a: 1 }] })).toEqual(['lines.a']);
    expect(ignored({ line: [[{ a: 1 }]], lines: 'abc', foreign: null, name: { a: 1 } })).toEqual([]);
  });

  it('are not looked for in classes that others’ decorators describe', () => {
    expect(ignored({ foreign: { text: 'a', more: 1 } })).toEqual([]);
  });

  it('are the first ten, and take no meaning from a name', () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index}`, index]));
    expect(ignored({ lines: [many], last: 1 })).toHaveLength(10);
    expect(ignored(JSON.parse('{"__proto__":1,"constructor":2,"line":{"toString":3}}') as object)).toEqual([
      ...['__proto__', 'constructor', 'line.toString'],
    ]);
  });
});

describe('parameters with brackets', () => {
  class Query {
    @TextField({ max: 3 })
    search!: string;

    @TextField({ max: 3 })
    'declared[]'!: string;
  }
  const read = (query: object) => ({ ...withBrackets(Query, query) });

  it.each([
    [{ 'search[]': 'a' }, { search: ['a'] }],
    [{ 'search[0]': 'a', 'search[1]': 'b' }, { search: ['a', 'b'] }],
    [{ 'search[]': ['a', 'b'] }, { search: ['a', 'b'] }],
    [{ 'search[x]': 'a' }, { search: [{ '[x]': ['a'] }] }],
    [{ 'search[': 'a' }, { search: [{ '[': ['a'] }] }],
    [{ search: 'a', 'search[]': 'b' }, { search: ['a', 'b'] }],
    [{ 'search[]': '' }, {}],
    [{ search: 'a', 'search[]': '' }, { search: 'a' }],
    [
      { 'other[]': 'a', '[]': 'b' },
      { 'other[]': 'a', '[]': 'b' },
    ],
    [{ 'declared[]': 'a' }, { 'declared[]': 'a' }],
    [{ search: 'a' }, { search: 'a' }],
  ])('%j are read as %j', (query, expected) => expect(read(query)).toEqual(expected));
});
