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

  it('nano is told apart, and taken off', () => {
    expect(saysNano('Zinc Oxide [nano]')).toBe(true);
    expect(saysNano('氧化锌（纳米）')).toBe(true);
    expect(saysNano('Nanoclay')).toBe(false);
    expect(withoutNano('Zinc Oxide (nano)')).toBe('Zinc Oxide');
  });
});
