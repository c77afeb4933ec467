import fc from 'fast-check';
import { samples } from '../../../../test/support/random-numbers';
import { JsonScanner } from './json-scanner';
import { jsonValues } from './json-values';

describe('jsonValues', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each<[string, string[]]>([
    ['{"a":1}', ['{"a":1}']],
    ['a {"a":[{}]} b [1, {"c":2}] c', ['{"a":[{}]}', '[1, {"c":2}]']],
    ['{"a":"}]{[\\"{"}', ['{"a":"}]{[\\"{"}']],
    ['{ [see {"a":1} here', ['{"a":1}']],
    ['[["a", {"b":1}, [2] or', ['{"b":1}']],
    ['["a{, {"b":"c"}', ['{"b":"c"}']],
    ['{"a":1,}[1,]', ['{"a":1,}', '[1,]']],
    ['[-1.5e+3,true,false,null,"\\u00e4"]', ['[-1.5e+3,true,false,null,"\\u00e4"]']],
    ['[01] [1.] [tru] [nul] {1:2} {"a"} [,] [1 2] {"a" 1} [1} {]', []],
    // It breaks the grammar where it ends.
    ['{"a": b}', ['{"a": b']],
    ['{"a":}', ['{"a":']],
    ['"{\\"a\\":1}" and "b" and "{x}"', ['"{\\"a\\":1}"']],
  ])('finds in %j', (text, values) => {
    expect(jsonValues(text)).toEqual({ values, isCut: false });
  });

  it.each([
    ['{"a":1', true],
    ['[{"a":1}', true],
    ['{ "a', true],
    ['{}{"a', true],
    ['{x', false],
    [':-[', false],
    ['[1, 2', false],
    ['{"a":1} {x', false],
  ])('of %j it is %p that it is cut', (text, isCut) => {
    expect(jsonValues(text).isCut).toBe(isCut);
  });

  const json = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.array(fc.jsonValue()));

  it('finds every JSON object and array, whatever its texts hold', () => {
    fc.assert(
      fc.property(json, fc.nat(3), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(jsonValues(`Well ] } : ${text} and , so on`).values).toEqual([text]);
      }),
      { numRuns: samples(300) },
    );
  });

  it('finds what is complete, wherever the text before it breaks off', () => {
    const final = '{"final":["x"]}';
    fc.assert(
      fc.property(json, fc.nat(), (value, cut) => {
        const draft = JSON.stringify(value);
        const text = `${draft.slice(0, cut % draft.length)} ... hm.\n\n${final}`;
        expect(jsonValues(text).values.at(-1)).toBe(final);
      }),
      { numRuns: samples(300) },
    );
  });

  it('gives the last twenty', () => {
    const { values } = jsonValues(Array.from({ length: 30 }, (_, at) => `[${at}]`).join(''));
    expect(values).toEqual(Array.from({ length: 20 }, (_, at) => `[${at + 10}]`));
  });

  const SIZE = 100_000;
  it.each([
    '{',
    '[',
    '{"a":',
    '["',
    '["a",',
    '["a" ',
    '[{}',
    '"{',
    '"{\\"',
    '"',
    '\\"[',
    '[1 ',
    '{"a":"b" ',
    '[[[[x',
    '[]{}',
    '["\\"',
  ])('looks at each character of many %j a few times at most', (piece) => {
    const text = piece.repeat(SIZE / piece.length);
    const take = jest.spyOn(JsonScanner.prototype, 'take');
    jsonValues(text);
    expect(take.mock.calls.length).toBeLessThanOrEqual(4 * text.length);
  });

  it('does so of any brackets and quotes', () => {
    const pieces = fc.array(fc.constantFrom('{', '[', '}', ']', '"', ',', ':', '\\', 'x', '1', ' '), {
      maxLength: 300,
    });
    fc.assert(
      fc.property(pieces, (characters) => {
        const take = jest.spyOn(JsonScanner.prototype, 'take');
        take.mockClear();
        jsonValues(characters.join(''));
        expect(take.mock.calls.length).toBeLessThanOrEqual(4 * characters.length);
      }),
      { numRuns: samples(500) },
    );
  });
});
