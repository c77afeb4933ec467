import Big from 'big.js';
import { found, limit, material, screened } from '../../../test/support/screenings';
import type { Limit } from '../editions/limit.entity';

describe('7: sum rules', () => {
  const esters = ['Methylparaben', 'Propylparaben', 'Butylparaben'];
  const paraben = (overrides: Partial<Limit>) =>
    limit({ annex: 'V', kind: 'permitted-only', entry: '12', inciNames: esters, ...overrides });
  const parabens = [
    paraben({ tier: 'a', limitPercent: '0.4', inciNames: ['Methylparaben'] }),
    paraben({ tier: 'b', limitPercent: '0.8', sumGroup: 'parabens' }),
    paraben({
      entry: '12a',
      limitPercent: '0.14',
      inciNames: ['Butylparaben', 'Propylparaben'],
      sumGroup: 'butyl and propyl',
    }),
  ];

  it('parabens: a single ester, the mixture, and butyl with propyl inside it', async () => {
    expect(await found([material('Methylparaben', 0.41)], parabens)).toEqual([
      'above-limit V/12a Methylparaben 0.41',
      'not-above-limit V/12b Methylparaben 0.41',
    ]);
    const mixture = [
      material('Methylparaben', 0.4),
      material('Propylparaben', 0.1),
      material('Butylparaben', 0.05),
    ];
    expect(await found(mixture, parabens)).toEqual([
      'above-limit V/12a Butylparaben+Propylparaben 0.15',
      'not-above-limit V/12a Methylparaben 0.4',
      'not-above-limit V/12b Butylparaben+Methylparaben+Propylparaben 0.55',
    ]);
    expect(await found([material('Methylparaben', 0.4), material('Propylparaben', 0.41)], parabens)).toEqual([
      'above-limit V/12b Methylparaben+Propylparaben 0.81',
      'above-limit V/12a Propylparaben 0.41',
      'not-above-limit V/12a Methylparaben 0.4',
    ]);
  });

  it('nano and other forms together', async () => {
    const forms = [
      limit({
        annex: 'VI',
        entry: '30',
        inciNames: ['ZINC OXIDE'],
        casNumbers: ['1314-13-2'],
        limitPercent: '25',
        sumGroup: 'zinc oxide',
      }),
      limit({
        annex: 'VI',
        entry: '30a',
        inciNames: ['ZINC OXIDE (NANO)'],
        casNumbers: ['1314-13-2'],
        limitPercent: '25',
        sumGroup: 'zinc oxide',
      }),
    ];
    expect(await found([material('Zinc Oxide', 15), material('Zinc Oxide (nano)', 10.01)], forms)).toEqual([
      'above-limit VI/30+VI/30a Zinc Oxide+Zinc Oxide (nano) 25.01',
    ]);
    expect(await found([material('Zinc Oxide', 25)], forms)).toEqual([
      'not-above-limit VI/30+VI/30a Zinc Oxide 25',
    ]);
  });

  it('entries with limits of their own inside a common sum', async () => {
    const limits = [
      limit({
        entry: '286',
        inciNames: ['Cetrimonium Chloride', 'Steartrimonium Chloride'],
        limitPercent: '0.5',
        sumGroup: 'trimonium',
      }),
      limit({
        entry: '287',
        inciNames: ['Behentrimonium Chloride'],
        limitPercent: '3',
        sumGroup: 'trimonium',
      }),
    ];
    const of = async (cetrimonium: number, steartrimonium: number, behentrimonium: number) =>
      (
        await found(
          [
            material('Cetrimonium Chloride', cetrimonium),
            material('Steartrimonium Chloride', steartrimonium),
            material('Behentrimonium Chloride', behentrimonium),
          ],
          limits,
        )
      ).map((text) => text.replaceAll(/ [A-Z]\S+ Chloride\S*| Chloride/g, ''));
    expect((await of(0.3, 0.3, 1))[0]).toMatch(/^above-limit III\/286 .*0\.6$/);
    expect((await of(0.2, 0.2, 2.7))[0]).toMatch(/^above-limit III\/287 .*3\.1$/);
    expect(await of(0.2, 0.2, 2.6)).toEqual([
      expect.stringMatching(/^not-above-limit III\/286 .*0\.4$/),
      expect.stringMatching(/^not-above-limit III\/287 .*3$/),
    ]);
  });

  it('a group with a row of its own', async () => {
    const limits = [
      limit({ entry: '1', inciNames: ['A'], limitPercent: '1', sumGroup: 'g' }),
      limit({ entry: '2', inciNames: ['B'], limitPercent: '1', sumGroup: 'g' }),
      limit({ entry: '3', limitPercent: '0.9', sumGroup: 'g' }),
    ];
    expect(await found([material('A', 0.5), material('B', 0.41)], limits)).toEqual([
      'above-limit III/3 A+B 0.91',
      'not-above-limit III/1+III/2 A+B 0.91',
    ]);
  });

  it('retinoids in one equivalent, each with its factor; one without makes the sum unknown', async () => {
    const retinoid = (name: string, factor: string | null) =>
      limit({
        entry: '376',
        inciNames: [name],
        limitPercent: '0.3',
        basis: 'retinol',
        factor,
        sumGroup: 'retinoids',
      });
    const limits = [
      retinoid('Retinol', null),
      retinoid('Retinyl Palmitate', '0.546'),
      retinoid('Retinyl Acetate', null),
    ];
    const known = [material('Retinol', 0.2), material('Retinyl Palmitate', 0.2)];
    expect(await found(known, limits)).toEqual([
      'above-limit III/376+III/376+III/376 Retinol+Retinyl Palmitate 0.3092',
    ]);
    expect(await found([known[1]!, material('Retinyl Acetate', 0.01)], limits)).toEqual([
      'cannot-be-judged (basis) III/376+III/376+III/376 Retinyl Acetate+Retinyl Palmitate 0.21',
    ]);
    const { findings } = await screened([...known, material('Retinyl Acetate', 0.01)], limits);
    expect(findings[0]).toMatchObject({ result: 'above-limit', amount: new Big('0.3092') });
    expect(findings[0]!.notes).toEqual([
      'own-basis',
      'factor-of-table',
      'counted-together',
      'known-part-above',
    ]);
  });

  it('counts a substance whose rows of a group differ with the greatest factor', async () => {
    const row = (entry: string, factor: string) => {
      const group = { limitPercent: '0.3', basis: 'x', sumGroup: 'g' };
      return limit({ entry, inciNames: ['A'], factor, ...group, productTypes: ['shampoo'] });
    };
    const own = limit({ entry: '9', limitPercent: '0.3', basis: 'x', sumGroup: 'g' });
    for (const factors of [
      ['0.5', '0.7'],
      ['0.7', '0.5'],
    ]) {
      const limits = [row('1', factors[0]!), row('2', factors[1]!), own];
      expect(await found([material('A', 0.5)], limits)).toEqual(
        expect.arrayContaining(['above-limit III/9 A 0.35']),
      );
    }
  });

  it('a row that does not say whether its substances count together', async () => {
    const row = limit({ inciNames: ['A', 'B'], limitPercent: '0.5' });
    expect(await found([material('A', 0.3), material('B', 0.3)], [row])).toEqual([
      'cannot-be-judged (basis) III/1 A+B 0.6',
      'not-above-limit III/1 A 0.3',
      'not-above-limit III/1 B 0.3',
    ]);
    expect(await found([material('A', 0.2), material('B', 0.3)], [row])).toHaveLength(2);
    const sum = limit({ inciNames: ['A', 'B'], limitPercent: '0.8', sumGroup: 'g' });
    expect(await found([material('A', 0.3), material('B', 0.3)], [row, sum])).toEqual([
      'not-above-limit III/1 A 0.3',
      'not-above-limit III/1 B 0.3',
      'not-above-limit III/1 A+B 0.6',
    ]);
  });
});
