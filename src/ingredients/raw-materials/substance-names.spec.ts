import { isBlendName, saysNano, substanceKey, withoutNano } from './substance-names';

describe('A name of several substances', () => {
  it.each([
    'Phenoxyethanol (and) Ethylhexylglycerin',
    'Phenoxyethanol (AND) Ethylhexylglycerin (and) Aqua',
    'Phenoxyethanol（和）Ethylhexylglycerin',
    'Phenoxyethanol and Ethylhexylglycerin',
    'Phenoxyethanol & Ethylhexylglycerin',
    'Phenoxyethanol + Ethylhexylglycerin',
    'Phenoxyethanol; Ethylhexylglycerin',
    'Phenoxyethanol, Ethylhexylglycerin',
    'Phenoxyethanol、Ethylhexylglycerin',
    'Phenoxyethanol / Ethylhexylglycerin',
    'Phenoxyethanol/Ethylhexylglycerin blend',
    'Vitamin Premix',
    '防腐剂复配物',
    'Aqua (and) Parfum',
    'Aqua, Glycerin',
  ])('%s', (name) => expect(isBlendName(name)).toBe(true));

  it.each([
    'Glycerin',
    'Caprylic/Capric Triglyceride',
    'Acrylates/C10-30 Alkyl Acrylate Crosspolymer',
    '1,2-Hexanediol',
    'PEG-8/SMDI Copolymer',
    'Aqua / Water / Eau',
    'Water (Aqua)',
    'Parfum/Fragrance',
    'Sodium C14-16 Olefin Sulfonate',
    'Prunus Amygdalus Dulcis (Sweet Almond) Oil',
    'Candelilla Cera',
    'Andrographis Paniculata Extract',
    'Sand',
    'CI 77891',
    'C12-15 Alkyl Benzoate',
    'Methylchloroisothiazolinone',
    'N,N-Dimethyl-2-Aminoethanol',
  ])('is not %s', (name) => expect(isBlendName(name)).toBe(false));
});

describe('Names are of one substance', () => {
  it.each([
    ['GLYCERIN', ' glycerin '],
    ['PEG-8  Dimethicone', 'PEG‑8 Dimethicone'],
    ['Linalool*', 'Linalool'],
    ['Limonene¹⁾', 'limonene'],
    ['Gly\u00adcerin', 'Glycerin'],
    ['Ｇｌｙｃｅｒｉｎ', 'Glycerin'],
    ['Aqua', 'Water (Aqua)'],
    ['Aqua/Water/Eau', 'WATER'],
    ['Parfum', 'Fragrance'],
    ['Zinc Oxide (nano)', 'Zinc Oxide'],
  ])('%s and %s', (one, other) => expect(substanceKey(one)).toBe(substanceKey(other)));

  it.each([
    ['Propylparaben', 'Isopropylparaben'],
    ['Aqua', 'Maris Aqua'],
    ['Rosa Damascena Flower Water', 'Water'],
    ['CI 77891', 'Titanium Dioxide'],
    ['Parfum', 'Aroma'],
    ['PEG-8', 'PEG-80'],
  ])('but not %s and %s', (one, other) => expect(substanceKey(one)).not.toBe(substanceKey(other)));

  it.each([
    ['Zinc Oxide (Nano form)', 'Zinc Oxide'],
    ['Zinc Oxide (nano) (CI 77947)', 'Zinc Oxide (CI 77947)'],
    ['Zinc Oxide（纳米）', 'Zinc Oxide'],
    ['Nano Zinc Oxide', 'Zinc Oxide'],
    ['nano-Zinc Oxide', 'Zinc Oxide'],
    ['Zinc Oxide, nano', 'Zinc Oxide'],
    ['Zinc Oxide nanoparticles', 'Zinc Oxide'],
    ['纳米氧化锌', '氧化锌'],
  ])('%s is nano', (name, plain) => {
    expect([saysNano(name), withoutNano(name)]).toEqual([true, plain]);
  });

  it.each([
    'Zinc Oxide (non-nano)',
    'Zinc Oxide, non-nano',
    'Zinc Oxide (nano-free)',
    'Nanocarbon',
    'Zinc Oxide',
  ])('%s is not nano', (name) => expect([saysNano(name), withoutNano(name)]).toEqual([false, name]));

  it('nano is told apart, and taken off', () => {
    expect(saysNano('Zinc Oxide [nano]')).toBe(true);
    expect(saysNano('氧化锌（纳米）')).toBe(true);
    expect(saysNano('Nanoclay')).toBe(false);
    expect(withoutNano('Zinc Oxide (nano)')).toBe('Zinc Oxide');
  });
});

describe('Names that look like others', () => {
  it.each([
    'Phenoxyethanol,Ethylhexylglycerin',
    'Glycerin,1,2-Hexanediol',
    'PEG-8,Glycerin',
    'CI 77491/77492',
  ])('%s is a blend', (name) => expect(isBlendName(name)).toBe(true));

  it.each([
    '2-Bromo-2-Nitropropane-1,3-Diol',
    'N,N-Dimethyl-2-Aminoethanol',
    "N,N'-Bis(2-Hydroxyethyl)-2-Nitro-p-Phenylenediamine",
    'FD&C Yellow No. 5',
    'D&C Red No. 7 Calcium Lake',
    'Ext. D & C Violet No. 2',
    'CI 77891 (13463-67-7)',
    'Titanium Dioxide (CI 77891)',
  ])('%s is none', (name) => expect(isBlendName(name)).toBe(false));

  it('a blend of two colours of the United States is one', () => {
    expect(isBlendName('FD&C Red No. 40 & FD&C Blue No. 1')).toBe(true);
  });

  it.each([
    'Deionized Water',
    'Purified Water',
    'Distilled Water',
    'Demineralized Water',
    'Aqua Purificata',
    'Purified Water (Aqua)',
    '去离子水',
    '纯化水',
    '纯水',
  ])('%s is water', (name) => expect(substanceKey(name)).toBe('aqua'));

  it('what is purified, or a floral water, is not', () => {
    expect(substanceKey('Purified')).toBe('purified');
    expect(substanceKey('Purified Parfum')).toBe('purified parfum');
    expect(substanceKey('Distilled Rosa Damascena Flower Water')).not.toBe('aqua');
  });

  it('a CI number is the same however it is written', () => {
    for (const name of ['C.I. 77491', 'CI No. 77491', 'ci77491']) {
      expect(substanceKey(name)).toBe(substanceKey('CI 77491'));
    }
  });
});
