import { namesWithin, registryNumberOf } from './name-readings';

describe('namesWithin', () => {
  it.each([
    ['Aqua (Water)', ['Aqua', 'Water'], 'bracket'],
    ['凡士林（白）', ['凡士林', '白'], 'bracket'],
    ['甘油（保湿剂）', ['甘油', '保湿剂'], 'remark'],
    ['Talc (CI 77718)', ['Talc', 'CI 77718'], 'remark'],
    ['WATER/AQUA / EAU', ['WATER', 'AQUA', 'EAU'], 'no'],
    ['Glycerin', [], 'no'],
    ['(Water)', [], 'no'],
    ['Simmondsia Chinensis (Jojoba) Seed Oil', [], 'no'],
    ['1/2/3/4', ['1', '2', '3', '4'], 'no'],
    ['1/2/3/4/5', [], 'no'],
  ])('of %s are %j, the last is a %s', (name, parts, last) =>
    expect(namesWithin(name)).toEqual({ parts, isBracketed: last !== 'no', hasRemark: last === 'remark' }),
  );
});

describe('registryNumberOf', () => {
  it.each([
    ['CAS 56-81-5', '56-81-5'],
    ['CAS No. 56-81-5', '56-81-5'],
    ['cas：56-81-5', '56-81-5'],
    ['CAS号 56-81-5', '56-81-5'],
    ['CAS# 56-81-5', '56-81-5'],
    ['EC 200-289-5', '200-289-5'],
    ['EINECS Nr. 200-289-5', '200-289-5'],
    ['No. 56-81-5', '56-81-5'],
    ['000056-81-5', '56-81-5'],
    ['56 81 5', '56-81-5'],
    ['CAS 0056–81–5*:', '56-81-5'],
    ['200 289 5', '200-289-5'],
    ['CAS', undefined],
    ['Cashew 12', undefined],
    ['1975-09-02', undefined],
    ['12 56-81-5', undefined],
  ])('of %s is %s', (name, number) => expect(registryNumberOf(name)).toBe(number));
});
