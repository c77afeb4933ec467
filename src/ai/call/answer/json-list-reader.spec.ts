import fc from 'fast-check';
import { samples } from '../../../../test/support/random-numbers';
import { JsonListReader } from './json-list-reader';

function read(pieces: readonly string[], key = 'options') {
  const reader = new JsonListReader(key);
  const elements = pieces.flatMap((piece) => reader.push(piece)).map((text) => JSON.parse(text) as unknown);
  return { elements, complete: reader.complete };
}

describe('JsonListReader', () => {
  it('gives an element in the piece that completes it, not later', () => {
    const reader = new JsonListReader('options');
    expect(reader.push('{"options":[{"a":1')).toEqual([]);
    expect(reader.push('},{"a"')).toEqual(['{"a":1}']);
    expect(reader.complete).toBe(false);
    expect(reader.push(':2}]')).toEqual(['{"a":2}']);
    expect(reader.complete).toBe(false);
    reader.push('}');
    expect(reader.complete).toBe(true);
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
    expect(read(['[{"a":1},', '{"b":[2]}]'])).toEqual({ elements: [{ a: 1 }, { b: [2] }], complete: true });
  });

  it('skips what stands before the root and ignores what comes after', () => {
    expect(read(['```json\n{"options": [{"a": 1}]}\n``` {"options":[{"b":1}]}']).elements).toEqual([
      { a: 1 },
    ]);
  });

  it('is not misled by quotes and brackets before the root', () => {
    expect(read(['So "it: is} ] here: {"options":[{"a":1}]}']).elements).toEqual([{ a: 1 }]);
  });

  it('takes no list inside an object of that name', () => {
    expect(read(['{"options":{"x":[1],"y":{"b":1}}}']).elements).toEqual([]);
  });

  it('gives nothing for a list of plain values or a missing list', () => {
    expect(read(['{"options":[1,"2",null]}'])).toEqual({ elements: [], complete: true });
    expect(read(['{"variants":[{"a":1}]}'])).toEqual({ elements: [], complete: true });
    expect(read(['{"options":{"x":[],"y":{"a":1}}}'])).toEqual({ elements: [], complete: true });
    expect(read(['no JSON at all'])).toEqual({ elements: [], complete: false });
  });

  it('is not complete while the root is open', () => {
    expect(read(['{"options":[{"a":1}]'])).toEqual({ elements: [{ a: 1 }], complete: false });
  });

  it('gives the same elements however the text is cut into pieces', () => {
    const elements = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 5 });
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
        expect(read(pieces)).toEqual({ elements: JSON.parse(JSON.stringify(options)), complete: true });
      }),
      { numRuns: samples(300) },
    );
  });
});
