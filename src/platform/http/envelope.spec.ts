import fc from 'fast-check';
import { PreconditionFailedError } from '../common/errors/service-error';
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
    [`W/${TAG}`, false],
    [`W/${TAG}, ${TAG}`, true],
    [`w/${TAG}`, false],
    ['tag-1', false],
    [`x${TAG}`, false],
    [`${TAG}x`, false],
    [`${TAG} "other"`, false],
    [`"open, ${TAG}`, false],
    [`*, ${TAG}`, false],
    ['', false],
    [',', false],
  ])('%j names the tag: %p', (header, isNamed) => expect(isMatched(header, TAG)).toBe(isNamed));

  it('of any text is read to its end', () => {
    fc.assert(fc.property(fc.string(), (header) => expect(typeof isMatched(header, TAG)).toBe('boolean')));
    expect(isMatched(`${'"",'.repeat(5000)}${TAG}`, TAG)).toBe(true);
    expect(isMatched(`${' '.repeat(15_000)}x`, TAG)).toBe(false);
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
