import { namesWithin, withoutRegister } from './name-readings';

describe('namesWithin', () => {
  it.each([
    ['Aqua (Water)', ['Aqua', 'Water'], true],
    ['凡士林（白）', ['凡士林', '白'], true],
    ['WATER/AQUA / EAU', ['WATER', 'AQUA', 'EAU'], false],
    ['Glycerin', [], false],
    ['(Water)', [], false],
    ['Simmondsia Chinensis (Jojoba) Seed Oil', [], false],
    ['1/2/3/4/5', [], false],
  ])('of %s are %j', (name, parts, isBracketed) => expect(namesWithin(name)).toEqual({ parts, isBracketed }));
});

describe('withoutRegister', () => {
  it.each([
    ['CAS 56-81-5', '56-81-5'],
    ['CAS No. 56-81-5', '56-81-5'],
    ['cas：56-81-5', '56-81-5'],
    ['CAS号 56-81-5', '56-81-5'],
    ['CAS# 56-81-5', '56-81-5'],
    ['EC 200-289-5', '200-289-5'],
    ['EINECS Nr. 200-289-5', '200-289-5'],
    ['No. 56-81-5', '56-81-5'],
    ['CAS', 'CAS'],
    ['Cashew 12', 'Cashew 12'],
  ])('of %s is %s', (name, number) => expect(withoutRegister(name)).toBe(number));
});
