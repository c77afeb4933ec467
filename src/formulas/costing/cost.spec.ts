import { compositionOf } from '../../../test/support/compositions';
import { linesOf } from '../composition/composition';
import { EMPTY_PROFILE } from '../profile/profile.fields';
import { costChangeOf, formulaCostOf } from './cost';

const NO_RATES = { currency: null, rates: [] };
const RATES = {
  currency: 'CNY',
  rates: [
    { currency: 'EUR', rate: 7.85 },
    { currency: 'USD', rate: 7.1 },
  ],
};

const COMPLETE = compositionOf(
  [
    { percentage: 72.5, catalogue: { unitPrice: 2 } },
    { percentage: 5, catalogue: { unitPrice: 0.0125, unit: 'g' } },
  ],
  [{ percentage: 22.2, catalogue: { unitPrice: 8000, unit: 't' } }],
);

describe('prices in several currencies', () => {
  const priced = (...units: string[]) =>
    formulaCostOf(
      compositionOf(units.map((unit) => ({ percentage: 10, catalogue: { unitPrice: 2, unit } }))),
      {
        batch: 1,
        unit: 'kg',
      },
      NO_RATES,
    );

  it('are not added: those of most lines count', () => {
    const cost = priced('€/kg', 'EUR/kg', '$/kg');
    expect(cost).toMatchObject({ costPerKg: null, knownCostPerKg: 0.4 });
    expect(cost.unpriced).toMatchObject([{ reason: 'other-currency' }]);
  });

  it('are not added to a price without a currency', () => {
    expect(priced('kg', 'kg', '€/kg').unpriced).toMatchObject([{ reason: 'other-currency' }]);
  });

  it('are added if all of them are in one', () => {
    expect(priced('€/kg', '€/kg')).toMatchObject({ costPerKg: 0.4, unpriced: [] });
  });
});

