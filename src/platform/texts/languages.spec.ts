import type { Response } from 'express';
import { CATALOGUE } from './catalogue';
import { Languages } from './languages';
import { ownText, text } from './text';

const NOT_FOUND = text('formula.not-found');

/** A response to a request with these headers, and what has been said in it. */
function responseTo(headers: Record<string, string>) {
  const said: Record<string, string[]> = {};
  const say = (name: string, value: string) => void (said[name] ??= []).push(value);
  const response = { req: { headers }, setHeader: say, vary: (name: string) => say('Vary', name) };
  return { response: response as unknown as Response, said };
}

function told(languages: Languages, headers: Record<string, string>, what: Parameters<Languages['tell']>[0]) {
  const { response, said } = responseTo(headers);
  return { text: languages.tell(what, response), ...said };
}

describe('the language of an answer', () => {
  const languages = new Languages();
  languages.add([
    { header: 'X-Language', value: 'en', texts: { 'formula.not-found': 'No such formula' } },
    { header: 'X-Language', value: 'de-CH', texts: { 'formula.not-found': 'Keine solche Formel' } },
    { header: 'X-Other', value: 'fr', texts: { 'formula.not-found': 'Aucune' } },
    { header: 'X-Other', value: 'fr-CA', texts: { 'formula.not-found': 'Aucune formule' } },
  ]);
  const Vary = ['X-Language', 'X-Other'];

  it('is the contract’s, and nothing is said of it, without an extension', () => {
    expect(told(new Languages(), { 'x-language': 'en' }, NOT_FOUND)).toEqual({ text: '配方不存在' });
    expect(new Languages().wordsFor(responseTo({ 'x-language': 'en' }).response.req)).toBe(CATALOGUE);
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
    expect(told(languages, headers, NOT_FOUND)).toEqual({ text: words, Vary, 'Content-Language': [tag] });
    expect(languages.wordsFor(responseTo(headers).response.req)['formula.not-found']).toBe(words);
  });

  it.each<Record<string, string>>([
    {},
    { 'x-language': 'xx' },
    { 'x-language': 'en, de' },
    { 'x-language': 'eng' },
    { 'x-language': 'de' },
    { 'accept-language': 'en' },
  ])('is the contract’s for %j, and may be another for others', (headers) => {
    expect(told(languages, headers, NOT_FOUND)).toEqual({ text: '配方不存在', Vary });
  });

  it('is not claimed of what is not translated', () => {
    const headers = { 'x-language': 'en' };
    expect(told(languages, headers, text('project.not-found'))).toEqual({ text: '项目不存在', Vary });
    expect(told(languages, headers, ownText('stability.locked', '锁定'))).toEqual({ text: '锁定', Vary });
    expect(told(languages, headers, '锁定')).toEqual({ text: '锁定', Vary });
  });
});
