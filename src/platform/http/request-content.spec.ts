import fc from 'fast-check';
import { samples } from '../../../test/support/random-numbers';
import { faultsText, render } from '../texts/text';
import { contentFault, holdsTooManyValues, MAX_DEPTH, MAX_VALUES } from './request-content';

/** The first fault in words. */
const told = (value: unknown) => render(faultsText([contentFault(value)!]));

const nested = (depth: number): unknown => {
  let value: unknown = 'x';
  for (let level = 0; level < depth; level++) value = [value];
  return value;
};

describe('content of a request', () => {
  it('may be any JSON whose texts and keys hold no NUL', () => {
    const holdsNul = (value: unknown) => {
      let found = false;
      JSON.stringify(value, (key, child: unknown) => {
        found ||= key.includes('\u0000') || (typeof child === 'string' && child.includes('\u0000'));
        return child;
      });
      return found;
    };
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8, stringUnit: 'binary' }), (value) => {
        expect(contentFault(value) !== undefined).toBe(holdsNul(value));
      }),
      { numRuns: samples(100) },
    );
  });

  it.each([
    ['a\u0000', 'body', '不能包含空字符'],
    [{ a: { b: ['', '\u0000'] } }, 'a.b.1', '不能包含空字符'],
    [{ a: { '\u0000': 1 } }, 'a', '不能包含空字符'],
    [{ 'a\ud800': 1 }, 'body', '不是有效的 Unicode 文本'],
    [['ok', '\udfff'], '1', '不是有效的 Unicode 文本'],
    [{ n: [1, Infinity] }, 'n.1', '必须是有限的数字'],
    [JSON.parse('{"n":-1e999}'), 'n', '必须是有限的数字'],
  ])('%j is refused, and where', (value: unknown, field, message) => {
    expect(told(value)).toBe(`${field}: ${message}`);
  });

  it('tells the first fault in reading order', () => {
    expect(contentFault({ a: ['x', { b: '\u0000' }], c: '\ud800' })?.field).toBe('a.1.b');
    expect(contentFault({ c: '\ud800', a: '\u0000' })?.field).toBe('c');
  });

  it('has a deepest level', () => {
    expect(contentFault(nested(MAX_DEPTH))).toBeUndefined();
    expect(told({ list: nested(MAX_DEPTH) })).toBe(`list: 嵌套不能超过${MAX_DEPTH}层`);
    // A recursive walk would not come back from this.
    expect(told(nested(1_000_000))).toMatch(`: 嵌套不能超过${MAX_DEPTH}层`);
  });

  it('has a largest number of values, itself, objects, lists and scalars counted', () => {
    const most = { a: [{ b: null }], c: Array(MAX_VALUES - 5).fill(0) as unknown[] };
    expect(contentFault(most)).toBeUndefined();
    most.c.push(0);
    expect(told(most)).toBe(`body: 不能超过${MAX_VALUES}个值`);
  });

  it('names a fault however long its path, in no more time than it has keys', () => {
    const key = 'k'.repeat(10_000);
    let value: unknown = '\u0000';
    for (let level = 0; level < MAX_DEPTH; level++) value = { [key]: value };
    expect(contentFault(value)?.field).toBe(Array(MAX_DEPTH).fill(key).join('.'));
  });

  it.each([undefined, null, 5, true, '', '😀', {}, []])('%j is fine', (value) => {
    expect(contentFault(value)).toBeUndefined();
  });
});

describe('holdsTooManyValues', () => {
  const list = (values: number, value = '1') => `[${Array(values).fill(value).join()}]`;

  it('knows the border', () => {
    expect(holdsTooManyValues(list(MAX_VALUES))).toBe(false);
    expect(holdsTooManyValues(list(MAX_VALUES + 1))).toBe(true);
    expect(holdsTooManyValues(`{${list(MAX_VALUES, '"a":{}').slice(1, -1)},"b":1}`)).toBe(true);
  });

  it('counts no comma of a text, nor is it misled by what is escaped in one', () => {
    // So long that it is looked at at all.
    const commas = ','.repeat(2 * MAX_VALUES);
    expect(holdsTooManyValues(`["${commas}"]`)).toBe(false);
    expect(holdsTooManyValues(`["\\"${commas}"]`)).toBe(false);
    expect(holdsTooManyValues(`["\\"a\\"b\\"",${commas}]`)).toBe(true);
    expect(holdsTooManyValues(`["\\\\",${list(MAX_VALUES)}]`)).toBe(true);
  });
});
