import { checkedLanguages } from './check-languages';
import { CATALOGUE } from './catalogue';
import type { Language } from './language';
import { inWords, ownText } from './text';

const english: Language = {
  header: 'X-Language',
  value: 'en',
  texts: { 'formula.not-found': 'No such formula', 'field.too-small': 'must not be below {min}' },
};
const checked = (...values: unknown[]) =>
  checkedLanguages(values.map((value, at) => ({ place: `Module${at + 1}`, value })));

describe('the languages of extensions', () => {
  it('are taken, alone and as a list, from wherever they are', () => {
    const french = { ...english, value: 'fr' };
    const german = { ...english, header: 'X-Sprache', texts: {} };
    expect(checked(english, [french, german])).toEqual([english, french, german]);
  });

  it('translate the texts of extensions', () => {
    const own = { ...english, texts: { 'stability.running': 'A test is running' } };
    expect(checked(own)).toEqual([own]);
    const running = ownText('stability.running', '正在测试');
    expect(inWords(running, { ...CATALOGUE, ...own.texts })).toBe('A test is running');
    expect(inWords(running)).toBe('正在测试');
  });

  it('are two where header and value are the same, however they are written', () => {
    const again = { ...english, header: 'x-LANGUAGE', value: 'EN' };
    expect(() => checked(english, again)).toThrow(
      'LANGUAGE x-LANGUAGE: EN is provided in Module1 and Module2: there can be only one.',
    );
    expect(() => checked([english, again])).toThrow('in Module1 and Module1');
  });

  it.each([
    ['Accept-Language', 'is chosen by Accept-Language, which has a meaning already'],
    ['accept-language', 'is chosen by accept-language'],
    ['Authorization', 'is chosen by Authorization'],
    ['X-Request-Id', 'is chosen by X-Request-Id'],
    ['Content-Language', 'is chosen by Content-Language'],
    ['X-Forwarded-For', 'is chosen by X-Forwarded-For'],
    ['If-None-Match', 'is chosen by If-None-Match'],
    ['X-Error-Code', 'is chosen by X-Error-Code'],
    ['', 'must have a header'],
    ['X Language', 'must have a header'],
    ['X-Language\r\nX: y', 'must have a header'],
    [7, 'must have a header'],
  ])('cannot be chosen by %j', (header, why) => {
    expect(() => checked({ ...english, header })).toThrow(`LANGUAGE in Module1 ${why}`);
  });

  it.each(['', 'en us', 'English language', 'e', 7, undefined, ['en', 'fr']])(
    'are not called %j',
    (value) => {
      expect(() => checked({ ...english, value })).toThrow(
        'in Module1 must have a value that is a language tag',
      );
    },
  );

  it.each([
    [{ 'formula.missing': 'x' }, 'has a text for "formula.missing", which is no code of the catalogue'],
    [JSON.parse('{"__proto__":"x"}'), 'has a text for "__proto__"'],
    [{ 'formula.not-found': '' }, 'has no text for formula.not-found'],
    [{ 'formula.not-found': 5 }, 'has no text for formula.not-found'],
    [{ 'formula.not-found': 'no {id}' }, 'names {id} in the text of formula.not-found: it has none'],
    [{ 'field.too-small': '{min} {max}' }, 'names {max} in the text of field.too-small: it has {min}'],
    [undefined, 'must have texts'],
    ['x', 'must have texts'],
  ])('have no texts but those of the catalogue: %j', (texts, why) => {
    expect(() => checked({ ...english, texts })).toThrow(`LANGUAGE in Module1 ${why}`);
  });

  it.each([undefined, null, 5])('are none where %p is', (value) => {
    expect(() => checked(value)).toThrow('LANGUAGE in Module1 must have a header');
  });
});
