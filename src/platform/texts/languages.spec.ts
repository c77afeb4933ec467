import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import { currentLanguage, isEnglish, type Language, languageOf, renderFor, setLanguages } from './languages';
import { ownText, render, type Text, text } from './text';

const NOT_FOUND = text('formula.not-found');

const requestOf = (headers: Record<string, string>) => ({ headers }) as unknown as IncomingMessage;

/** The answer to a request with these headers: its text and the headers that are set. */
function answer(headers: Record<string, string>, message: Text) {
  const set: Record<string, string[]> = {};
  const setHeader = (name: string, value: string) => void (set[name] ??= []).push(value);
  const vary = (name: string) => set.Vary?.includes(name) || setHeader('Vary', name);
  const response = { req: requestOf(headers), setHeader, vary } as unknown as Response;
  return { text: renderFor(response, message), ...set };
}

const set = (...values: unknown[]) =>
  setLanguages(values.map((value, at) => ({ place: `Module${at + 1}`, value })));

afterEach(() => setLanguages([]));

describe('the language of an answer', () => {
  beforeEach(() =>
    set(
      [
        { header: 'X-Language', value: 'en', texts: { 'formula.not-found': 'No such formula' } },
        { header: 'X-Language', value: 'de-CH', texts: { 'formula.not-found': 'Keine solche Formel' } },
      ],
      { header: 'X-Other', value: 'fr', texts: { 'formula.not-found': 'Aucune' } },
      { header: 'X-Other', value: 'fr-CA', texts: { 'formula.not-found': 'Aucune formule' } },
    ),
  );
  const Vary = ['X-Language', 'X-Other'];

  it('is Chinese or English without extensions', () => {
    setLanguages([]);
    expect(answer({}, NOT_FOUND)).toEqual({ text: '配方不存在', Vary: ['X-Language'] });
    expect(answer({ 'x-language': 'en' }, NOT_FOUND)).toEqual({
      text: 'The formula does not exist',
      Vary: ['X-Language'],
      'Content-Language': ['en'],
    });
  });

  it.each([
    [{ 'x-language': 'en' }, 'No such formula', 'en'],
    [{ 'x-language': ' EN ' }, 'No such formula', 'en'],
    [{ 'x-language': 'en-US' }, 'No such formula', 'en'],
    [{ 'x-other': 'FR-be' }, 'Aucune', 'fr'],
    [{ 'x-other': 'fr-ca' }, 'Aucune formule', 'fr-CA'],
    [{ 'x-language': 'de-ch' }, 'Keine solche Formel', 'de-CH'],
    [{ 'x-other': 'fr' }, 'Aucune', 'fr'],
    [{ 'x-other': 'en', 'x-language': 'en' }, 'No such formula', 'en'],
  ] as [Record<string, string>, string, string][])('is what %j asks for', (headers, words, tag) => {
    expect(answer(headers, NOT_FOUND)).toEqual({ text: words, Vary, 'Content-Language': [tag] });
    expect(render(NOT_FOUND, languageOf(requestOf(headers)))).toBe(words);
  });

  it.each<Record<string, string>>([
    {},
    { 'x-language': 'xx' },
    { 'x-language': 'en, de' },
    { 'x-language': 'eng' },
    { 'x-language': 'de' },
    { 'accept-language': 'en' },
  ])('is the contract’s for %j, and may be another for others', (headers) => {
    expect(answer(headers, NOT_FOUND)).toEqual({ text: '配方不存在', Vary });
  });

  it('is not claimed of what is not translated', () => {
    const headers = { 'x-other': 'fr' };
    expect(answer(headers, text('project.not-found'))).toEqual({ text: '项目不存在', Vary });
    expect(answer(headers, ownText('stability.locked', '锁定'))).toEqual({ text: '锁定', Vary });
    expect(answer(headers, '锁定')).toEqual({ text: '锁定', Vary });
  });

  it('is English for commands', () => {
    expect([currentLanguage(), isEnglish()]).toEqual(['en', true]);
  });
});

describe('English of extensions', () => {
  it('rewords a text of the service and translates those of extensions; the others stay', () => {
    const texts = { 'formula.not-found': 'Gone', 'stability.locked': 'It is locked' };
    set({ header: 'x-language', value: 'EN', texts });
    expect(render(NOT_FOUND, 'en')).toBe('Gone');
    expect(render(ownText('stability.locked', '锁定'), 'en')).toBe('It is locked');
    expect(render(text('project.not-found'), 'en')).toBe('The project does not exist');
    expect(render(NOT_FOUND)).toBe('配方不存在');
  });

  it('of another header is another language, which falls back to English', () => {
    set({ header: 'X-Other', value: 'en', texts: { 'formula.not-found': 'Gone' } });
    const language = languageOf(requestOf({ 'x-other': 'en' }));
    expect(render(NOT_FOUND, language)).toBe('Gone');
    expect(render(text('project.not-found'), language)).toBe('The project does not exist');
    expect(render(NOT_FOUND, 'en')).toBe('The formula does not exist');
  });
});

describe('the languages of extensions', () => {
  const english: Language = {
    header: 'X-Language',
    value: 'en',
    texts: { 'formula.not-found': 'No such formula', 'field.too-small': 'must not be below {min}' },
  };

  it('are two where header and value are the same, however they are written', () => {
    const again = { ...english, header: 'x-LANGUAGE', value: 'EN' };
    expect(() => set(english, again)).toThrow(
      'LANGUAGE x-LANGUAGE: EN is provided in Module1 and Module2: there can be only one.',
    );
    expect(() => set([english, again])).toThrow('in Module1 and Module1');
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
    expect(() => set({ ...english, header })).toThrow(`LANGUAGE in Module1 ${why}`);
  });

  it.each(['', 'en us', 'English language', 'e', 7, undefined, ['en', 'fr']])(
    'are not called %j',
    (value) => {
      expect(() => set({ ...english, value })).toThrow('in Module1 must have a value that is a language tag');
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
    expect(() => set({ ...english, texts })).toThrow(`LANGUAGE in Module1 ${why}`);
  });

  it.each([undefined, null, 5])('are none where %p is', (value) => {
    expect(() => set(value)).toThrow('LANGUAGE in Module1 must have a header');
  });
});
