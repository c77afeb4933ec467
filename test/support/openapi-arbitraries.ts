import type { OpenAPIObject } from '@nestjs/swagger';
import fc from 'fast-check';

/*
 * Requests made from the OpenAPI document: valid ones, ones that are valid but for a change or two, and
 * garbage. A text `@formulas:3` stands for the id of an existing record and is replaced when the request is
 * sent, because which records exist is known only then.
 */

type Schema = Record<string, any>;
type Json = unknown;

export interface Operation {
  /** `POST /api/formulas`, as the document names it. */
  name: string;
  method: string;
  path: string;
  operation: Schema;
}

export const operationsOf = (document: OpenAPIObject): Operation[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Schema).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      operation: operation as Schema,
    })),
  );

/** Which records a field refers to. */
const REFERENCES: Record<string, string> = {
  ingredientId: 'ingredients',
  projectId: 'projects',
  formulaId: 'formulas',
  baseFormulaId: 'formulas',
  toFormula: 'formulas',
  by: 'ingredients',
  ids: 'formulas',
  into: 'ingredients',
};

const placeholder = (collection: string) => fc.nat({ max: 50 }).map((n) => `@${collection}:${n}`);

const TEXTS = [
  '甘油',
  '保湿霜',
  'Glycerin',
  'ümläut ß ſ İı',
  '100%_\\',
  "'; DROP TABLE users; --",
  '👩‍🔬 e\u0301',
  '\u202e\ufeff\u0007',
  '$1 ${x} {{x}}',
  '__proto__',
];

export interface Special {
  /** Turns what the schema allows into what the rules beyond the schema allow too. */
  [field: string]: (value: any) => unknown;
}

/** Values for schemas of the document. */
export class SchemaArbitraries {
  constructor(
    private readonly document: OpenAPIObject,
    private readonly special: Special = {},
  ) {}

  valid(given: Schema, field = ''): fc.Arbitrary<Json> {
    const schema = this.resolve(given);
    const special = this.special[field];
    const value = special ? this.plain(schema, field).map(special) : this.plain(schema, field);
    return schema.nullable ? fc.oneof({ weight: 5, arbitrary: value }, fc.constant(null)) : value;
  }

  private resolve(schema: Schema): Schema {
    const reference: Schema | undefined = schema.$ref ? schema : schema.allOf?.[0];
    if (!reference?.$ref) return schema;
    const name = (reference.$ref as string).split('/').at(-1)!;
    return { ...(this.document.components!.schemas![name] as Schema), nullable: schema.nullable };
  }

  private plain(schema: Schema, field: string): fc.Arbitrary<Json> {
    if (schema.enum) return fc.constantFrom(...(schema.enum as Json[]));
    switch (schema.type) {
      case 'string':
        return this.text(schema, field);
      case 'number':
        return numberIn(schema);
      case 'integer':
        return integerIn(schema);
      case 'boolean':
        return fc.boolean();
      case 'array':
        return fc.array(this.valid(schema.items as Schema, schema.items.format === 'uuid' ? field : ''), {
          minLength: schema.minItems ?? 0,
          maxLength: Math.max(3, schema.minItems ?? 0),
        });
      case 'object':
        if (!schema.properties)
          return fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 4 });
        return fc.record(
          Object.fromEntries(
            Object.entries(schema.properties as Schema).map(([name, property]) => [
              name,
              this.valid(property as Schema, name),
            ]),
          ),
          { requiredKeys: (schema.required ?? []) as string[] },
        );
      default:
        return fc.jsonValue();
    }
  }

  private text(schema: Schema, field: string): fc.Arbitrary<string> {
    const collection = REFERENCES[field];
    if (schema.format === 'uuid') {
      return collection ? fc.oneof({ weight: 12, arbitrary: placeholder(collection) }, fc.uuid()) : fc.uuid();
    }
    if (schema.format === 'date')
      return fc.constantFrom('2026-11-02', '2024-02-29', '0001-01-01', '9999-12-31');
    const min: number = schema.minLength ?? 0;
    const max: number = schema.maxLength ?? 100;
    const long = (text: string) => text.repeat(Math.ceil(min / text.length)).slice(0, Math.max(min, max));
    return fc
      .oneof(
        {
          weight: 4,
          arbitrary: fc.constantFrom(...TEXTS, ...(schema.example ? [String(schema.example)] : [])),
        },
        {
          weight: 3,
          arbitrary: fc.string({ unit: 'grapheme', minLength: min, maxLength: Math.min(max, min + 20) }),
        },
        { weight: 1, arbitrary: fc.constant('长'.repeat(Math.min(max, 5000))) },
      )
      .map((text) =>
        text.trim() === '' && min > 0 ? 'x'.repeat(min) : text.length < min ? long(text || 'x') : text,
      )
      .map((text) => text.replaceAll('\u0000', ''));
  }
}

