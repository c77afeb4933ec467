import { CATALOGUE, type TextCode } from './catalogue';
import { checkedLanguages } from './check-languages';
import { ENGLISH, withEnglish } from './english';
import { PLACEHOLDER } from './text';

const placeholders = (text: string) => [...text.matchAll(PLACEHOLDER)].map(([name]) => name).sort();

describe('the English catalogue', () => {
  const { texts } = ENGLISH;

  it('has a text for every code, and no other', () => {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(CATALOGUE).sort());
    expect(checkedLanguages([{ place: 'CommonModule', value: ENGLISH }])).toEqual([ENGLISH]);
  });

  it.each(Object.keys(CATALOGUE) as TextCode[])('says the same values in English: %s', (code) => {
    expect(placeholders(texts[code]!)).toEqual(placeholders(CATALOGUE[code]));
    expect(texts[code]).toMatch(/^[\x20-\x7e]+$/);
  });

  it.each(Object.keys(CATALOGUE).filter((code) => CATALOGUE[code as TextCode] !== '{faults}'))(
    'has words: %s',
    (code) => {
      expect(texts[code]!.replaceAll(PLACEHOLDER, '')).toMatch(/[a-z]{2,} [a-z]{2,}/i);
    },
  );
});

describe('English of extensions', () => {
  const own = { header: 'x-language', value: 'EN', texts: { 'stability.locked': 'It is locked' } };
  const french = { header: 'X-Language', value: 'fr', texts: { 'formula.not-found': 'Aucune formule' } };

  it('joins the service’s', () => {
    const [english, ...others] = withEnglish([french, own]);
    expect(english).toEqual({ ...ENGLISH, texts: { ...ENGLISH.texts, ...own.texts } });
    expect(others).toEqual([french]);
  });

  it('may say a text of the service in other words', () => {
    const [english] = withEnglish([{ ...ENGLISH, texts: { 'formula.not-found': 'Gone' } }]);
    expect(english!.texts).toEqual({ ...ENGLISH.texts, 'formula.not-found': 'Gone' });
  });

  it('is chosen by the same header only', () => {
    const other = { ...own, header: 'X-Other' };
    expect(withEnglish([other])).toEqual([ENGLISH, other]);
  });
});
