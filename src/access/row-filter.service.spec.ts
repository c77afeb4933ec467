import type { CurrentUser } from '../common/current-user';
import type { ReadableRecords } from './readable-records';
import type { DatabaseService, Statement } from '../database/database.service';
import { RowFilter } from './row-filter';
import { kindsOf, RowFilterService } from './row-filter.service';

const USER: CurrentUser = { id: 'me', username: 'me', role: 'engineer' };

const GOOD = {
  types: ['uuid'],
  values: (user: CurrentUser) => [user.id],
  conditions: { batch: (row: string, [team]: readonly string[]) => `${row}.team = ${team}` },
};

const asking = () => jest.fn<Promise<never[]>, [Statement, unknown[]]>(() => Promise.resolve([]));

async function start(readable: unknown, query = asking()) {
  const rowFilters = new RowFilterService();
  const database = { query } as unknown as DatabaseService;
  await rowFilters.restrict('TeamModule', readable as ReadableRecords, { batch: 'ext_batches' }, database);
  return { rowFilters, query };
}

describe('RowFilterService', () => {
  it('of which nothing is known yet let nobody read', async () => {
    await expect(new RowFilterService().of(USER)).rejects.toThrow('when the application has started');
  });

  it('without conditions let everybody read everything', async () => {
    expect(await RowFilterService.ofEverything().of(USER)).toBe(RowFilter.EVERYTHING);
  });

  it('try each condition out on its table, with nulls of its types', async () => {
    const { query } = await start(GOOD);
    expect(query.mock.calls.map(([{ text }, values]) => [text, values])).toEqual([
      [
        'SELECT FROM ext_batches checked, ext_batches other_row ' +
          'WHERE (/* CUSTOM_ACCESS_POLICY: batch */ checked.team = $1::uuid) LIMIT 0',
        [null],
      ],
    ]);
  });

  it('give each caller his values, and a filter as it is', async () => {
    const { rowFilters } = await start(GOOD);
    const filter = await rowFilters.of(USER);
    expect(filter.for('batch', 'b', 1).values).toEqual(['me']);
    expect(await rowFilters.of(filter)).toBe(filter);
    expect(await rowFilters.of(RowFilter.EVERYTHING)).toBe(RowFilter.EVERYTHING);
  });

  it('take the words for all and for nothing', async () => {
    const said = async (values: string) =>
      (await start({ ...GOOD, values: () => values })).rowFilters.of(USER);
    expect(await said('everything')).toBe(RowFilter.EVERYTHING);
    expect(await said('nothing')).toBe(RowFilter.NOTHING);
  });

  it.each([undefined, null, 'id', {}])('do not take %j for a user', async (nobody) => {
    const { rowFilters } = await start({ ...GOOD, values: () => 'everything' });
    await expect(rowFilters.of(nobody as CurrentUser)).rejects.toThrow(TypeError);
  });

  it.each([
    ['[]', [], '0 values'],
    ['two values', [1, 2], '2 values'],
    ['nothing at all', undefined, 'undefined'],
    ['another word', 'all', 'string'],
    ['an object', { length: 1 }, 'object'],
  ])('end what is asked where the policy gives %s', async (_, values, given) => {
    const { rowFilters } = await start({ ...GOOD, values: () => values });
    await expect(rowFilters.of(USER)).rejects.toThrow(
      `CUSTOM_ACCESS_POLICY in TeamModule: values() of readable() gave ${given}, and types names 1.`,
    );
  });

  it('pass on what the policy throws', async () => {
    const failure = new Error('no team');
    const { rowFilters } = await start({ ...GOOD, values: () => Promise.reject(failure) });
    await expect(rowFilters.of(USER)).rejects.toBe(failure);
  });

  const batch = (condition: unknown) => ({ ...GOOD, conditions: { batch: condition } });
  it.each([
    [undefined, 'readable() must give an object'],
    [Promise.resolve(GOOD), 'readable() must give an object'],
    [{ ...GOOD, values: ['a'] }, 'values of readable() must be a function'],
    [{ ...GOOD, types: undefined }, 'types of readable() must be a list of names of PostgreSQL types'],
    [{ ...GOOD, types: ['uuid; DROP'] }, 'types of readable() must be a list of names of PostgreSQL types'],
    [{ ...GOOD, conditions: null }, 'conditions of readable() must be an object'],
    [
      { ...GOOD, conditions: { colour: () => 'true' } },
      "there is no kind of record 'colour' (there are batch, formula, project, color, ingredient; RECORD_KINDS names others)",
    ],
    [batch('true'), 'the condition of batch must be a function'],
    [batch(() => undefined), 'the condition of batch must give a text'],
    [batch(() => ' '), 'the condition of batch must give a text'],
    [
      batch((row: string) => `${row}.team = $1`),
      "must name its parameters as they are given to it, not '$1'",
    ],
  ])('refuse the start for %j: %s', async (readable, message) => {
    const query = asking();
    const refusal = start(readable, query);
    await expect(refusal).rejects.toThrow('CUSTOM_ACCESS_POLICY in TeamModule: ');
    await expect(refusal).rejects.toThrow(message);
    expect(query).not.toHaveBeenCalled();
  });

  it('refuse the start for a condition that the database does not take, and say why', async () => {
    const query = asking().mockRejectedValue(new Error('column checked.team does not exist'));
    await expect(start(GOOD, query)).rejects.toThrow(
      'the condition of batch cannot be asked (column checked.team does not exist).',
    );
  });
});

describe('kindsOf', () => {
  it('gathers what modules name', () => {
    const kinds = kindsOf([
      { place: 'A', value: { batch: 'ext_batches' } },
      { place: 'B', value: { 'stability-test': 'ext_tests', batch: 'ext_batches' } },
    ]);
    expect(kinds).toEqual({ batch: 'ext_batches', 'stability-test': 'ext_tests' });
  });

  it.each([
    ['batch', 'it must be an object of kinds and their tables'],
    [{ 'a b': 't' }, "'a b' is no name of a kind"],
    [{ batch: 't; DROP' }, 'batch has no name of a table'],
    [{ batch: undefined }, 'batch has no name of a table'],
    [{ formula: 't' }, 'formula is named already'],
    [{ known: 'other' }, 'known is named already'],
  ])('refuses %j, naming the module', (value, message) => {
    const named = [
      { place: 'A', value: { known: 'one' } },
      { place: 'B', value },
    ];
    expect(() => kindsOf(named)).toThrow(`RECORD_KINDS in B: ${message}.`);
  });
});
