import Big from 'big.js';
import fc from 'fast-check';
import { expansionOf, found, limit, material, part, screened } from '../../../test/support/screenings';
import type { Material } from '../../../test/support/screenings';
import type { Mixture } from './screening-model';

const after = (limitPercent: string, ...inciNames: string[]) =>
  limit({ inciNames, limitPercent, basis: 'After mixing' });

const mixedWith = async (ratio: number, ...other: Material[]): Promise<Mixture> => ({
  ratio,
  expansion: await expansionOf(other),
  isPartial: false,
});

const only = (ratio: number): Mixture => ({ ratio, expansion: undefined, isPartial: false });

describe('a limit after mixing', () => {
  const rows = [after('2', 'PPD')];

  it('cannot be judged without a mixture', async () => {
    expect(await found([material('PPD', 1)], rows)).toEqual(['cannot-be-judged (mixture) III/1 PPD 1']);
  });

  it('is of the product as the other part dilutes it', async () => {
    expect(await found([material('PPD', 4)], rows, { mixture: only(1) })).toEqual([
      'not-above-limit III/1 PPD 2',
    ]);
    expect(await found([material('PPD', 4.0001)], rows, { mixture: only(1) })).toEqual([
      'above-limit III/1 PPD 2.00005',
    ]);
    // 3 ÷ (1 + 1.5) = 1.2
    expect(await found([material('PPD', 3)], rows, { mixture: only(1.5) })).toEqual([
      'not-above-limit III/1 PPD 1.2',
    ]);
  });

  it('is compared exactly, where a share has no end', async () => {
    // 6 ÷ 3 = 2, and 6.0000000000000001 ÷ 3 is above it.
    expect(await found([material('PPD', 6)], rows, { mixture: only(2) })).toEqual([
      'not-above-limit III/1 PPD 2',
    ]);
    const blend = material('Raw', 12, {
      of: [part('PPD', 50.00000000000001), part('Aqua', 49.99999999999999)],
    });
    expect(await found([blend], rows, { mixture: only(2) })).toEqual(['above-limit III/1 PPD 2']);
    expect(await found([material('PPD', 5)], rows, { mixture: only(2) })).toEqual([
      'not-above-limit III/1 PPD 1.6666666667',
    ]);
  });

  it('counts an oil with a composition in the other part by the name that the table lists', async () => {
    const oil = material('Lavandula Angustifolia Oil', 2, {
      of: [part('Lavandula Angustifolia Oil', 60), part('Linalool', 40)],
    });
    const listed = [after('0.5', 'Lavandula Angustifolia Oil')];
    // 2 ÷ 2 = 1
    expect(await found([material('PPD', 3)], listed, { mixture: await mixedWith(1, oil) })).toContain(
      'above-limit III/1 Lavandula Angustifolia Oil 1',
    );
  });

  it('counts what both parts contain', async () => {
    // (1 × 3 + 2 × 1.2) ÷ 3 = 1.8; with 1.6 it is 2.0666…
    const own = [material('PPD', 3)];
    expect(await found(own, rows, { mixture: await mixedWith(2, material('PPD', 1.2)) })).toEqual([
      'not-above-limit III/1 PPD 1.8',
    ]);
    expect(await found(own, rows, { mixture: await mixedWith(2, material('PPD', 1.6)) })).toEqual([
      'above-limit III/1 PPD 2.0666666667',
    ]);
  });

  it('counts what only the other part contains, which has no other limits here', async () => {
    const mixture = await mixedWith(1, material('Hydrogen Peroxide', 12), material('Other', 1));
    const table = [
      after('5', 'Hydrogen Peroxide'),
      limit({ entry: '2', inciNames: ['Hydrogen Peroxide'], kind: 'prohibited' }),
      limit({ entry: '3', inciNames: ['Other'], limitPercent: '0.1' }),
      after('1', 'PPD'),
    ];
    expect(await found([material('PPD', 1)], table, { mixture })).toEqual([
      'above-limit III/1 Hydrogen Peroxide 6',
      'not-above-limit III/1 PPD 0.5',
    ]);
    const { findings } = await screened([material('U', 1)], table, { mixture });
    const unmatched = findings.filter(({ result }) => result === 'no-entry-matched');
    expect(unmatched.map(({ substances }) => substances[0]!.subject.inciName)).toEqual(['U']);
  });

  it('leaves other limits to the product itself', async () => {
    const table = [limit({ inciNames: ['PPD'], limitPercent: '2' })];
    expect(await found([material('PPD', 3)], table, { mixture: only(1) })).toEqual([
      'above-limit III/1 PPD 3',
    ]);
  });

  it('uses the factor of the table instead, if it has one', async () => {
    const table = [{ ...after('2', 'PPD'), factor: '0.5' }];
    expect(await found([material('PPD', 6)], table, { mixture: only(9) })).toEqual([
      'above-limit III/1 PPD 3',
    ]);
  });

  it('is not cleared where the other part may contain more', async () => {
    const mixture = { ...only(1), isPartial: true };
    expect(await found([material('PPD', 3)], rows, { mixture })).toEqual([
      'cannot-be-judged (mixture) III/1 PPD 3',
    ]);
    const above = await screened([material('PPD', 5)], rows, { mixture });
    expect(above.findings[0]).toMatchObject({
      result: 'above-limit',
      notes: expect.arrayContaining(['known-part-above']) as string[],
    });
    expect(above.findings[0]!.amount!.toFixed()).toBe('2.5');
  });

  it('says how its amount came about', async () => {
    const { findings } = await screened([material('PPD', 3)], rows, { mixture: only(1) });
    expect(findings[0]!.notes).toEqual(['after-mixing']);
  });

  it('is of the sum of a group, also of both parts', async () => {
    const group = { basis: 'after mixing', sumGroup: 'dyes', limitPercent: '2' };
    const table = [limit({ inciNames: ['A'], ...group }), limit({ inciNames: ['B'], ...group })];
    // (1 + 1 + 1 × 2.2) ÷ 2 = 2.1
    const mixture = await mixedWith(1, material('B', 2.2));
    const own = [material('A', 1), material('B', 1)];
    expect(await found(own, table, { mixture })).toEqual(['above-limit III/1+III/1 A+B 2.1']);
    expect(await found(own, table, { mixture: only(1) })).toEqual(['not-above-limit III/1+III/1 A+B 1']);
  });

  it('is above exactly if parts of both make more than its share of all parts', async () => {
    const percent = fc.integer({ min: 1, max: 9999 }).map((number) => number / 100);
    await fc.assert(
      fc.asyncProperty(percent, percent, percent, percent, async (own, other, ratio, most) => {
        const mixture = await mixedWith(ratio, material('X', other));
        const [finding] = (await screened([material('X', own)], [after(String(most), 'X')], { mixture }))
          .findings;
        const isAbove = new Big(ratio).times(other).plus(own).gt(new Big(ratio).plus(1).times(most));
        expect(finding!.result).toBe(isAbove ? 'above-limit' : 'not-above-limit');
      }),
    );
  });
});