const within = (schema: Schema) => ({
  min: (schema.minimum as number | undefined) ?? -1e6,
  max: (schema.maximum as number | undefined) ?? 1e6,
});

function numberIn(schema: Schema): fc.Arbitrary<number> {
  const { min, max } = within(schema);
  const exclusive = {
    minExcluded: schema.exclusiveMinimum === true,
    maxExcluded: schema.exclusiveMaximum === true,
  };
  return fc.oneof(
    fc.double({ min, max, noNaN: true, noDefaultInfinity: true, ...exclusive }),
    fc.constantFrom(...[max, ...(exclusive.minExcluded ? [] : [min])]),
    fc.integer({ min: Math.ceil(min) + (exclusive.minExcluded ? 1 : 0), max: Math.floor(max) }),
  );
}

function integerIn(schema: Schema): fc.Arbitrary<number> {
  const { min, max } = within(schema);
  return fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min, max: Math.min(max, min + 30) }) },
    fc.integer({ min, max }),
    fc.constantFrom(min, max),
  );
}

/**
 * Stands for text that goes into the JSON as it is: numbers as JavaScript does not write them, for example.
 */
const raw = (text: string) => `@@${text}@@`;

const GARBAGE: Json[] = [
  null,
  true,
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfff',
  -1,
  0,
  100.5,
  101,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e308,
  5e-324,
  raw('-0'),
  raw('1e400'),
  raw('-1e400'),
  raw('1e-400'),
  raw('0.1000000000000000055511151231257827021181583404541015625'),
  raw('100.00000000000000000000000001'),
  raw('9'.repeat(400)),
  [],
  {},
  [[]],
  [null],
  [{}],
  { $gt: '' },
  { length: 3 },
  { toString: 1, valueOf: null },
  'NaN',
  'true',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  '长'.repeat(3000),
  '2026-01-01T00:00:00.000Z',
  ' 甘油 ',
  '\u200b',
  'http://[::1',
  'javascript:alert(1)',
];

const nested = (depth: number): Json => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as Json;

/** As text: deeper than structuredClone and JSON.stringify can go. */
const TOO_DEEP = raw('['.repeat(20_000) + ']'.repeat(20_000));

const garbage: fc.Arbitrary<Json> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...GARBAGE) },
  { weight: 2, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: fc.constantFrom(nested(60), nested(150), TOO_DEEP) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
);

const KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  'id',
  'extra',
  '\u0000',
  '\ud800',
];

interface Mutation {
  at: number;
  kind: 'replace' | 'remove' | 'add' | 'repeat' | 'wrap';
  key: string;
  value: Json;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat({ max: 1000 }),
  kind: fc.constantFrom<Mutation['kind']>('replace', 'replace', 'replace', 'remove', 'add', 'repeat', 'wrap'),
  key: fc.constantFrom(...KEYS),
  value: garbage,
});

interface Place {
  parent: any;
  key: string | number;
}

function placesIn(root: { body: Json }): Place[] {
  const places: Place[] = [];
  const visit = (parent: any, key: string | number) => {
    places.push({ parent, key });
    const value: unknown = parent[key];
    if (typeof value !== 'object' || value === null) return;
    for (const child of Object.keys(value)) visit(value, Array.isArray(value) ? Number(child) : child);
  };
  visit(root, 'body');
  return places;
}

/** Sets a key as JSON.parse would: `__proto__` becomes a field. */
const setField = (target: object, key: string, value: Json) =>
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });

