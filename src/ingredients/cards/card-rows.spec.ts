import { render } from '../../platform/texts/text';
import { toInsertValues } from '../../platform/validation/field-metadata';
import { SupplierDto, type SupplierEntry } from './card.dto';
import { cardWithRows, contradictions } from './card-rows';
import { type Card, NO_CARD, preferredOf } from './card-rules';

const row = (name: string, price: number, date: string, more: object = {}) => ({
  supplier: { name, code: name, price, date, ...more },
});
const [YES, NO] = [{ preferred: true }, { preferred: false }];
const supplierOf = (given: SupplierDto) => toInsertValues(SupplierDto, given) as SupplierEntry;
const cardOf = (...rows: ReturnType<typeof row>[]): Card => cardWithRows(NO_CARD, rows);
const WATER = { inciName: 'Aqua', chineseName: null, casNumber: null, ecNumber: null };
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
  const rows = [row('B', 2, '2026-01-01', YES), row('C', 3, '2026-01-01')];
  expect(preferredOf(cardWithRows(card, rows))).toMatchObject({ name: 'B' });
  const both = rows.map(({ supplier }) => ({ supplier: { ...supplier, ...YES } }));
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
    const plain = row('A', 1, '2025-01-01', { code: null, tradeName: null });
    const card = cardOf(entry('X', 'T', '2026-01-01'), row('A', 1, '2025-01-01', { code: null, ...NO }));
    const bare = { ...card, suppliers: [card.suppliers[0]!, supplierOf(plain.supplier)] };
    expect(namesIn(bare, plain)).toEqual(['X T *', 'null null']);
  });
});

it('keeps what rows do not say', () => {
  const document = { kind: 'other' as const, title: 'x', address: null, validUntil: null };
  const card: Card = {
    ...{ density: 1.2, strength: 70, solvent: { ...WATER, casNumber: '7732-18-5' } },
    ...{ documents: [document], suppliers: [supplierOf({ name: 'A' })] },
  };
  const { suppliers: _, ...rest } = card;
  expect(cardWithRows(card, [row('B', 1, '2026-01-01')])).toMatchObject(rest);
  expect(cardWithRows(card, [{ density: 1.3 }])).toEqual({ ...card, density: 1.3 });
  expect(cardWithRows(card, [{ strength: 65 }])).toEqual({ ...card, strength: 65 });
});

it('a solvent takes the place of another one', () => {
  const card = { ...NO_CARD, strength: 70, solvent: { ...WATER, casNumber: '7732-18-5' } };
  const { solvent } = cardWithRows(card, [{ solvent: { inciName: 'Alcohol' } }]);
  expect(solvent).toEqual({ ...WATER, inciName: 'Alcohol' });
});

it('a document replaces that of the same kind and title', () => {
  const document = (
    title: string,
    validUntil: string | null,
    kind: 'certificate' | 'other' = 'certificate',
  ) => ({
    ...{ kind, title, address: null, validUntil },
  });
  const card = { ...NO_CARD, documents: [document('RSPO', '2026-12-31'), document('Kosher', null)] };
  const rows = [document('rspo', '2027-12-31'), document('Kosher', null, 'other')];
  expect(
    cardWithRows(
      card,
      rows.map((one) => ({ document: one })),
    ).documents,
  ).toEqual([document('Kosher', null), ...rows]);
});

it('keeps prices of other minimum orders', () => {
  const card = cardOf(row('A', 9, '2026-01-01'));
  const tier = row('A', 8, '2026-01-01', { minimumOrder: '500 kg' });
  expect(pricesIn(cardWithRows(card, [tier]))).toEqual(['A 9 2026-01-01', 'A 8 2026-01-01']);
  expect(pricesIn(cardWithRows(card, [row('A', 7, '2026-01-01')]))).toEqual(['A 7 2026-01-01']);
});

it('two rows that give a fact differently contradict each other', () => {
  const faultsOf = (...rows: object[]) =>
    contradictions(rows.map((one, at) => ({ ...one, line: at + 2 }))).map(
      ({ field, message }) => `${field}: ${render(message)}`,
    );
  expect(faultsOf({ density: 1.2 }, {}, { density: 1.2 }, { solvent: { inciName: 'Aqua' } })).toEqual([]);
  expect(
    faultsOf(
      { density: 1.2, solvent: { inciName: 'Aqua' } },
      { solvent: { inciName: 'Aqua' } },
      { density: 1.3, strength: 70 },
      { strength: 71, solvent: { inciName: 'Alcohol' } },
    ),
  ).toEqual([
    'line 4: density: 与第2行的1.2不一致',
    'line 5: strength: 与第4行的70不一致',
    'line 5: solvent: 与第2行的Aqua不一致',
  ]);
});
