import { ALL_PRODUCTS, readSample, type SampleRow } from '../../../test/support/limit-samples';
import { ALL, LEAVE_ON, without } from './product-scopes';
import { ORAL, RINSE_OFF, RINSE_OFF_HAIR } from '../../formulas/product-types';

describe('the tiers of an entry', () => {
  const scopes = (...texts: readonly string[]) =>
    readSample(...texts.map((scope): SampleRow => ({ scope, limit: '1' }))).then(({ limits }) =>
      limits.map(({ productTypes }) => productTypes && [...productTypes].sort()),
    );
  const sorted = (types: readonly string[]) => [...types].sort();

  it('leave the rest to other products', async () => {
    expect(await scopes('rinse-off hair products', 'other products')).toEqual([
      sorted(RINSE_OFF_HAIR),
      sorted(without(ALL, RINSE_OFF_HAIR)),
    ]);
  });

  it('leave no rest where one of them is not known at all', async () => {
    expect(await scopes('rust inhibitor', 'other products')).toEqual([null, null]);
    expect(await scopes('other products')).toEqual([null]);
  });

  it('leave the rest without what one of them may cover', async () => {
    expect(await scopes('perfume', 'other products')).toEqual([null, sorted(without(ALL, ['fragrance']))]);
  });

  it('do not say which of two an eye cream belongs to', async () => {
    const named = 'body lotion, eye shadow, mascara, eyeliner, lipstick, roll-on deodorant';
    const [, others, listed] = await scopes(
      'rinse-off hair products',
      `other products except ${named}`,
      named,
    );
    expect(others).toContain('face-leave-on');
    expect(others).not.toContain('eye-leave-on');
    expect(listed).toBeNull();
  });

  it('cover a type once: the tier for fewer types counts', async () => {
    expect(await scopes('leave-on', 'deodorant/antiperspirant')).toEqual([
      sorted(without(LEAVE_ON, ['deodorant', 'deodorant-spray'])),
      ['deodorant', 'deodorant-spray'],
    ]);
  });

  it('cover a type in both where each is for as many types', async () => {
    expect(await scopes('soap, toothpaste', 'soap, mouthwash')).toEqual([
      ['soap', 'toothpaste'],
      ['mouthwash', 'soap'],
    ]);
  });

  it('have products for the mouth apart where one names them', async () => {
    expect(await scopes('rinse-off', 'other leave-on and oral products')).toEqual([
      sorted(without(RINSE_OFF, ORAL)),
      sorted([...LEAVE_ON, ...ORAL]),
    ]);
  });

  it('are those of one kind: a duty to declare leaves nothing over', async () => {
    const { limits } = await readSample(
      { scope: 'leave-on', limit: '0.001', unit: '% declaration threshold' },
      { scope: 'other products', limit: '1' },
    );
    expect(limits.map(({ productTypes }) => productTypes?.length ?? null)).toEqual([LEAVE_ON.length, null]);
  });

  it('are unknown where there are more than any table has', async () => {
    const known = async (length: number) => {
      const { limits } = await readSample(
        ...Array.from({ length }, (): SampleRow => ({ scope: 'leave-on', limit: '1' })),
      );
      return limits.filter(({ productTypes }) => productTypes !== null).length;
    };
    expect([await known(100), await known(101)]).toEqual([100, 0]);
  });
});

describe('a sum', () => {
  const sums = (...rows: readonly SampleRow[]) =>
    readSample(...rows.map((row) => ({ limit: '1', ...row }))).then(({ limits }) =>
      limits.map(({ sumGroup, basis }) => ({ sumGroup, basis })),
    );

  it('of one row has a group of its own, for each tier', async () => {
    const names = 'EXAMPLIN; EXAMPLIN OXIDE';
    const [one, other] = await sums(
      { names, unit: '% as acid, sum', scope: 'leave-on' },
      { names, unit: '% as acid, sum', scope: 'rinse-off' },
    );
    expect(one).toEqual({ sumGroup: 'III/901: leave-on: sum', basis: 'acid' });
    expect(other!.sumGroup).not.toBe(one!.sumGroup);
  });

  it('of the form with nano and that without is one group', async () => {
    const [plain, nano] = await sums(
      { entry: '901', names: 'ZINC EXAMPLE', unit: '%, sum with the nano form' },
      { entry: '901a', names: 'ZINC EXAMPLE (NANO)', unit: '%, sum with the non-nano form' },
    );
    expect(plain).toEqual({ sumGroup: 'III: zinc example, with and without nano', basis: null });
    expect(nano).toEqual(plain);
  });

  it('with a nano form that is not in the file is not certain', async () => {
    expect(await sums({ unit: '%, sum with the nano form' })).toEqual([
      { sumGroup: null, basis: 'sum with the nano form' },
    ]);
  });

  it('of two entries has the rows of both that have a sum and the same limit', async () => {
    const all = await sums(
      { entry: '912', unit: '% as acid, single ester', limit: '0.4' },
      { entry: '912', unit: '% as acid, sum of esters' },
      { entry: '912a', names: 'OTHER', unit: '% as acid, sum of butyl and propyl', limit: '0.14' },
      { entry: '912a', names: 'OTHER', unit: '% as acid, sum of entries 912 and 912a' },
    );
    expect(all.map(({ sumGroup }) => sumGroup)).toEqual([
      null,
      'III/912 + 912a',
      `III/912a: ${ALL_PRODUCTS}: sum of butyl and propyl`,
      'III/912 + 912a',
    ]);
  });

  it('of an entry that is not in the file is not certain', async () => {
    const [row] = await sums({ entry: '912', unit: '% as acid, sum of entries 912 and 912a' });
    expect(row).toEqual({ sumGroup: null, basis: 'acid, sum of entries 912 and 912a' });
  });

  it.each([
    '% as acid, sum of entries 12 and 99',
    '% alone or combined with methyl examplate',
    '%, examplin alone or with the substances of entry 286',
  ])('whose members are not certain takes the place of the basis: %s', async (unit) => {
    const [row] = await sums({ unit });
    expect(row!.sumGroup).toBeNull();
    expect(row!.basis).toMatch(/sum of entries 12 and 99|combined with|alone or with/);
  });

  it('of declared substances has the name of the group', async () => {
    const unit = '% declaration threshold, not a maximum';
    const condition =
      "declare under the group name 'Example Oil', when the substances together exceed the threshold";
    const [leaveOn] = await sums({ scope: 'leave-on', unit, condition });
    expect(leaveOn!.sumGroup).toBe('III/901: leave-on: declared together as Example Oil');
  });
});