describe('formulaCostOf', () => {
  it('sums line, phase and formula exactly, per kg and per batch', () => {
    const cost = formulaCostOf(COMPLETE, { batch: 500, unit: 'g' }, NO_RATES);
    // .725 × 2 + .05 × 12.5 + .222 × 8
    expect(cost).toMatchObject({
      costPerKg: 3.851,
      knownCostPerKg: 3.851,
      cost: 1.9255,
      knownCost: 1.9255,
      pricedPercentage: 99.7,
      totalPercentage: 99.7,
      batch: 500,
      unit: 'g',
      unpriced: [],
    });
    expect(cost.phases).toMatchObject([
      {
        percentage: 77.5,
        costPerKg: 2.075,
        cost: 1.0375,
        ingredients: [
          { unitPrice: 2, priceUnit: 'kg', costPerKg: 1.45, cost: 0.725, reason: null },
          { unitPrice: 0.0125, priceUnit: 'g', costPerKg: 0.625, cost: 0.3125, reason: null },
        ],
      },
      { percentage: 22.2, costPerKg: 1.776, cost: 0.888 },
    ]);
  });

  it('knows no cost where a line has no usable price, and lists it; a price of zero is known', () => {
    const composition = compositionOf(
      [{ percentage: 60, catalogue: { unitPrice: 0 } }],
      [
        { percentage: 20, catalogue: { unitPrice: null } },
        { percentage: 10, catalogue: null },
        { percentage: 5, catalogue: { unitPrice: 3, unit: 'L' } },
        { percentage: 5, catalogue: { unitPrice: 3, unit: '瓶' } },
      ],
    );
    const cost = formulaCostOf(composition, { batch: 1, unit: 'kg' }, NO_RATES);
    expect(cost).toMatchObject({
      costPerKg: null,
      cost: null,
      knownCostPerKg: 0,
      knownCost: 0,
      pricedPercentage: 60,
    });
    const [, ...unpriced] = linesOf(composition);
    expect(cost.unpriced).toEqual(
      unpriced.map(({ id, ingredientId, ingredient, percentage }, at) => ({
        id,
        ingredientId,
        ingredient,
        percentage,
        reason: ['no-price', 'hidden', 'volume', 'unknown-unit'][at],
      })),
    );
    expect(cost.phases.map(({ costPerKg, pricedPercentage }) => [costPerKg, pricedPercentage])).toEqual([
      [0, 60],
      [null, 0],
    ]);
    expect(cost.phases[1]!.ingredients[1]).toMatchObject({
      unitPrice: null,
      priceUnit: null,
      costPerKg: null,
      cost: null,
    });
  });

  it('rounds half up to ten decimals, sums unrounded', () => {
    // A third and a third and a third of a price for 3 kg.
    const third = { percentage: 25, catalogue: { unitPrice: 1, unit: '3 kg' } };
    const cost = formulaCostOf(
      compositionOf([third, third, third, third]),
      { batch: 3, unit: 'kg' },
      NO_RATES,
    );
    expect(cost.phases[0]!.ingredients[0]!.costPerKg).toBe(0.0833333333);
    expect([cost.costPerKg, cost.cost]).toEqual([0.3333333333, 1]);
  });

  it('shows the largest sum', () => {
    const line = { percentage: 0.1, catalogue: { unitPrice: 1e12 } };
    const density = 25;
    const profile = {
      ...EMPTY_PROFILE,
      ...{ density, packSize: { amount: 1_000_000, unit: 'L' as const } },
      targetCost: { amount: 1_000_000_000, currency: 'CNY', per: 'pack' as const },
    };
    const composition = { ...compositionOf(Array.from({ length: 1000 }, () => line)), profile };
    const cost = formulaCostOf(composition, { batch: 1_000_000, unit: 't' }, NO_RATES);
    expect(cost).toMatchObject({
      costPerKg: 1e12,
      cost: 1e21,
      pack: { cost: 2.5e19 },
      target: { result: 'above' },
    });
  });

  it('counts no line with a price that is too high for the currency', () => {
    const [high, usable] = [1e13, 2].map((unitPrice) => ({
      percentage: 30,
      catalogue: { unitPrice, unit: '$/kg' },
    }));
    const euro = { percentage: 40, catalogue: { unitPrice: 1, unit: '€/kg' } };
    const cost = formulaCostOf(
      compositionOf([high!, euro, usable!, euro]),
      { batch: 1, unit: 'kg' },
      NO_RATES,
    );
    expect(cost).toMatchObject({ currency: 'EUR', knownCostPerKg: 0.8 });
  });

  it('takes a price of zero for a price, and adds what binary numbers would not', () => {
    const priced = (percentage: number, unitPrice: number, unit = 'kg') => ({
      percentage,
      catalogue: { unitPrice, unit },
    });
    const free = compositionOf([priced(100, 0)]);
    const exact = compositionOf([priced(0.1, 100), priced(0.2, 100), priced(99.7, 2500, '25 kg')]);
    expect(formulaCostOf(free, { batch: 1, unit: 'kg' }, NO_RATES).cost).toBe(0);
    expect(formulaCostOf(exact, { batch: 1, unit: 'kg' }, NO_RATES).costPerKg).toBe(100);
    const known = { costPerKg: 0, knownCostPerKg: 0, pricedPercentage: 100 };
    expect(costChangeOf(free, exact, NO_RATES)).toMatchObject({
      from: known,
      to: { costPerKg: 100 },
      difference: 100,
    });
    const partly = compositionOf([priced(60, 10), { percentage: 40, catalogue: null }]);
    expect(costChangeOf(free, partly, NO_RATES)).toMatchObject({
      to: { costPerKg: null, knownCostPerKg: 6 },
      difference: null,
    });
  });
});

