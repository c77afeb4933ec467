import { usernameFault } from './credentials.dto';

describe('usernameFault', () => {
  it.each(['lin', '林 工', 'Ada  Lovelace', 'ｌｉｎ', 'u\u0308', '😀', '-', 'ㄱ'])(
    '%j may be a name',
    (name) => {
      expect(usernameFault(name)).toBeUndefined();
    },
  );

  it.each([
    ['control', '\u001b[2J'],
    ['format', 'a\u2066'],
    ['private', '\u{f0000}'],
    ['unpaired', '\ud800'],
    ['unassigned', '\u0378'],
    ['default-ignorable', 'a\u3164'],
    ['empty', 'a\u2800'],
  ])('%s characters are not seen', (_, name) => {
    expect(usernameFault(name)).toBe('unseen characters');
  });

  it('counts characters, of the name and of its form', () => {
    expect(usernameFault('😀'.repeat(200))).toBeUndefined();
    expect(usernameFault('😀'.repeat(201))).toBe('too long');
    // Three characters in the form; shorter there than here the other way round.
    expect(usernameFault('㈱'.repeat(66) + 'ab')).toBeUndefined();
    expect(usernameFault('㈱'.repeat(66) + 'abc')).toBe('too long');
    expect(usernameFault('u\u0308'.repeat(100))).toBeUndefined();
    expect(usernameFault('u\u0308'.repeat(100) + 'x')).toBe('too long');
  });
});
