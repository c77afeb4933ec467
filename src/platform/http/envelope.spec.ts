import fc from 'fast-check';
import { InvalidInputError, PreconditionFailedError } from '../common/errors/service-error';
import { JsonText } from '../common/json-text';
import { entityTag, isMatched, requireMatch } from './envelope';

const TAG = '"tag-1"';

describe('If-Match', () => {
  it.each([
    [TAG, true],
    ['*', true],
    [' * ', true],
    [`"other", ${TAG}`, true],
    [`"a,b",${TAG},`, true],
    [`, ,${TAG}`, true],
    [`"other","tag-10"`, false],
    [`W/${TAG}`, true],
    [`W/"other", W/${TAG}`, true],
    ['W/"tag-10"', false],
    ['"tag-1-gzip"', true],
    ['W/"tag-1--gzip"', true],
    ['"tag-1;gzip"', true],
    ['"tag-1-br"', true],
    ['"tag-1-"', false],
    ['"tag-1-gzip-gzip"', false],
    ['"tag-1---gzip"', false],
    ['"tag-1gzip"', false],
    ['"tag"', false],
  ])('%j names the tag: %p', (header, isNamed) => expect(isMatched(header, TAG)).toBe(isNamed));

  it.each([
    `w/${TAG}`,
    'tag-1',
    `x${TAG}`,
    `${TAG}x`,
    `${TAG} "other"`,
    `"open, ${TAG}`,
    `*, ${TAG}`,
    String.raw`\"tag-1\"`,
    `${' '.repeat(15_000)}x`,
    '',
    ' ,',
  ])('is refused if it is malformed: %.20s', (header) =>
    expect(() => isMatched(header, TAG)).toThrow(InvalidInputError),
  );

  it('of any text is read to its end', () => {
    const read = (header: string) => {
      try {
        return typeof isMatched(header, TAG);
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidInputError);
        return 'boolean';
      }
    };
    fc.assert(fc.property(fc.string(), (header) => expect(read(header)).toBe('boolean')));
    expect(isMatched(`${'"",'.repeat(5000)}${TAG}`, TAG)).toBe(true);
  });
});

describe('an entity tag', () => {
  it('is of what is shown, strong and short', () => {
    expect(entityTag(new JsonText('{"a":"水"}'))).toMatch(/^"[\w-]{22}"$/);
    expect(entityTag(new JsonText('{"a":1}'))).toBe(entityTag(new JsonText('{"a":1}')));
    expect(entityTag(new JsonText('{"a":1}'))).not.toBe(entityTag(new JsonText('{"a":2}')));
  });

  it('comes with the refusal of a write that was meant for another state', () => {
    const current = new JsonText<{ a: number }>('{"a":1}');
    requireMatch(entityTag(current), current, () => 'never');
    const refused = () => requireMatch(TAG, current, (shown) => `now ${shown.parse().a}`);
    expect(refused).toThrow(PreconditionFailedError);
    expect(refused).toThrow('now 1');
    expect(refused).toThrow(expect.objectContaining({ headers: { ETag: entityTag(current) } }));
  });
});
