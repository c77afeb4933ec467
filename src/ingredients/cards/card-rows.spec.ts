import { cardWithRows } from './card-rows';
import { type Card, NO_CARD, preferredOf, supplierOf } from './card-rules';

const row = (supplier: string, price: number, date: string, more: object = {}) => ({
  ...{ supplier, code: supplier, price, date },
  ...more,
});
const cardOf = (...rows: ReturnType<typeof row>[]): Card => cardWithRows(NO_CARD, rows);
const pricesIn = ({ suppliers }: Card) =>
  suppliers.map(({ name, price, date, preferred }) => `${name} ${price} ${date}${preferred ? ' *' : ''}`);

it('a new price of the preferred supplier is added, and preferred', () => {
  const card = cardOf(row('A', 1, '2026-01-01'), row('B', 2, '2026-01-01'));
  expect(pricesIn(card)).toEqual(['A 1 2026-01-01 *', 'B 2 2026-01-01']);
  expect(
    pricesIn(cardWithRows(card, [row('B', 3, '2026-02-01'), row('a', 4, '2026-02-01', { code: 'A' })])),
  ).toEqual(['A 1 2026-01-01', 'B 2 2026-01-01', 'B 3 2026-02-01', 'a 4 2026-02-01 *']);
});

it('an older price is history', () => {
  const card = cardWithRows(cardOf(row('A', 1, '2026-02-01')), [row('A', 9, '2025-12-01')]);
  expect(pricesIn(card)).toEqual(['A 1 2026-02-01 *', 'A 9 2025-12-01']);
});

it('a price of the same day is replaced', () => {
  const card = cardOf(row('A', 1, '2026-01-01'), row('B', 2, '2026-01-01'));
  expect(pricesIn(cardWithRows(card, [row('A', 5, '2026-01-01')]))).toEqual([
    'B 2 2026-01-01',
    'A 5 2026-01-01 *',
  ]);
});

it('rows say which supplier is preferred, and several do so too', () => {
  const card = cardOf(row('A', 1, '2026-01-01'));
  const rows = [row('B', 2, '2026-01-01', { preferred: 'yes' }), row('C', 3, '2026-01-01')];
  expect(preferredOf(cardWithRows(card, rows))).toMatchObject({ name: 'B' });
  const both = rows.map((one) => ({ ...one, preferred: 'yes' as const }));
  expect(cardWithRows(card, both).suppliers.filter(({ preferred }) => preferred)).toHaveLength(2);
});

it('keeps what rows do not say, and takes the last density', () => {
  const document = { kind: 'other' as const, title: 'x', address: null, validUntil: null };
  const card: Card = {
    ...NO_CARD,
    density: 1.2,
    documents: [document],
    suppliers: [supplierOf({ name: 'A' })],
  };
  expect(cardWithRows(card, [row('B', 1, '2026-01-01')])).toMatchObject({
    density: 1.2,
    documents: [document],
  });
  const rows = [row('B', 1, '2026-01-01', { density: 1.3 }), row('B', 1, '2026-01-02', { density: 1.4 })];
  expect(cardWithRows(card, rows).density).toBe(1.4);
});
