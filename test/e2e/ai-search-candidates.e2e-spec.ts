import { DataSource } from 'typeorm';
import { RowFilter } from '../../src/platform/access/row-filter';
import { FormulaSearchRepository } from '../../src/ai/capabilities/search-keywords/formula-search.repository';
import { type SearchFilters } from '../../src/ai/capabilities/search-keywords/search-keywords';
import { SearchQuestions } from '../../src/ai/capabilities/search-keywords/formula-search';
import { bootApp, type TestApp } from '../support/app';
import { sampled } from '../support/random-numbers';

const INGREDIENTS = 1_200;
const FORMULAS = 700;
const CANDIDATES = 200;

interface Row {
  id: string;
  name: string;
  description: string | null;
  project: string | null;
  created: number;
  /** Names and functions of the current version's ingredients. */
  lines: { names: string[]; category: string }[];
}

/** The rules of the search as plainly as they can be said. */
function naive(rows: readonly Row[], keywords: readonly string[], filters: SearchFilters): string[] {
  const has = (text: string | null, part: string): boolean =>
    text?.toLowerCase().includes(part.toLowerCase()) ?? false;
  const holds = (row: Row, part: string): boolean =>
    row.lines.some(({ names }) => names.some((name) => has(name, part)));
  const meets = (row: Row): boolean =>
    (!filters.category || row.lines.some(({ category }) => category === filters.category)) &&
    (!filters.project || has(row.project, filters.project)) &&
    (!filters.name || has(row.name, filters.name)) &&
    (filters.contains ?? []).every((part) => holds(row, part)) &&
    !(filters.avoids ?? []).some((part) => holds(row, part));
  // One or two letters among several keywords must stand alone.
  const isKeyword = (text: string | null, part: string): boolean =>
    keywords.length > 1 && /^[a-z]{1,2}$/.test(part)
      ? new RegExp(`\\b${part}s?\\b`, 'i').test(text ?? '')
      : has(text, part);
  const matched = (row: Row): number =>
    keywords.filter((part) =>
      [row.name, row.description, ...row.lines.flatMap(({ names }) => names)].some((text) =>
        isKeyword(text, part),
      ),
    ).length;
  return rows
    .filter((row) => meets(row) && (keywords.length === 0 || matched(row) > 0))
    .map((row) => ({ row, matched: matched(row) }))
    .sort((a, b) => b.matched - a.matched || b.row.created - a.row.created || (a.row.id < b.row.id ? -1 : 1))
    .slice(0, CANDIDATES)
    .map(({ row, matched: count }) => `${row.id} ${count}`);
}