describe('exchange rates', () => {
  const priced = (unit: string, more: object = {}) => ({
    percentage: 25,
    catalogue: { unitPrice: 8, unit, ...more },
  });
  const costOf = (...lines: object[]) =>
    formulaCostOf(compositionOf(lines as { percentage: number }[]), { batch: 1, unit: 'kg' }, RATES);

  it('add up prices of several currencies, and are named as far as they were used', () => {
    const cost = costOf(priced('€/kg'), priced('EUR/kg'), priced('kg'), priced('元/公斤'));
    // .25 × 8 × (7.85 + 7.85 + 1 + 1)
    expect(cost).toMatchObject({ costPerKg: 35.4, currency: 'CNY', unpriced: [] });
    expect(cost.exchangeRates).toEqual([{ currency: 'EUR', rate: 7.85 }]);
  });

  it('leave a currency without a rate unknown', () => {
    const cost = costOf(priced('GBP/kg'), priced('¥/kg'), priced('CNY/kg'));
    expect(cost).toMatchObject({ costPerKg: null, knownCostPerKg: 2, exchangeRates: [] });
    expect(cost.unpriced.map(({ reason }) => reason)).toEqual(['other-currency', 'other-currency']);
  });

  it.each([
    [1e12, 'kg', null],
    [1_000_000_000_001, 'kg', 'price-too-high'],
    [1e308, 'kg', 'price-too-high'],
    [1, '0.000000000001 kg', null],
    [1.01, '0.000000000001 kg', 'price-too-high'],
    [127_388_535_031, 'EUR/kg', null],
    [127_388_535_032, 'EUR/kg', 'price-too-high'],
    [1e12, 'tiny/kg', 'unknown-unit'],
    [1e13, 'ISK/kg', 'price-too-high'],
  ])(
    'make no cost of a price above 1e12 per kg, before or after them: %d per %s',
    (unitPrice, unit, reason) => {
      const rates = { ...RATES, rates: [...RATES.rates, { currency: 'ISK', rate: 0.001 }] };
      const composition = compositionOf([{ percentage: 0.001, catalogue: { unitPrice, unit } }]);
      const cost = formulaCostOf(composition, { batch: 1, unit: 'kg' }, rates);
      expect(cost.phases[0]!.ingredients[0]!.reason).toBe(reason);
    },
  );

  it('without them, two versions have the currency of the earlier one, or of the other if it has no price', () => {
    const euros = compositionOf([priced('EUR/kg'), priced('EUR/kg'), priced('CNY/kg')]);
    const yuan = compositionOf([priced('CNY/kg'), priced('CNY/kg'), priced('CNY/kg')]);
    const none = compositionOf([priced('kg', { unitPrice: null })]);
    const named = (from: typeof euros, to: typeof euros) => costChangeOf(from, to, NO_RATES);
    expect(named(euros, yuan)).toMatchObject({ currency: 'EUR', to: { costPerKg: null } });
    expect(named(yuan, euros)).toMatchObject({ currency: 'CNY', to: { knownCostPerKg: 2 } });
    expect(named(none, yuan)).toMatchObject({ currency: 'CNY', to: { costPerKg: 6 } });
  });

  it('convert the costs of two versions', () => {
    const [from, to] = [compositionOf([priced('USD/kg')]), compositionOf([priced('kg')])];
    expect(costChangeOf(from, to, RATES)).toMatchObject({
      ...{ from: { costPerKg: 14.2 }, to: { costPerKg: 2 }, difference: -12.2 },
      ...{ currency: 'CNY', exchangeRates: [{ currency: 'USD', rate: 7.1 }] },
    });
  });
});

describe('the card of an ingredient', () => {
  const supplier = {
    ...{ name: 'A', code: null, tradeName: null, minimumOrder: null, date: null, preferred: true },
    ...{ price: 4, currency: 'EUR', unit: '25 kg' },
  };
  const card = { density: null, strength: null, solvent: null, supplier };
  const lineOf = (catalogue: object) =>
    formulaCostOf(compositionOf([{ percentage: 50, catalogue }]), { batch: 1, unit: 'kg' }, RATES).phases[0]!
      .ingredients[0];

  it('has the price of an ingredient without one', () => {
    expect(lineOf({ unitPrice: null, unit: 'kg', card })).toMatchObject({
      // .5 × 4 × 7.85 / 25
      ...{ unitPrice: 4, priceUnit: 'EUR/25 kg', priceFrom: 'supplier', costPerKg: 0.628 },
    });
    expect(lineOf({ unitPrice: 3, unit: 'kg', card })).toMatchObject({
      ...{ unitPrice: 3, priceUnit: 'kg', priceFrom: 'ingredient', costPerKg: 1.5 },
    });
    const unpriced = { ...card, supplier: { ...supplier, price: null } };
    expect(lineOf({ unitPrice: null, unit: 'kg', card: unpriced })).toMatchObject({
      ...{ unitPrice: null, priceUnit: 'kg', priceFrom: null, reason: 'no-price' },
    });
  });

  it('makes a mass of a volume by its density', () => {
    const dense = { ...card, density: 1.25 };
    // .5 × 10 / 1.25, and per 5 L and 200 mL
    expect(lineOf({ unitPrice: 10, unit: 'L', card: dense })).toMatchObject({ costPerKg: 4 });
    expect(lineOf({ unitPrice: 10, unit: '5 升', card: dense })).toMatchObject({ costPerKg: 0.8 });
    expect(lineOf({ unitPrice: 10, unit: '€/200 mL', card: dense })).toMatchObject({ costPerKg: 157 });
    expect(lineOf({ unitPrice: 10, unit: 'L', card })).toMatchObject({ costPerKg: null, reason: 'volume' });
  });
});
