import Big from 'big.js';
import { inShort, limit, material, screened } from '../../../test/support/screenings';
import factors from './salt-factors.json';

/** Standard atomic weights of IUPAC, abridged. */
const WEIGHTS: Readonly<Record<string, string>> = {
  ...{ H: '1.008', C: '12.011', N: '14.007', O: '15.999', F: '18.998', Na: '22.990', P: '30.974' },
  ...{ S: '32.06', Cl: '35.45', K: '39.098', Ca: '40.078', Zn: '65.38' },
};

const atomsOf = (formula: string) =>
  [...formula.matchAll(/([A-Z][a-z]?)(\d*)/g)].map(([, element, count]) => [element!, count || 1] as const);
const molarMass = (formula: string) =>
  atomsOf(formula).reduce(
    (sum, [element, count]) => sum.plus(new Big(WEIGHTS[element]!).times(count)),
    new Big(0),
  );

it.each(factors)('$substance is $factor of $basis', ({ formula, basisFormula, count, factor }) => {
  const ratio = molarMass(basisFormula).times(count).div(molarMass(formula));
  expect(ratio.round(5).toFixed(5)).toBe(Number(factor).toFixed(5));
  expect(ratio.lte(1)).toBe(true);
});

const amountIn = async (name: string, overrides: Parameters<typeof limit>[0]) => {
  const row = limit({ inciNames: [name], limitPercent: '0.5', ...overrides });
  const { findings } = await screened([material(name, 0.5)], [row]);
  return findings.map(({ result, amount, notes }) => [result, amount?.toFixed(), ...notes]);
};

it('counts a salt by the shipped factor, and says so', async () => {
  expect(await amountIn('Sodium Benzoate', { basis: 'acid' })).toEqual([
    ['not-above-limit', '0.42373', 'shipped-factor'],
  ]);
  expect(await amountIn('Sodium Benzoate', { basis: 'benzoic acid' })).toEqual([
    ['not-above-limit', '0.42373', 'shipped-factor'],
  ]);
  expect(await amountIn('Hydrogen Peroxide', { basis: 'H2O2 present or released' })).toEqual([
    ['not-above-limit', '0.5', 'shipped-factor'],
  ]);
});

it('prefers the factor of the edition, and knows no factor for another basis', async () => {
  expect(await amountIn('Sodium Benzoate', { basis: 'acid', factor: '0.5' })).toEqual([
    ['not-above-limit', '0.25', 'factor-of-table'],
  ]);
  expect(await amountIn('Sodium Benzoate', { basis: 'sorbic acid' })).toEqual([
    ['cannot-be-judged', '0.5', 'not-converted'],
  ]);
});

it('cannot judge a spray whose condition is about inhalation', async () => {
  const row = limit({
    inciNames: ['ZINC OXIDE'],
    limitPercent: '25',
    conditions: 'not where the lungs may be exposed by inhalation',
  });
  const of = async (productType: 'sunscreen-spray' | 'sunscreen-face') =>
    (await screened([material('Zinc Oxide', 5)], [row], { productType })).findings.map(inShort);
  expect(await of('sunscreen-spray')).toEqual(['cannot-be-judged (conditions) III/1 Zinc Oxide 5']);
  expect(await of('sunscreen-face')).toEqual(['not-above-limit III/1 Zinc Oxide 5']);
});
