import fc from 'fast-check';
import { requestInstance } from '../../platform/validation/request-instance';
import { CardDto } from './card.dto';
import { type Card, cardOf, listWithTooMany, mergedCard, NO_CARD, preferredOf } from './card-rules';

const stored = (...suppliers: object[]) =>
  cardOf(requestInstance(CardDto, { suppliers, documents: [] }) as CardDto).suppliers;
const supplier = (name: string, preferred = false) => stored({ name, preferred })[0]!;
const card = (more: Partial<Card>): Card => ({ ...NO_CARD, ...more });

it('stores the code of a currency, and no blank texts', () =>
  expect(stored({ name: ' A ', code: ' ', currency: '€', unit: null })[0]).toEqual({
    ...{ name: 'A', code: null, tradeName: null, price: null, currency: 'EUR', unit: 'kg' },
    ...{ minimumOrder: null, date: null, preferred: false },
  }));

it('a merged card keeps strength and solvent of one card together', () => {
  const water = { inciName: 'Aqua', chineseName: null, casNumber: null, ecNumber: null };
  const alcohol = { ...water, inciName: 'Alcohol' };
  const [own, other] = [
    card({ strength: 70, solvent: water }),
    card({ strength: 30, solvent: alcohol, density: 0.9 }),
  ];
  expect(mergedCard(own, other)).toMatchObject({ strength: 70, solvent: water, density: 0.9 });
  expect(mergedCard(card({ density: 1 }), other)).toMatchObject({
    strength: 30,
    solvent: alcohol,
    density: 1,
  });
});

it('the preferred supplier of the other card counts where there is none', () => {
  const merged = mergedCard(card({ suppliers: [supplier('A')] }), card({ suppliers: [supplier('B', true)] }));
  expect(preferredOf(merged)).toMatchObject({ name: 'B' });
});

it('an entry that both cards have stands once, whichever is preferred', () => {
  const merged = mergedCard(
    card({ suppliers: [supplier('A', true)] }),
    card({ suppliers: [supplier('A'), supplier('B', true)] }),
  );
  expect(merged.suppliers).toEqual([supplier('A', true), supplier('B')]);
});

it('a merge loses no entry, and has one preferred supplier at most', () => {
  const suppliers = fc
    .tuple(fc.uniqueArray(fc.constantFrom('A', 'B', 'C', 'D')), fc.nat({ max: 5 }))
    .map(([names, preferred]) => names.map((name, at) => supplier(name, at === preferred)));
  fc.assert(
    fc.property(suppliers, suppliers, (own, others) => {
      const merged = mergedCard(card({ suppliers: own }), card({ suppliers: others }));
      const names = new Set([...own, ...others].map(({ name }) => name));
      expect(new Set(merged.suppliers.map(({ name }) => name))).toEqual(names);
      expect(merged.suppliers).toHaveLength(names.size);
      const preferred = merged.suppliers.filter((one) => one.preferred);
      expect(preferred.length).toBe([...own, ...others].some((one) => one.preferred) ? 1 : 0);
      const own0 = own.find((one) => one.preferred);
      if (own0) expect(preferred[0]!.name).toBe(own0.name);
    }),
  );
});

it('counts entries of both lists', () => {
  const many = Array.from({ length: 101 }, (_, at) => supplier(`${at}`));
  const document = { kind: 'other' as const, title: 'x', address: null, validUntil: null };
  expect(listWithTooMany(card({ suppliers: many.slice(1) }))).toBeUndefined();
  expect(listWithTooMany(card({ suppliers: many }))).toBe('suppliers');
  expect(listWithTooMany(card({ documents: many.map(() => document) }))).toBe('documents');
});
