import fc from 'fast-check';
import {
  expansionOf,
  inShort,
  limit,
  type Material,
  material,
  part,
  screened,
} from '../../../test/support/screenings';
import { LIMIT_KINDS } from '../editions/limit.entity';
import { PRODUCT_TYPES } from '../../formulas/product-types';
import { distinctBy, sumOf } from '../../platform/common/collections';
import { limitOnLines } from './judge-row';
import { RowIndex } from './limit-scopes';
import { SCREENING_RESULTS } from './screening.dto';
import { subjectOf } from './screened-substances';

const NAMES = ['Salicylic Acid', 'Zinc Oxide', 'Zinc Oxide (nano)', 'Linalool', 'Glycerin', 'Butylparaben'];
const CAS: Record<string, string> = { 'Salicylic Acid': '69-72-7', 'Zinc Oxide': '1314-13-2' };

const substance = fc.record({
  name: fc.constantFrom(...NAMES, 'Parfum', 'A (and) B'),
  percentage: fc.integer({ min: 1, max: 100_000 }).map((n) => n / 10_000),
});
const asMaterial = ({ name, percentage }: { name: string; percentage: number }, index: number): Material => {
  const cas = CAS[name];
  // A raw material is one thing in all of its lines: here each line has its own.
  return cas
    ? material(`Raw ${index} of ${name}`, percentage, {
        of: [part(name, [40, 60], { cas }), part('Aqua', [40, 60])],
      })
    : material(name, percentage, { category: index % 7 === 0 ? 'fragrance' : 'other' });
};
const materials = fc.array(substance, { maxLength: 8 }).map((all) => all.map(asMaterial));
const row = fc
  .record({
    annex: fc.constantFrom('II', 'III', 'V'),
    entry: fc.constantFrom('1', '2', '12a'),
    tier: fc.constantFrom(null, 'a', 'b'),
    kind: fc.constantFrom(...LIMIT_KINDS),
    inciNames: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 3 }),
    casNumbers: fc.uniqueArray(fc.constantFrom(...Object.values(CAS)), { maxLength: 1 }),
    productTypes: fc.constantFrom(null, PRODUCT_TYPES, ['face-leave-on'] as const, ['shampoo'] as const),
    limitPercent: fc.constantFrom(null, '0.1', '1', '1.0', '5'),
    basis: fc.constantFrom(null, null, 'acid', 'zinc', 'after mixing'),
    factor: fc.constantFrom(null, null, '0.8'),
    sumGroup: fc.constantFrom(null, null, 'g', 'h'),
    purpose: fc.constantFrom(null, null, 'preservative', 'UV filter'),
    validFrom: fc.constantFrom(null, null, '2027-01-01'),
  })
  .map((given) => limit(given.kind === 'prohibited' ? { ...given, basis: null } : given));
const table = fc.array(row, { maxLength: 12 });
const productType = fc.constantFrom(undefined, 'face-leave-on' as const, 'lip' as const);
const purpose = fc.constantFrom(undefined, undefined, 'preservative');
const conditions = fc.record({ productType, purpose });

const results = async (...given: Parameters<typeof screened>) =>
  (await screened(...given)).findings.map(inShort);
const worst = async (...given: Parameters<typeof screened>) =>
  SCREENING_RESULTS.indexOf((await screened(...given)).findings[0]?.result ?? 'no-entry-matched');
const RUNS = { numRuns: 500 };

it('the order of lines changes no result', async () => {
  await fc.assert(
    fc.asyncProperty(
      materials,
      table,
      conditions,
      fc.infiniteStream(fc.double({ noNaN: true })),
      async (all, rows, how, order) => {
        const shuffled = all
          .map((one) => [order.next().value as number, one] as const)
          .toSorted(([one], [other]) => one - other)
          .map(([, one]) => one);
        expect(await results(shuffled, rows, how)).toEqual(await results(all, rows, how));
      },
    ),
    RUNS,
  );
});

it('the order of rows changes no result', async () => {
  await fc.assert(
    fc.asyncProperty(materials, table, conditions, async (all, rows, how) => {
      expect(await results(all, rows.toReversed(), how)).toEqual(await results(all, rows, how));
    }),
    RUNS,
  );
});