function mutate(body: Json, mutations: readonly Mutation[]): Json {
  const root = { body: structuredClone(body) };
  for (const { at, kind, key, value: template } of mutations) {
    const value = structuredClone(template);
    const places = placesIn(root);
    const place = places[at % places.length]!;
    const current: unknown = place.parent[place.key];
    switch (kind) {
      case 'replace':
        place.parent[place.key] = value;
        break;
      case 'remove':
        if (place.key !== 'body') delete place.parent[place.key];
        break;
      case 'wrap':
        place.parent[place.key] = [current];
        break;
      case 'repeat':
        if (Array.isArray(place.parent)) place.parent.push(...(Array(20).fill(current) as unknown[]));
        break;
      case 'add':
        if (typeof current === 'object' && current !== null) setField(current, key, value);
        break;
    }
  }
  return root.body;
}

/** JSON as it goes over the wire, with the raw texts in it. */
const jsonText = (body: Json): string =>
  (JSON.stringify(body) ?? 'null').replace(/"@@([^@"]*)@@"/g, (_, text: string) => text);

export interface GeneratedBody {
  content: Buffer;
  headers: Record<string, string>;
}

const json = (body: Json, type = 'application/json'): GeneratedBody => ({
  content: Buffer.from(jsonText(body)),
  headers: { 'Content-Type': type },
});

const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));

/** Bodies that are no JSON object of any kind, or not readable at all. */
const unreadable: fc.Arbitrary<GeneratedBody> = fc.oneof(
  fc.record({
    content: fc.oneof(
      bytes,
      fc.constantFrom(
        Buffer.from(''),
        Buffer.from('null'),
        Buffer.from('[]'),
        Buffer.from('"x"'),
        Buffer.from('1e400'),
        Buffer.from('{"a":'),
        Buffer.from('{"a":1}{"b":2}'),
        Buffer.from('{"name":"a","name":{}}'),
        Buffer.from('\ufeff{}'),
        Buffer.from('{"name":"\\ud800"}'),
        Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
        Buffer.from('{'.repeat(20_000)),
        Buffer.from('['.repeat(100_000)),
        Buffer.from('{"name":"x"}', 'utf16le'),
      ),
    ),
    headers: fc.record({
      'Content-Type': fc.constantFrom(
        'application/json',
        'application/json',
        'application/json; charset=utf-8',
        'application/json; charset=utf-16',
        'application/json; charset=gbk',
        'application/json; charset=',
        'application/vnd.api+json',
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/json, text/plain',
        ';',
        '',
      ),
    }),
  }),
  fc.record({
    content: fc.oneof(bytes, fc.constant(Buffer.from('{}'))),
    headers: fc.record({
      'Content-Type': fc.constant('application/json'),
      'Content-Encoding': fc.constantFrom('gzip', 'br', 'deflate', 'identity', 'zstd', 'x, y', ''),
    }),
  }),
);

/** Larger than the service reads. Sent once in a while only: it is slow to make and to send. */
const oversized = fc.constant(1024 * 1024 + 10).map((length) => json({ text: 'x'.repeat(length) }));

export function bodies(valid: fc.Arbitrary<Json>): fc.Arbitrary<GeneratedBody> {
  const nearlyValid = fc
    .tuple(valid, fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([body, mutations]) => mutate(body, mutations));
  return fc.oneof(
    { weight: 40, arbitrary: valid.map((body) => json(body)) },
    { weight: 40, arbitrary: nearlyValid.map((body) => json(body)) },
    { weight: 8, arbitrary: garbage.map((body) => json(body)) },
    { weight: 12, arbitrary: unreadable },
    { weight: 1, arbitrary: oversized },
  );
}

/** A body where the operation takes none: nearly always none. */
export const unexpectedBodies: fc.Arbitrary<GeneratedBody | undefined> = fc.oneof(
  { weight: 12, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: unreadable },
  { weight: 1, arbitrary: garbage.map((body) => json(body)) },
);

const escapes = fc.constantFrom(
  '%',
  '%00',
  '%ZZ',
  '%E4%BD',
  '%ED%A0%80',
  '%2e%2e',
  '%2F',
  '+',
  '&&',
  '=',
  '#',
  '[',
);

