import fc from 'fast-check';
import { samples } from '../../../../test/support/random-numbers';
import { JsonScanner, jsonValues, ListReader } from './json';

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

function read(pieces: readonly string[], key = 'options') {
  const reader = new ListReader(key);
  const elements = pieces.flatMap((piece) => reader.push(piece)).map((text) => JSON.parse(text) as unknown);
  return { elements, end: reader.end };
}

const OPTIONS = '{"options":[{"a":1}]}';

describe('ListReader', () => {
  it('gives an element in the piece that completes it, not later', () => {
    const reader = new ListReader('options');
    expect(reader.push('{"options":[{"a":1')).toEqual([]);
    expect(reader.push('},{"a"')).toEqual(['{"a":1}']);
    expect(reader.end).toBeUndefined();
    expect(reader.push(':2}]')).toEqual(['{"a":2}']);
    expect(reader.end).toBeUndefined();
    reader.push('} more');
    expect(reader.end).toBe(29);
  });

  it('reads only the named list, whatever stands before, beside and inside it', () => {
    const text = JSON.stringify({
      other: [{ no: 1 }],
      text: 'options": [{"no": 2}]',
      nested: { options: [{ no: 3 }] },
      options: [{ yes: [{ options: [1] }] }, { yes: '}]{["\\' }],
      after: [{ no: 4 }],
    });
    expect(read([text]).elements).toEqual([{ yes: [{ options: [1] }] }, { yes: '}]{["\\' }]);
  });

  it('takes the bare array', () => {
    expect(read(['[{"a":1},', '{"b":[2]}]'])).toEqual({ elements: [{ a: 1 }, { b: [2] }], end: 19 });
  });

  it.each([
    ` \ufeff\n${OPTIONS}`,
    `<think>I think [1], {x} or {"options":[{"b":1}]}</think>\n${OPTIONS}`,
    `</think>${OPTIONS}`,
    `${OPTIONS} {"options":[{"b":1}]}`,
  ])('gives what begins the answer, and nothing behind it: %j', (text) => {
    expect(read([text]).elements).toEqual([{ a: 1 }]);
    expect(read(text.split('')).elements).toEqual([{ a: 1 }]);
  });

  it.each([
    `\`\`\`json\n${OPTIONS}\n\`\`\``,
    `Sure, [options]: {x}\n${OPTIONS}`,
    `<draft>${OPTIONS}`,
    `{x}${OPTIONS}`,
    `[1]${OPTIONS}`,
    `{}${OPTIONS}`,
    `${'x'.repeat(200)}${OPTIONS}`,
    `{"options":[{"a":b},{"a":1}]}`,
  ])('gives none where another one may follow, or it is no JSON: %j', (text) => {
    expect(read([text])).toEqual({ elements: [], end: undefined });
  });

  it('leaves out what is no JSON once an element has been given', () => {
    const reader = new ListReader('options');
    expect(reader.push('{"options":[{"a":1},{"a":b c},{"a":2},]}')).toEqual([
      '{"a":1}',
      '{"a":b c}',
      '{"a":2}',
    ]);
    expect(reader.end).toBe(40);
  });

  it('takes no list inside an object of that name', () => {
    expect(read(['{"options":{"x":[1],"y":{"b":1}}}']).elements).toEqual([]);
  });

  it('gives nothing for a list of plain values or a missing list', () => {
    const texts = ['{"options":[1,"2",null]}', '{"variants":[{"a":1}]}', '{"options":{"x":[]}}', 'no JSON'];
    for (const text of texts) expect(read([text])).toEqual({ elements: [], end: undefined });
  });

  it('gives the same elements however the text is cut into pieces', () => {
    const elements = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1, maxLength: 5 });
    const extras = fc.dictionary(
      fc.string().filter((key) => key !== 'options' && key !== '__proto__'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(elements, extras, fc.array(fc.nat(30), { minLength: 1 }), (options, others, sizes) => {
        const text = JSON.stringify({ ...others, options });
        const pieces: string[] = [];
        for (let at = 0, turn = 0; at < text.length; turn++) {
          const size = (sizes[turn % sizes.length] ?? 0) + 1;
          pieces.push(text.slice(at, at + size));
          at += size;
        }
        expect(read(pieces)).toEqual({ elements: JSON.parse(JSON.stringify(options)), end: text.length });
      }),
      { numRuns: samples(300) },
    );
  });
});
