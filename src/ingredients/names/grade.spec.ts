import { strengthIn, withoutGrade } from './grade';

describe('withoutGrade', () => {
  it.each([
    ['甘油(99%)', '甘油', '99%', false],
    ['甘油（９９．５％）', '甘油', '99.5%', false],
    ['甘油 99%', '甘油', '99%', false],
    ['甘油99%', '甘油', '99%', false],
    ['Glycerin, ≥99.7 %', 'Glycerin', '≥99.7 %', false],
    ['氢氧化钠 10%', '氢氧化钠', '10%', true],
    ['SLES 70%', 'SLES', '70%', true],
    ['Niacinamide 97.9%', 'Niacinamide', '97.9%', true],
    ['甘油(95-99%)', '甘油', '95-99%', true],
    ['甘油 12,5%', '甘油', '12,5%', true],
    ['Glycerin (99.5%, USP)', 'Glycerin', '99.5%, USP', false],
    ['Citric acid (50% solution)', 'Citric acid', '50% solution', true],
    ['NaOH 10% solution', 'NaOH', '10% solution', true],
    ['10% NaOH溶液', 'NaOH', '10% 溶液', true],
    ['10%氢氧化钠', '氢氧化钠', '10%', true],
    ['NaOH(aq.)', 'NaOH', 'aq.', true],
    ['NaOH (1 N)', 'NaOH', '1 N', true],
    ['Sodium Hydroxide, 50 % w/w', 'Sodium Hydroxide', '50 % w/w', true],
    ['Decyl Glucoside (50 % active)', 'Decyl Glucoside', '50 % active', true],
    ['氢氧化钠溶液', '氢氧化钠', '溶液', true],
    ['汉生胶（1%水溶液）', '汉生胶', '1%水溶液', true],
    ['卡波940(2%预溶液)', '卡波940', '2%预溶液', true],
    ['Xanthan Gum (dispersion)', 'Xanthan Gum', 'dispersion', true],
    ['单甘酯(自乳化)', '单甘酯', '自乳化', true],
    ['GMS SE', 'GMS', 'SE', true],
    ['Tocopherol (Acetate)', 'Tocopherol', 'Acetate', true],
    ['维生素C(磷酸酯)', '维生素C', '磷酸酯', true],
    ['甘油USP', '甘油', 'USP', false],
    ['甘油(食品级)', '甘油', '食品级', false],
    ['Zinc Oxide - cosmetic grade', 'Zinc Oxide', 'cosmetic grade', false],
  ])('%s is %s with the grade %s', (written, name, grade, isStrength) =>
    expect(withoutGrade(written)).toEqual({ name, grade, isStrength }),
  );

  it.each([
    '甘油',
    '99%',
    '(99%)',
    'USP',
    'PEG-8',
    'Step',
    'Polysorbate 20',
    '12,5%',
    'Aqua (Water)',
    '溶液',
    'Glyceryl Stearate se',
    'Poly(1,2-Butanediol)-15',
    'x'.repeat(200),
    ' '.repeat(200),
  ])('%j has none', (name) => expect(withoutGrade(name)).toBeUndefined());
});

describe('strengthIn', () => {
  it.each([
    ['10 %', '10 %'],
    ['slowly;1%水溶液', '1%水溶液'],
    ['20%;调pH至6.0', '20%'],
    ['２８％', '28%'],
    ['aq.', 'aq.'],
    ['Acetate', 'Acetate'],
    ['SE', 'SE'],
    ['99.5%', undefined],
    ['45°C以下加入', undefined],
    ['先用甘油分散均匀', undefined],
    ['dissolve in water', undefined],
    ['trade name: Carbopol 940', undefined],
    ['', undefined],
  ])('of %j is %s', (remarks, strength) => expect(strengthIn(remarks)).toBe(strength));
});
