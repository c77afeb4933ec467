import { namesIn, withoutNumber } from './names';

const both = (inciName: string, chineseName: string) => ({ inciName, chineseName });
const inci = (name: string) => both(name, '');
const chinese = (name: string) => both('', name);

describe('namesIn', () => {
  it.each([
    ['Glycerin', inci('Glycerin')],
    ['甘油', chinese('甘油')],
    ['甘油 (Glycerin)', both('Glycerin', '甘油')],
    ['甘油 ( Glycerin )', both('Glycerin', '甘油')],
    ['Glycerin(甘油)', both('Glycerin', '甘油')],
    ['Aqua(水)(去离子)', both('Aqua', '水')],
    ['甘油/Glycerin', both('Glycerin', '甘油')],
    ['Glycerin / 甘油', both('Glycerin', '甘油')],
    ['甘油 | Glycerin', both('Glycerin', '甘油')],
    ['甘油 - Glycerin', both('Glycerin', '甘油')],
    ['Glycerin – 甘油', both('Glycerin', '甘油')],
    ['甘油 Glycerin', both('Glycerin', '甘油')],
    ['Sodium PCA 钠盐', both('Sodium PCA', '钠盐')],
    ['氢化 蓖麻油  Hydrogenated   Castor Oil', both('Hydrogenated Castor Oil', '氢化 蓖麻油')],
    ['甘油/丙二醇', chinese('甘油/丙二醇')],
    ['Caprylic/Capric Triglyceride', inci('Caprylic/Capric Triglyceride')],
    ['辛酸/癸酸甘油三酯/Caprylic', both('Caprylic', '辛酸/癸酸甘油三酯')],
  ])('%j gives %j', (text, expected) => {
    expect(namesIn(text)).toMatchObject(expected);
  });

  it.each([
    ['EDTA 二钠', chinese('EDTA 二钠')],
    ['维生素 E', chinese('维生素 E')],
    ['甘油 Ph', chinese('甘油 Ph')],
    ['PEG-40 氢化蓖麻油 Hydrogenated', chinese('PEG-40 氢化蓖麻油 Hydrogenated')],
    ['Water 水 water', chinese('Water 水 water')],
    ['水 aqua', chinese('水 aqua')],
    ['水 Aqua', both('Aqua', '水')],
  ])('%j, with a part that is no name of its own, gives %j', (text, expected) => {
    expect(namesIn(text)).toMatchObject(expected);
  });

  it.each([
    ['1. **Aqua**', inci('Aqua')],
    ['`Aqua`', inci('Aqua')],
    ['Aqua **extra** pure', inci('Aqua extra pure')],
    ['- [x] 甘油:', chinese('甘油')],
    ['• 2) Glycerin …', inci('Glycerin')],
    ['以及甘油', chinese('甘油')],
    ['and Glycerin and', inci('Glycerin')],
    ['Alcohol denat.', inci('Alcohol denat.')],
    ['Glycerin.', inci('Glycerin')],
    ['Prunus  Amygdalus\tOil', inci('Prunus Amygdalus Oil')],
  ])('%j, with marks around it, gives %j', (text, expected) => {
    expect(namesIn(text)).toMatchObject(expected);
  });

  it.each([
    ['Titanium Dioxide (nano)', inci('Titanium Dioxide (nano)')],
    ['二氧化钛 (nano)', chinese('二氧化钛')],
    ['Talc (CI 77718)', inci('Talc (CI 77718)')],
    ['Rosa Water (Aqua)', inci('Rosa Water (Aqua)')],
    ['Glycerin (vegetable) (nano)', inci('Glycerin (vegetable) (nano)')],
    ['Glycerin (nano) (vegetable)', inci('Glycerin (nano)')],
    ['甘油 (premix)', chinese('甘油')],
    ['甘油 (Glycerin!)', chinese('甘油')],
    ['甘油 (-Glycerin)', chinese('甘油')],
    ['甘油 (Tradename)', chinese('甘油')],
    ['甘油 (99)', chinese('甘油')],
    ['Glycerin (甘油!)', inci('Glycerin')],
    ['Glycerin (甘油, 99)', both('Glycerin', '甘油, 99')],
    ['Glycerin (!甘油)', inci('Glycerin')],
    ['(Glycerin)', inci('(Glycerin)')],
    ['- (Glycerin)', inci('(Glycerin)')],
    ['Glycerin (植物) (vegetable)', both('Glycerin', '植物')],
  ])('of %j, what stands in brackets gives %j', (text, expected) => {
    expect(namesIn(text)).toMatchObject(expected);
  });

  it.each([
    ['Glycerin – vegetable', inci('Glycerin')],
    ['甘油 – 植物', chinese('甘油')],
    ['甘油 – - ', chinese('甘油')],
    ['甘油 – premix', chinese('甘油')],
  ])('of %j, what stands behind a dash gives %j', (text, expected) => {
    expect(namesIn(text)).toMatchObject(expected);
  });

  it.each([[''], ['12'], ['12 (34)'], ['5 %'], ['()'], ['— *'], ['1. 2,5']])('%j has no name', (text) => {
    expect(namesIn(text)).toBeUndefined();
  });

  it('reads no prose', () => {
    expect(namesIn('a'.repeat(300))).toMatchObject(inci('a'.repeat(300)));
    expect(namesIn('a'.repeat(301))).toBeUndefined();
  });
});

describe('withoutNumber', () => {
  it.each([
    ['1. Aqua', 'Aqua'],
    ['12) Aqua', 'Aqua'],
    ['(3) Aqua', 'Aqua'],
    ['1、水', '水'],
    ['一、水', '水'],
    ['十二. 水', '水'],
    ['③水', '水'],
    ['a) Aqua', 'Aqua'],
    [' 4: Aqua', 'Aqua'],
    ['1.5 Aqua', '1.5 Aqua'],
    ['1,2-己二醇', '1,2-己二醇'],
    ['2-Phenoxyethanol', '2-Phenoxyethanol'],
    ['1234. Aqua', '1234. Aqua'],
    ['水 1. 5', '水 1. 5'],
  ])('%j is %j', (text, expected) => {
    expect(withoutNumber(text)).toBe(expected);
  });
});
