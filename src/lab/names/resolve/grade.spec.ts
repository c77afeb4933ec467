import { withoutGrade } from './grade';

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
    'x'.repeat(200),
    ' '.repeat(200),
  ])('%j has none', (name) => expect(withoutGrade(name)).toBeUndefined());
});
