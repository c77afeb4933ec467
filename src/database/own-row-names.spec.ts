import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasOwnTable, OWN_ROW_NAMES } from './own-row-names';

describe('The names of rows', () => {
  it('are those that the statements give them', () => {
    const root = join(__dirname, '..');
    const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /(?<![.]spec)[.]ts$/.test(file),
    );
    const used = sources.flatMap((file) =>
      [
        ...readFileSync(join(root, file), 'utf8').matchAll(
          /(?:readable\.(\w+)\(|mayRead\('(\w+)', )'(\w+)'\)/g,
        ),
      ].map(([, own, named, row]) => [own ?? named, row] as [keyof typeof OWN_ROW_NAMES, string]),
    );
    expect(used.length).toBeGreaterThan(10);
    expect(used.filter(([kind, row]) => !OWN_ROW_NAMES[kind]?.includes(row))).toEqual([]);
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
    ['EXISTS (SELECT FROM (SELECT 1) AS f)', 'f'],
    ['EXISTS (SELECT FROM unnest($1) f)', 'f'],
    ['EXISTS (SELECT FROM formulas WHERE formulas.id = row.id)', 'formulas'],
    ['EXISTS (SELECT FROM public.formulas WHERE id = row.id)', 'formulas'],
    ['EXISTS (SELECT FROM formulas)', 'formulas'],
  ])('%s has a table of its own that is called %s', (text, row) => expect(hasOwnTable(text, row)).toBe(true));

  it.each([
    ['row.created_by = {value 0}::uuid', 'f'],
    ['EXISTS (SELECT FROM ext_shares s WHERE s.f = row.id)', 'f'],
    ['EXISTS (SELECT FROM formulas other WHERE other.id = row.id)', 'formulas'],
    ['EXISTS (SELECT FROM formulas AS other WHERE other.id = row.id)', 'formulas'],
    [`row.name LIKE 'f.%' AND row.name <> 'FROM x f'`, 'f'],
    ['row.id IN (SELECT m.user_id FROM ext_team_members m WHERE m.team_id = {value 1}::uuid)', 'p'],
    ['row.id = ANY (f_of({value 0}))', 'f'],
  ])('%s has none that is called %s', (text, row) => expect(hasOwnTable(text, row)).toBe(false));
});