const queryValue = (valid: fc.Arbitrary<Json>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 12, arbitrary: valid.map((value) => encode(String(value))) },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom(
          '',
          ' ',
          '0',
          '-1',
          '1.5',
          '1e3',
          '0x10',
          'NaN',
          'Infinity',
          '99999999999999999999',
          '1,5',
          '٣',
          'null',
          '\u0000',
          '%',
          '\\',
          "'",
          '_',
          '%_%',
          '长'.repeat(300),
        )
        .map(encode),
    },
    { weight: 1, arbitrary: escapes },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }).map(encode) },
  );

/** Percent-encoded; what cannot be encoded (an unpaired surrogate) becomes the bytes nobody can decode. */
const encode = (text: string): string => (text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80');

/** A query string with its question mark, or nothing. */
export function queries(parameters: readonly Schema[], schemas: SchemaArbitraries): fc.Arbitrary<string> {
  const wanted = parameters.filter((parameter) => parameter.in === 'query');
  const one = (parameter: Schema): fc.Arbitrary<string[]> => {
    const name = parameter.name as string;
    const value = queryValue(schemas.valid(parameter.schema as Schema, name));
    const pairs = fc.oneof(
      { weight: 14, arbitrary: value.map((text): string[] => [`${name}=${text}`]) },
      { weight: 1, arbitrary: fc.tuple(value, value).map((texts) => texts.map((text) => `${name}=${text}`)) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom('[]', '[0]', '[a]', '[__proto__]', '.x', '%00'), value)
          .map(([suffix, text]) => [`${name}${suffix}=${text}`]),
      },
      { weight: 1, arbitrary: fc.constant<string[]>([name]) },
    );
    const absent: fc.Arbitrary<string[]> = fc.constant([]);
    return fc.oneof(
      { weight: parameter.required ? 12 : 2, arbitrary: pairs },
      { weight: parameter.required ? 1 : 3, arbitrary: absent },
    );
  };
  const unknown: fc.Arbitrary<string[]> = fc.oneof(
    { weight: 8, arbitrary: fc.constant<string[]>([]) },
    fc
      .constantFrom('x=1', '__proto__[a]=1', 'constructor=1', 'a=%ZZ', '%00=1', 'page[page]=1')
      .map((pair): string[] => [pair]),
  );
  return fc
    .tuple(...wanted.map(one), unknown)
    .map((pairs) => pairs.flat())
    .map((pairs) => (pairs.length > 0 ? `?${pairs.join('&')}` : ''));
}

/** Values for an id in the path of a collection, encoded. */
export const pathIds = (collection: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 10, arbitrary: placeholder(collection) },
    { weight: 1, arbitrary: placeholder(collection).map((id) => `${id}:upper`) },
    { weight: 2, arbitrary: fc.uuid() },
    {
      weight: 2,
      arbitrary: fc.oneof(
        fc.constantFrom(
          '%00',
          '%ZZ',
          '%',
          '%E4%BD',
          '%ED%A0%80',
          '..',
          '.',
          '%2F',
          '%2e%2e%2f',
          '0',
          '-1',
          'null',
          'undefined',
          '*',
          '(.*)',
          'x'.repeat(5000),
          '00000000-0000-0000-0000-000000000000',
          'match',
          'composition',
        ),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).map(encode),
      ),
    },
  );

/** Headers nobody promised to read. */
export const headers: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  fc
    .constantFrom(
      ['Accept', 'text/event-stream'],
      ['Accept', 'application/xml;q=0'],
      ['Accept', ';;;'],
      ['Accept-Language', 'zh\u00ff'],
      ['Accept-Encoding', 'gzip;q=abc'],
      ['Accept-Charset', 'utf-16'],
      ['If-None-Match', '*'],
      ['If-Match', '"x"'],
      ['If-Modified-Since', 'yesterday'],
      ['Range', 'bytes=0-1'],
      ['Origin', 'null'],
      ['X-Forwarded-For', '\u00e9, ,::'],
      ['X-Forwarded-Host', 'evil'],
      ['X-HTTP-Method-Override', 'DELETE'],
      ['X-Request-Id', 'a b\u00ff'.repeat(100)],
      ['Cookie', 'a=%ZZ; b'],
      ['Host', 'x:y:z'],
      ['Expect', 'something'],
      ['X-Long', 'x'.repeat(20_000)],
      ['Upgrade', 'websocket'],
    )
    .map(([name, value]) => ({ [name]: value })),
);
