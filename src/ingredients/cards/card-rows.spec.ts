import { cardWithRows } from './card-rows';
import { type Card, NO_CARD, preferredOf, supplierOf } from './card-rules';

const row = (supplier: string, price: number, date: string, more: object = {}) => ({
  ...{ supplier, code: supplier, price, date },
  ...more,
});
const [YES, NO] = [{ preferred: 'yes' as const }, { preferred: 'no' as const }];
const cardOf = (...rows: ReturnType<typeof row>[]): Card => cardWithRows(NO_CARD, rows);
const pricesIn = ({ suppliers }: Card) =>
  suppliers.map(({ name, price, date, preferred }) => `${name} ${price} ${date}${preferred ? ' *' : ''}`);

it('a new price of the preferred supplier is added, and preferred', () => {
  const card = cardOf(row('A', 1, '2026-01-01', YES), row('B', 2, '2026-01-01'));
  expect(pricesIn(card)).toEqual(['A 1 2026-01-01 *', 'B 2 2026-01-01']);
  expect(
    pricesIn(cardWithRows(card, [row('B', 3, '2026-02-01'), row('a', 4, '2026-02-01', { code: 'A' })])),
  ).toEqual(['A 1 2026-01-01', 'B 2 2026-01-01', 'B 3 2026-02-01', 'a 4 2026-02-01 *']);
});

it('an older price is history', () => {
  const card = cardWithRows(cardOf(row('A', 1, '2026-02-01', YES)), [row('A', 9, '2025-12-01')]);
  expect(pricesIn(card)).toEqual(['A 1 2026-02-01 *', 'A 9 2025-12-01']);
});

it('a price of the same day is replaced', () => {
  const card = cardOf(row('A', 1, '2026-01-01', YES), row('B', 2, '2026-01-01'));
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

it('prefers nothing where nothing was, nor an entry that is not of the file, nor what a row refuses', () => {
  expect(preferredOf(cardOf(row('A', 1, '2026-01-01'), row('B', 2, '2026-01-01')))).toBeUndefined();
  const card = cardOf(row('A', 1, '2026-01-01', YES), row('A', 2, '2026-02-01'));
  expect(pricesIn(cardWithRows(card, [row('B', 3, '2026-03-01')]))[0]).toBe('A 1 2026-01-01 *');
  expect(pricesIn(cardWithRows(card, [row('A', 3, '2026-03-01', NO)]))[0]).toBe('A 1 2026-01-01 *');
  expect(preferredOf(cardWithRows(card, [row('A', 3, '2026-01-01', NO)]))).toBeUndefined();
});

describe('a row without code or trade name', () => {
  const entry = (code: string | null, tradeName: string | null, date: string) =>
    row('A', 1, date, { code, tradeName, ...YES });
  const namesIn = (card: Card, ...rows: ReturnType<typeof row>[]) =>
    cardWithRows(card, rows).suppliers.map(
      ({ code, tradeName, preferred }) => `${code} ${tradeName}${preferred ? ' *' : ''}`,
    );
  const one = cardOf(entry('X', 'T', '2026-01-01'));
  const two = cardOf(entry('X', 'T', '2026-01-01'), row('A', 1, '2026-01-01', { code: 'Y', tradeName: 'U' }));
  const next = (more: object) => row('a', 2, '2026-02-01', { code: null, ...more });

  it('has those of the supplier, and is preferred as the entry was', () => {
    for (const given of [{}, { code: 'X' }, { tradeName: 'T' }]) {
      expect(namesIn(one, next(given))).toEqual(['X T', 'X T *']);
    }
    expect(namesIn(one, row('A', 2, '2026-01-01', { code: 'X' }))).toEqual(['X T *']);
    expect(namesIn(one, next({ code: 'Z' }))).toEqual(['X T *', 'Z null']);
    expect(namesIn(one, row('B', 2, '2026-02-01', { code: null }))).toEqual(['X T *', 'null null']);
  });

  it('has none where the supplier has several', () => {
    expect(namesIn(two, next({}))).toEqual(['X T *', 'Y U', 'null null']);
    expect(namesIn(two, next({ code: 'X' }))).toEqual(['X T', 'Y U', 'X T *']);
    expect(namesIn(two, next({ tradeName: 'U' }))).toEqual(['X T *', 'Y U', 'Y U']);
  });

  it('stays the entry that it is', () => {
    const plain = { ...row('A', 1, '2025-01-01'), code: null as never, tradeName: null };
    const card = cardOf(entry('X', 'T', '2026-01-01'), { ...plain, ...NO });
    const bare = {
      ...card,
      suppliers: [card.suppliers[0]!, supplierOf({ ...plain, name: 'A', preferred: false })],
    };
    expect(namesIn(bare, plain)).toEqual(['X T *', 'null null']);
  });
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
