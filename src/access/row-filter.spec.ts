import { filteredKinds } from '../database/database-errors';
import { mentions, RowFilter } from './row-filter';

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