describe('The candidates of a search', () => {
  let app: TestApp;
  let rows: Row[];

  beforeAll(async () => {
    app = await bootApp();
    const database = app.app.get(DataSource);
    const { id: owner } = await app.register();
    // Words that most, many, few and no ingredients have in their names; old versions hold other ingredients
    // than current ones.
    await database.query(`
      INSERT INTO ingredients (id, inci_name, chinese_name, function_category)
      SELECT md5('i' || n)::uuid, (ARRAY['Common','Common','Other'])[1 + n % 3] || ' Extract ' || n || CASE WHEN n % 97 = 0 THEN ' Rare' ELSE '' END,
             (ARRAY['保湿','舒缓','亮肤'])[1 + n / 400] || '成分', (ARRAY['sunscreen','emollient','other','other'])[1 + n % 4]
      FROM generate_series(0, ${INGREDIENTS - 1}) n`);
    await database.query(
      `INSERT INTO projects (id, name, created_by) SELECT md5('p' || n)::uuid, 'Project ' || n, $1 FROM generate_series(0, 4) n`,
      [owner],
    );
    await database.query(
      `INSERT INTO formulas (id, name, description, project_id, current_version, created_by, created_at)
       SELECT md5('f' || n)::uuid, (ARRAY['Cream','Serum','保湿霜'])[1 + n % 3] || ' ' || n, CASE WHEN n % 5 = 0 THEN 'for 100% trials' END,
              CASE WHEN n % 6 < 5 THEN md5('p' || n % 6)::uuid END, 2, $1, timestamptz '2026-01-01' + (n * 7919 % ${FORMULAS}) / 3 * interval '1 second'
       FROM generate_series(0, ${FORMULAS - 1}) n`,
      [owner],
    );
    await database.query(
      `INSERT INTO formula_versions (id, formula_id, version_number, snapshot_data, created_by)
       SELECT md5('v' || n || '-' || v)::uuid, md5('f' || n)::uuid, v, '{}', $1
       FROM generate_series(0, ${FORMULAS - 1}) n, generate_series(1, 2) v`,
      [owner],
    );
    await database.query(`
      INSERT INTO formula_phases (id, formula_version_id, name, sort_order, position)
      SELECT id, id, 'A', 1, 1 FROM formula_versions`);
    await database.query(`
      INSERT INTO formula_ingredients (formula_version_id, phase_id, ingredient_id, percentage, position)
      SELECT md5('v' || n || '-' || v)::uuid, md5('v' || n || '-' || v)::uuid,
             md5('i' || (('x' || substr(md5(n || '/' || v || '/' || l), 1, 7))::bit(28)::int % ${INGREDIENTS}))::uuid, 25, l
      FROM generate_series(0, ${FORMULAS - 1}) n, generate_series(1, 2) v, generate_series(1, 4) l`);
    rows = await database.query(`
      SELECT f.id, f.name, f.description, p.name AS project, extract(epoch FROM f.created_at)::float8 AS created,
             (SELECT json_agg(json_build_object('names', json_build_array(i.inci_name, i.chinese_name), 'category', i.function_category))
              FROM formula_versions v JOIN formula_ingredients l ON l.formula_version_id = v.id
              JOIN ingredients i ON i.id = l.ingredient_id
              WHERE v.formula_id = f.id AND v.version_number = 2) AS lines
      FROM formulas f LEFT JOIN projects p ON p.id = f.project_id`);
  });
  afterAll(() => app.close());

  const WORDS = [
    'common',
    'Other',
    '保湿',
    '舒缓',
    '霜',
    'extract',
    'extract 77',
    'rare',
    'cream',
    '100%',
    '_',
    'no such',
    // Without a trigram, in most names and in few.
    'e',
    '97',
  ];
  const FILTERS: SearchFilters[] = [
    {},
    { category: 'sunscreen' },
    // More ingredients than are listed.
    { category: 'other' },
    { category: 'other', avoids: ['common'] },
    { contains: ['97'] },
    { contains: ['e'], avoids: ['97'] },
    { project: 'project 3' },
    { project: 'no such' },
    { name: 'cream 1' },
    // Descriptions hold it, names do not.
    { name: 'trials' },
    { contains: ['rare'] },
    { contains: ['保湿', 'other'] },
    { contains: ['no such'] },
    { avoids: ['common'] },
    { avoids: ['rare', 'no such'] },
    { avoids: ['extract'] },
    { category: 'emollient', project: 'project', avoids: ['亮肤'], contains: ['common'] },
  ];
  const KEYWORDS = [
    [],
    ...WORDS.map((word) => [word]),
    ...WORDS.map((word, at) => [word, WORDS[(at + 1) % WORDS.length] as string]),
    ['common', '保湿', 'extract'],
    ['common', 'rare', 'extract 77'],
    ['extract', 'cream', 'rare'],
    ['e', 'cream', 'r'],
    WORDS,
  ];

  it.each(FILTERS)('are those that the rules name, in their order: %j', async (filters) => {
    for (const keywords of sampled(KEYWORDS, FILTERS.indexOf(filters))) {
      const question = await app.app.get(SearchQuestions).ofKeywords(RowFilter.EVERYTHING, keywords, filters);
      const found = await app.app.get(FormulaSearchRepository).candidates(RowFilter.EVERYTHING, question);
      expect({ keywords, found: found.map(({ id, matched }) => `${id} ${matched}`) }).toEqual({
        keywords,
        found: naive(rows, keywords, filters),
      });
    }
  });

  it('the data has common, rare and absent words', () => {
    const found = (keywords: string[], filters: SearchFilters = {}) => naive(rows, keywords, filters).length;
    expect(found(['extract'])).toBe(CANDIDATES);
    expect(found(['common', '保湿', 'extract'])).toBe(CANDIDATES);
    expect(found(['rare'])).toBeGreaterThan(10);
    expect(found(['extract'], { contains: ['rare'] })).toBeLessThan(CANDIDATES);
    expect(found(['no such'])).toBe(0);
  });
});
