import { loggedError } from '../common/errors/logged-error';
import type { CurrentUser } from '../common/current-user';
import { filteredKinds } from '../database/database-errors';
import type { DatabaseService, Statement } from '../database/database.service';
import type { ReadableRecords } from './access-policy';
import { kindsOf, mentions, RowFilter, RowFilterService, RECORD_TABLES } from './row-filter';

const RULES = {
  types: ['uuid', 'text[]'],
  conditions: new Map([
    ['formula', (row: string, [user, team]: readonly string[]) => `${row}.a = ${team} OR ${row}.b = ${user}`],
    ['batch', (row: string, [, team]: readonly string[]) => `${row}.c = ${team}`],
  ]),
  kinds: new Set(['formula', 'project', 'batch']),
};
const filter = RowFilter.by(RULES, ['me', ['x']]);

describe('RowFilter', () => {
  it('gives a condition in brackets with its values, numbered from the given parameter on', () => {
    expect(filter.for('formula', 'f', 3)).toEqual({
      sql: '(/* CUSTOM_ACCESS_POLICY: formula */ f.a = $3::text[] OR f.b = $4::uuid)',
      values: [['x'], 'me'],
    });
    expect(filter.for('batch', 'b', 11)).toEqual({
      sql: '(/* CUSTOM_ACCESS_POLICY: batch */ b.c = $11::text[])',
      values: [['x']],
    });
  });

  it('passes every row of a kind without a condition', () => {
    expect(filter.for('project', 'p', 1)).toEqual({ sql: '(true)', values: [] });
  });

  it('knows no kind that is not named, so that a misspelt one shows nothing', () => {
    expect(() => filter.for('formulas', 'f', 1)).toThrow(
      "There is no kind of record 'formulas': name it under RECORD_KINDS",
    );
  });

  it('refuses a condition that uses the name of the row for a table of its own', () => {
    const captured = RowFilter.by(
      {
        ...RULES,
        conditions: new Map([['batch', (row: string) => `EXISTS (SELECT FROM x b WHERE b.id = ${row}.id)`]]),
      },
      [null, null],
    );
    expect(() => captured.for('batch', 'b', 1)).toThrow('has a table that it calls b');
    expect(captured.for('batch', 'other', 1).sql).toContain('b.id = other.id');
  });

  it('passes every row of whoever may read everything, and none of whoever may read nothing', () => {
    expect(RowFilter.EVERYTHING.for('formula', 'f', 1)).toEqual({ sql: '(true)', values: [] });
    expect(RowFilter.NOTHING.for('formula', 'f', 1)).toEqual({ sql: '(false)', values: [] });
  });

  it("numbers the conditions of a statement after the statement's own values, each condition once", () => {
    const [statement, values] = filter.statement(
      'n',
      ['id', 5],
      (readable) => `${readable('batch', 'b')} ${readable('formula', 'f')} ${readable('batch', 'b')}`,
    );
    const batch = '(/* CUSTOM_ACCESS_POLICY: batch */ b.c = $3::text[])';
    const formula = '(/* CUSTOM_ACCESS_POLICY: formula */ f.a = $4::text[] OR f.b = $5::uuid)';
    expect(statement).toEqual({ name: 'n:readable', text: `${batch} ${formula} ${batch}` });
    expect(values).toEqual(['id', 5, ['x'], ['x'], 'me']);
    expect(RowFilter.EVERYTHING.statement(undefined, [], (readable) => readable('formula', 'f'))).toEqual([
      { name: undefined, text: '(true)' },
      [],
    ]);
  });

  it('names prepared statements by what is filtered: one name is one text', () => {
    const named = [RowFilter.EVERYTHING, RowFilter.NOTHING, filter].map((one) => one.named('n'));
    expect(named).toEqual(['n', 'n:nothing', 'n:readable']);
  });

  it('says of which kinds records may be hidden', () => {
    const restricted = (one: RowFilter) => ['formula', 'project', 'batch'].map((kind) => one.restricts(kind));
    expect(restricted(filter)).toEqual([true, false, true]);
    expect(restricted(RowFilter.EVERYTHING)).toEqual([false, false, false]);
    expect(restricted(RowFilter.NOTHING)).toEqual([true, true, true]);
  });

  it('leaves in a statement whose conditions it has', () => {
    const [formula, batch] = [filter.for('formula', 'f', 1), filter.for('batch', 'b', 3)];
    expect(filteredKinds(`SELECT ${formula.sql} ${batch.sql} ${batch.sql}`)).toEqual(['formula', 'batch']);
    expect(filteredKinds('SELECT 1')).toEqual([]);
  });
});

describe('A condition', () => {
  it.each([
    ['EXISTS (SELECT FROM ext_shares f WHERE f.formula_id = row.id)', 'f'],
    ['EXISTS (SELECT FROM ext_shares AS F WHERE formula_id = row.id)', 'f'],
    ['EXISTS (SELECT FROM ext_shares "f" WHERE "f".formula_id = row.id)', 'f'],
    ['EXISTS (SELECT FROM a JOIN public.b f ON true)', 'f'],
    ['EXISTS (SELECT FROM a, b f)', 'f'],
    ['EXISTS (SELECT FROM (SELECT 1) f)', 'f'],
    ['EXISTS (SELECT FROM unnest($1) f)', 'f'],
    ['EXISTS (SELECT FROM public.formulas WHERE id = row.id)', 'formulas'],
    // A column of that name is refused as well: nothing hidden shows.
    ['EXISTS (SELECT FROM ext_shares s WHERE s.f = row.id)', 'f'],
  ])('%s uses the name %s', (text, row) => expect(mentions(text, row)).toBe(true));

  it.each([
    ['row.created_by = {value 0}::uuid', 'f'],
    ['EXISTS (SELECT FROM formulas other WHERE other.id = row.id)', 'f'],
    [`row.name LIKE 'f.%' AND row.name <> 'FROM x f'`, 'f'],
    ['row.id IN (SELECT m.user_id FROM ext_team_members m WHERE m.team_id = {value 1}::uuid)', 'p'],
    ['row.id = ANY (f_of({value 0}))', 'f'],
  ])('%s does not use the name %s', (text, row) => expect(mentions(text, row)).toBe(false));
});

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
    await expect(new RowFilterService().of(USER)).rejects.toThrow('before the application has started');
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
    const origin = 'CUSTOM_ACCESS_POLICY in TeamModule: values() of readable()';
    expect(loggedError(failure)).toMatchObject({ origin });
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
      `there is no kind of record 'colour' (there are ${['batch', ...Object.keys(RECORD_TABLES)].join(', ')}; RECORD_KINDS names others)`,
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
