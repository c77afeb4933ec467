import { InvalidInputError } from '../common/errors/service-error';
import { setLanguages } from './languages';
import { faultOf, faultsText, render, isErrorCode, ownText, shortened, text } from './text';

const faults = (count: number) => Array.from({ length: count }, (_, n) => `f${n}`);

const texts = { 'field.too-small': 'below {min}', 'validation.more-faults': '{total} in all' };
beforeAll(() => setLanguages([{ place: 'Module', value: { header: 'X-Language', value: 'en', texts } }]));

describe('a text in words', () => {
  it('is the contract’s unless a language is given', () => {
    expect(render(text('formula.not-found'))).toBe('配方不存在');
    expect(render(text('field.too-small', { min: 3 }))).toBe('不能小于3');
    expect(render(text('field.too-small', { min: 3 }), 'en')).toBe('below 3');
  });

  it('takes values as they are, whatever is in them', () => {
    expect(render(text('field.none-of', { values: '{values} $1 $&' }))).toBe(
      '必须是以下值之一: {values} $1 $&',
    );
  });

  it('is as it is where it is in words already', () => {
    expect(render('{min}', 'en')).toBe('{min}');
    expect(render(ownText('stability.locked', '{min}'), 'en')).toBe('{min}');
  });

  it('names the field of a fault, in any language', () => {
    expect(render(faultOf('a.0', text('field.too-small', { min: 3 })), 'en')).toBe('a.0: below 3');
    expect(render(faultOf('a.0', '没有'), 'en')).toBe('a.0: 没有');
  });
});

describe('faults in one text', () => {
  it('are all named up to 20', () => {
    expect(render(faultsText(['a: 一', 'b: 二']))).toBe('a: 一; b: 二');
    expect(render(faultsText(faults(20)))).toBe(faults(20).join('; '));
  });

  it('are the first 20 of more, and how many there are', () => {
    expect(render(faultsText(faults(21)))).toBe(`${faults(20).join('; ')}; 共21处错误`);
    expect(render(faultsText(faults(21)), 'en')).toBe(`${faults(20).join('; ')}; 21 in all`);
  });
});

describe('the code of an extension’s text', () => {
  it.each(['stability.locked', 'acme-lab.batch.not-found-2'])('may be %s', (code) => {
    expect(ownText(code, 'x')).toEqual({ code, text: 'x' });
  });

  it.each([
    '',
    'locked',
    'Stability.locked',
    'stability.',
    'stability locked',
    'a.b\r\nX: y',
    `a.${'b'.repeat(79)}`,
  ])('is not %j', (code) => {
    expect(isErrorCode(code)).toBe(false);
    expect(() => ownText(code, 'x')).toThrow('is no error code');
  });

  it.each(['formula.locked', 'error.404', 'field.x'])('does not begin as ours: %s', (code) => {
    expect(() => ownText(code, 'x')).toThrow(`The error code ${code} begins as one of the service's`);
  });
});

describe('shortened', () => {
  it('cuts only what is too long, to exactly what it may be', () => {
    expect(shortened('abcd', 4)).toBe('abcd');
    expect(shortened('abcde', 4)).toBe('abc…');
  });

  it('cuts no character in two', () => {
    expect(shortened('ab😀😀', 4)).toBe('ab…');
    expect(shortened('a😀😀', 4)).toBe('a😀…');
  });
});

describe('an error of many faults', () => {
  it('names 20 and their number', () => {
    const given = faults(21).map((field) => ({ field, message: 'x' }));
    expect(InvalidInputError.of(given).message).toMatch(/^f0: x; f1: x; .*; f19: x; 共21处错误$/);
  });

  it('keeps each of them, and their number, however long paths and messages are', () => {
    const given = Array(100).fill({ field: 'f'.repeat(1000), message: 'm'.repeat(1000) });
    const told = InvalidInputError.of(given).message.split('; ');
    expect(told).toHaveLength(21);
    expect(told[0]).toBe(`${'f'.repeat(199)}…: ${'m'.repeat(249)}…`);
    expect(told[20]).toBe('共100处错误');
  });
});