it('a line that is split in two changes no result', async () => {
  await fc.assert(
    fc.asyncProperty(materials, table, conditions, fc.nat(), async (all, rows, how, at) => {
      fc.pre(all.length > 0);
      const line = all[at % all.length]!;
      const rest = Math.round(line.percentage * 10_000 - 1) / 10_000;
      fc.pre(rest > 0);
      const split = all.flatMap((one) =>
        one === line
          ? [
              { ...one, percentage: 0.0001 },
              { ...one, percentage: rest },
            ]
          : [one],
      );
      expect(await results(split, rows, how)).toEqual(await results(all, rows, how));
    }),
    RUNS,
  );
});

it('one more substance never makes the worst result milder', async () => {
  await fc.assert(
    fc.asyncProperty(materials, substance, table, conditions, async (all, one, rows, how) => {
      const more = [...all, asMaterial(one, all.length)];
      // A part that exceeds a threshold alone settles a sum that could not be judged: it is declared.
      const { findings } = await screened(more, rows, how);
      const isSettled = findings.some(({ notes }) => notes.includes('known-part-above'));
      if (!isSettled) expect(await worst(more, rows, how)).toBeLessThanOrEqual(await worst(all, rows, how));
    }),
    RUNS,
  );
});

it('every substance has a result, which names the rows in force that name it or says that there is none', async () => {
  await fc.assert(
    fc.asyncProperty(materials, table, conditions, async (all, rows, how) => {
      const { findings } = await screened(all, rows, how);
      const inForce = await RowIndex.of(rows.filter(({ validFrom }) => validFrom === null));
      for (const subject of (await expansionOf(all)).substances.map(subjectOf)) {
        const own = findings.filter(({ substances }) =>
          substances.some((counted) => counted.subject.inciName === subject.inciName),
        );
        expect(own.length).toBeGreaterThan(0);
        for (const named of inForce.match(subject).keys()) {
          const tiers = rows.filter(
            ({ annex, entry, kind }) =>
              [annex, entry, kind].join() === [named.annex, named.entry, named.kind].join(),
          );
          expect(own.some(({ limits }) => limits.some((each) => tiers.includes(each)))).toBe(true);
        }
      }
    }),
    RUNS,
  );
});

it('a result names the amount used, unless nothing is loaded', async () => {
  await fc.assert(
    fc.asyncProperty(materials, table, conditions, async (all, rows, how) => {
      for (const { amount } of (await screened(all, rows, how)).findings) expect(amount).not.toBeNull();
    }),
    RUNS,
  );
});

it('a result that cannot be judged says why, and no other does', async () => {
  await fc.assert(
    fc.asyncProperty(materials, table, conditions, async (all, rows, how) => {
      for (const { result, missing } of (await screened(all, rows, how)).findings) {
        expect(missing.length > 0).toBe(result === 'cannot-be-judged');
      }
    }),
    RUNS,
  );
});

it('limits on lines are fulfilled exactly where nothing is prohibited or above a limit', async () => {
  const mixtures = fc.record({
    ratio: fc.constantFrom(1, 1.5, 2),
    other: materials,
    isPartial: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      materials,
      table,
      conditions,
      fc.option(mixtures),
      async (given, rows, how, mixedWith) => {
        const all = distinctBy(given, ({ name }) => name);
        const mixture = mixedWith
          ? { ...mixedWith, expansion: await expansionOf(mixedWith.other) }
          : undefined;
        const onePercent = all.map((one) => ({ ...one, percentage: 1 }));
        const limits = (await screened(onePercent, rows, { ...how, mixture })).findings.map(limitOnLines);
        const percentages = new Map(all.map(({ name, percentage }) => [name, percentage]));
        const isWithin = limits.every((one) => {
          const amounts = one?.contents.map(({ line, amount }) => amount.times(percentages.get(line.id)!));
          return one === undefined || sumOf(amounts!).lte(one.max);
        });
        const { findings } = await screened(all, rows, { ...how, mixture });
        expect(isWithin).toBe(!findings.some(({ result }) => ['prohibited', 'above-limit'].includes(result)));
      },
    ),
    RUNS,
  );
});
