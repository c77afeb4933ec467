import { readLenientJson } from './lenient-json';

describe('readLenientJson', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['  [1,2]\n', [1, 2]],
    ['```json\n{"a":1}\n```', { a: 1 }],
    ['```\n[{"a":1}]\n```', [{ a: 1 }]],
    ['Here it is:\n{"a":[1]}\nGood luck!', { a: [1] }],
    ['The list: [{"a":1},{"b":2}] as asked', [{ a: 1 }, { b: 2 }]],
    ['The list: [{"a":1}] as asked', [{ a: 1 }]],
    ['Objects like {"a":[]} only', { a: [] }],
    ['null', null],
    ['In place of {x}: ```JavaScript\n{"a":1}\n```', { a: 1 }],
    ['\ufeffnull\u00a0', null],
    ['```json\n5\n```', 5],
    ['Sure: ```{"a":1}``` and ```{"b":1}```', { a: 1 }],
    ['```json   \n\n  [1]  ``` done', [1]],
  ])('reads %j', (text, value) => {
    expect(readLenientJson(text)).toEqual(value);
  });

  it.each(['', '   ', 'no', '{"a":', '[1,', '``` ```'])('finds nothing in %j', (text) => {
    expect(readLenientJson(text)).toBeUndefined();
  });
});
