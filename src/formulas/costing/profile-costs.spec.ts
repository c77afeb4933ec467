import Big from 'big.js';
import fc from 'fast-check';
import { compositionOf } from '../../../test/support/compositions';
import { EMPTY_PROFILE, type Profile } from '../profile/profile.fields';
import { batchSheetOf } from './batch-sheet';
import { formulaCostOf } from './cost';

const NO_RATES = { currency: null, rates: [] };
const RATES = { currency: 'CNY', rates: [{ currency: 'EUR', rate: 8 }] };

const withProfile = (profile: Partial<Profile> | null, ...units: (string | null)[]) => ({
  ...compositionOf(
    (units.length > 0 ? units : ['kg']).map((unit) => ({
      percentage: units.length > 1 ? 50 : 100,
      catalogue: unit === null ? { unitPrice: null } : { unitPrice: 20, unit },
    })),
  ),
  profile: profile && { ...EMPTY_PROFILE, ...profile },
});

const costOf = (profile: Partial<Profile> | null, ...units: (string | null)[]) => {
  const { pack, target, fromProfile } = formulaCostOf(
    withProfile(profile, ...units),
    { batch: 1, unit: 'kg' },
    NO_RATES,
  );
  return { pack, target, fromProfile };
};

const target = (amount: number, per: 'kg' | 'pack' = 'kg', currency = 'CNY') => ({ amount, currency, per });

describe('the cost of a pack', () => {
  it('is that of its mass', () => {
    expect(costOf({ packSize: { amount: 50, unit: 'g' } }).pack).toEqual({
      ...{ amount: 50, unit: 'g', kilograms: 0.05, cost: 1 },
    });
    // 50 mL × 0.96 g/mL = 48 g, and 0.048 kg × 20 = 0.96.
    expect(costOf({ packSize: { amount: 50, unit: 'mL' }, density: 0.96 })).toEqual({
      pack: { amount: 50, unit: 'mL', kilograms: 0.048, cost: 0.96 },
      target: null,
      fromProfile: ['packSize', 'density'],
    });
    expect(costOf({ packSize: { amount: 2, unit: 'L' }, density: 1.5 }).pack).toMatchObject({
      kilograms: 3,
      cost: 60,
    });
    expect(costOf({ packSize: { amount: 2, unit: 'kg' } }).pack).toMatchObject({ kilograms: 2, cost: 40 });
  });

  it('is unknown without a density of a volume, or with an unknown price', () => {
    expect(costOf({ packSize: { amount: 50, unit: 'mL' } }).pack).toMatchObject({
      kilograms: null,
      cost: null,
    });
    expect(costOf({ packSize: { amount: 50, unit: 'g' } }, 'kg', null).pack).toMatchObject({
      kilograms: 0.05,
      cost: null,
    });
    expect(costOf(null)).toEqual({ pack: null, target: null, fromProfile: [] });
    expect(costOf({ density: 1 }).fromProfile).toEqual([]);
  });
});

describe('the target cost', () => {
  it.each([
    [target(20), ['¥/kg'], 'other-currency'],
    [target(20), ['CNY/kg'], 'within'],
    [target(20), ['元/kg'], 'within'],
    [target(19.99), ['CNY/kg'], 'above'],
    [target(20, 'kg', 'EUR'), ['€/kg'], 'within'],
    [target(20, 'kg', 'EUR'), ['CNY/kg'], 'other-currency'],
    [target(1, 'pack'), ['CNY/kg'], 'no-pack-mass'],
    // The known half costs 10 per kg.
    [target(10), ['CNY/kg', null], 'incomplete'],
    [target(9.99), ['CNY/kg', null], 'above'],
  ])('%j with prices per %j is %s', (targetCost, units, result) => {
    expect(costOf({ targetCost }, ...units).target).toEqual({
      ...targetCost,
      result,
      currencyAssumed: false,
    });
  });

  it.each([
    // Prices of 20 CNY, and of 20 EUR, which are 160 CNY.
    ['kg', target(2.5, 'kg', 'EUR'), 'within', ['EUR']],
    ['kg', target(2.49, 'kg', 'EUR'), 'above', ['EUR']],
    ['€/kg', target(160), 'within', ['EUR']],
    ['€/kg', target(159), 'above', ['EUR']],
    ['kg', target(20, 'kg', 'USD'), 'other-currency', []],
  ])('with prices per %s and %j is converted by exchange rates: %s', (unit, targetCost, result, used) => {
    const cost = formulaCostOf(withProfile({ targetCost }, unit), { batch: 1, unit: 'kg' }, RATES);
    expect(cost.target).toEqual({ ...targetCost, result, currencyAssumed: false });
    expect(cost.exchangeRates.map(({ currency }) => currency)).toEqual(used);
  });

  it('of a pack is compared with the cost of the pack', () => {
    const packSize = { amount: 50, unit: 'g' } as const;
    expect(costOf({ packSize, targetCost: target(1, 'pack') }).target!.result).toBe('within');
    expect(costOf({ packSize, targetCost: target(0.99, 'pack') }).target!.result).toBe('above');
  });

  it('is compared with prices that name no currency, and the answer says so', () => {
    expect(costOf({ targetCost: target(20) }, 'kg')).toEqual({
      pack: null,
      target: { ...target(20), result: 'within', currencyAssumed: true },
      fromProfile: ['targetCost'],
    });
  });
});

describe('the packs of a batch', () => {
  const sheetOf = (profile: Partial<Profile> | null, mass: number) =>
    batchSheetOf(withProfile(profile), { mass, unit: 'kg', step: 0.1, stepUnit: 'g' });

  it('are full, and the rest remains', () => {
    // 25 kg ÷ 0.048 kg = 520.83…; 520 × 0.048 = 24.96. 25 ÷ 0.96 = 26.0416666…
    expect(
      sheetOf({ packSize: { amount: 50, unit: 'mL' }, density: 0.96, productType: 'lip' }, 25),
    ).toMatchObject({
      productType: 'lip',
      volume: 26.041667,
      pack: { amount: 50, unit: 'mL', kilograms: 0.048, count: 520, rest: 0.04 },
      fromProfile: ['productType', 'packSize', 'density'],
    });
    expect(sheetOf({ packSize: { amount: 50, unit: 'mL' } }, 25).pack).toMatchObject({
      count: null,
      rest: null,
    });
    expect(sheetOf(null, 25)).toMatchObject({ productType: null, volume: null, pack: null, fromProfile: [] });
  });

  it('and the rest are exactly the batch', () => {
    const decimals = (min: number, max: number, places: number) =>
      fc.integer({ min: min * 10 ** places, max: max * 10 ** places }).map((number) => number / 10 ** places);
    fc.assert(
      fc.property(
        decimals(1, 1000, 4),
        decimals(0.1, 25, 2),
        decimals(0.01, 5000, 2),
        (mass, density, amount) => {
          const { pack } = sheetOf({ density, packSize: { amount, unit: 'mL' } }, mass);
          const size = new Big(amount).times(density).div(1000);
          expect(size.times(pack!.count!).plus(pack!.rest!).eq(mass)).toBe(true);
          expect(size.gt(pack!.rest!)).toBe(true);
        },
      ),
    );
  });
});
