import { DataSource } from 'typeorm';
import { type Account, bootApp, type TestApp } from '../support/app';
import { expectError, expectKeys, TIMESTAMP } from '../support/answers';
import { createFormula, createIngredient, createProject, wholeOf } from '../support/factories';
import { countStatements } from '../support/statements';

interface Listed {
  id: string;
  name: string;
  project: { id: string; name: string } | null;
  updatedAt: string;
}

const KEYS = [
  'id',
  'name',
  'description',
  'currentVersion',
  'createdBy',
  'createdAt',
  'updatedAt',
  'project',
];

let service: TestApp;
let user: Account;
let database: DataSource;
let ingredientId: string;

beforeAll(async () => {
  service = await bootApp();
  user = await service.register();
  database = service.app.get(DataSource);
  ({ id: ingredientId } = await createIngredient(user));
});

afterAll(() => service.close());

const list = async (query = ''): Promise<{ data: Listed[]; pagination: Record<string, number> }> =>
  (await user.get(`/api/formulas${query}`).expect(200)).body;
const names = async (query = '') => (await list(query)).data.map(({ name }) => name);
const search = async (text: string) =>
  (await names(`?search=${encodeURIComponent(text)}&sortBy=name&sortOrder=asc`)) as unknown[];
const create = (name: string, description?: string, overrides: object = {}) =>
  createFormula(user, wholeOf(ingredientId), { name, description, ...overrides });
const forget = () => database.query('DELETE FROM formulas');

describe('GET /api/formulas', () => {
  beforeEach(forget);

  it('is a list envelope, and an empty list has no pages', async () => {
    const body = await list();
    expect(body).toEqual({ data: [], pagination: { page: 1, limit: 20, total: 0, totalPages: 0 } });
  });

  it('shows exactly eight keys of a formula', async () => {
    const project = await createProject(user, { name: '项目甲' });
    const plain = await create('素');
    const full = await create('全', '说明', { projectId: project.id });
    const { data } = await list('?sortBy=createdAt&sortOrder=asc');
    for (const formula of data) {
      expectKeys(formula, KEYS);
      expect(formula.updatedAt).toMatch(TIMESTAMP);
    }
    const shown = (formula: Record<string, unknown>) =>
      Object.fromEntries(KEYS.map((key) => [key, formula[key]]));
    expect(data).toEqual([shown(plain), shown(full)]);
    expect(data[1]!.project).toEqual({ id: project.id, name: '项目甲' });
    expect(data[0]!.project).toBeNull();
  });

  it('shows the current version’s number', async () => {
    const { id } = await create('x');
    await user.put(`/api/formulas/${id}/composition`, { phases: wholeOf(ingredientId) }).expect(200);
    expect((await list()).data[0]).toMatchObject({ currentVersion: 2 });
  });

  it('sorts by updatedAt, newest first, unless told otherwise', async () => {
    const first = await create('乙');
    await create('甲');
    await create('丙');
    // A moment of its own for each, further apart than the clock's resolution.
    await database.query(
      `UPDATE formulas SET created_at = updated_at, updated_at = timestamptz '2026-01-01' +
         CASE name WHEN '乙' THEN interval '0 s' WHEN '甲' THEN interval '1 s' ELSE interval '2 s' END`,
    );
    await database.query(
      `UPDATE formulas SET created_at = timestamptz '2026-01-01' -
         CASE name WHEN '乙' THEN interval '0 s' WHEN '甲' THEN interval '1 s' ELSE interval '2 s' END`,
    );
    expect(await names()).toEqual(['丙', '甲', '乙']);
    expect(await names('?sortBy=updatedAt&sortOrder=asc')).toEqual(['乙', '甲', '丙']);
    expect(await names('?sortBy=createdAt')).toEqual(['乙', '甲', '丙']);
    expect(await names('?sortBy=createdAt&sortOrder=asc')).toEqual(['丙', '甲', '乙']);
    expect(await names('?sortOrder=asc')).toEqual(['乙', '甲', '丙']);
    expect(await names('?sortBy=&sortOrder=')).toEqual(['丙', '甲', '乙']);
    await user.put(`/api/formulas/${first.id}`, { description: '新' }).expect(200);
    expect(await names()).toEqual(['乙', '丙', '甲']);
  });

  it('sorts by name', async () => {
    for (const name of ['b', 'c', 'a']) await create(name);
    expect(await names('?sortBy=name&sortOrder=asc')).toEqual(['a', 'b', 'c']);
    expect(await names('?sortBy=name')).toEqual(['c', 'b', 'a']);
  });

  it.each([
    ['limit=101', 'limit: 不能大于100'],
    ['limit=0', 'limit: 不能小于1'],
    ['page=0', 'page: 不能小于1'],
    ['page=x', 'page: 必须是整数'],
    ['page=2147483648', 'page: 不能大于2147483647'],
    ['sortBy=id', 'sortBy: 必须是以下值之一: createdAt, updatedAt, name'],
    ['sortBy=constructor', 'sortBy: 必须是以下值之一: createdAt, updatedAt, name'],
    ['sortBy=NAME', 'sortBy: 必须是以下值之一: createdAt, updatedAt, name'],
    ['sortBy=name&sortBy=name', 'sortBy: 必须是以下值之一: createdAt, updatedAt, name'],
    ['sortOrder=DESC', 'sortOrder: 必须是以下值之一: asc, desc'],
    ['search=a&search=b', 'search: 必须是字符串'],
    ['search=%00', 'search: 不能包含空字符'],
    [
      'limit=0&sortBy=x&sortOrder=y',
      'sortBy: 必须是以下值之一: createdAt, updatedAt, name; sortOrder: 必须是以下值之一: asc, desc; limit: 不能小于1',
    ],
  ])('refuses ?%s', async (query, error) => {
    expectError(await user.get(`/api/formulas?${query}`), 400, error);
  });

  it('pages', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await create(name);
    const second = await list('?sortBy=name&sortOrder=asc&limit=2&page=2');
    expect(second.data.map(({ name }) => name)).toEqual(['c', 'd']);
    expect(second.pagination).toEqual({ page: 2, limit: 2, total: 5, totalPages: 3 });
    const beyond = await list('?page=2147483647&limit=100');
    expect(beyond.data).toEqual([]);
    expect(beyond.pagination).toEqual({ page: 2147483647, limit: 100, total: 5, totalPages: 1 });
  });

  it.each(['updatedAt', 'createdAt', 'name'])('pages by %s never overlap among equals', async (sortBy) => {
    await database.query(
      `INSERT INTO formulas (name, created_by, created_at, updated_at)
       SELECT '并列', $1, '2026-01-01', '2026-01-01' FROM generate_series(1, 35)`,
      [user.id],
    );
    // The whole list may come by an index that holds the ids too and hides a missing tie-break; a search is
    // sorted.
    for (const filter of ['', '&search=并列']) {
      for (const sortOrder of ['asc', 'desc']) {
        const seen: string[] = [];
        for (const page of [1, 2, 3, 4]) {
          const query = `limit=10&page=${page}&sortBy=${sortBy}&sortOrder=${sortOrder}${filter}`;
          seen.push(...(await list(`?${query}`)).data.map(({ id }) => id));
        }
        expect(seen).toHaveLength(35);
        expect(new Set(seen).size).toBe(35);
        expect(seen).toEqual(sortOrder === 'asc' ? seen.toSorted() : seen.toSorted().toReversed());
      }
    }
  });
});

describe('GET /api/formulas?search', () => {
  beforeAll(async () => {
    await forget();
    await create('保湿面霜', '清爽不油腻');
    await create('Moisturizing Cream', 'For dry skin, 24h');
    await create('Sunscreen SPF50', 'Broad spectrum');
    await create('Sunscreen SPF30');
    await create('100%_Oil\\Serum', 'Phenoxyethanol free');
    await create('氨基酸洁面乳', 'Amino acid cleanser');
  });

  it.each([
    // literal: any part of name or description, regardless of case
    ['cream', ['Moisturizing Cream']],
    ['CREAM', ['Moisturizing Cream']],
    ['screen spf', ['Sunscreen SPF30', 'Sunscreen SPF50']],
    ['面', ['保湿面霜', '氨基酸洁面乳']],
    ['保湿', ['保湿面霜']],
    ['油腻', ['保湿面霜']],
    ['SPECTRUM', ['Sunscreen SPF50']],
    ['%', ['100%_Oil\\Serum']],
    ['_', ['100%_Oil\\Serum']],
    ['\\', ['100%_Oil\\Serum']],
    ['%_', ['100%_Oil\\Serum']],
    ['S%n', []],
    ['_ream', []],
    ["'; DROP TABLE formulas; --", []],
    // forgiving
    ['moisturising', ['Moisturizing Cream']],
    ['moisturising creem', ['Moisturizing Cream']],
    ['cream moisturizing', ['Moisturizing Cream']],
    ['Sunscren', ['Sunscreen SPF30', 'Sunscreen SPF50']],
    ['phenoxyethanl', ['100%_Oil\\Serum']],
    // digits are literal, and every word must match
    ['sunscren spf50', ['Sunscreen SPF50']],
    ['sunscreen spf51', []],
    ['Sunscren SPF', ['Sunscreen SPF30', 'Sunscreen SPF50']],
    ['sunscren cleanser', []],
    // short words are literal
    ['crem', ['Moisturizing Cream']],
    ['slin', []],
    ['drx', []],
    // nothing similar stays nothing
    ['no such thing', []],
    ['zzzz', []],
    ['防晒霜喷雾剂', []],
  ])('%s', async (text, expected) => {
    expect(await search(text)).toEqual(expected);
  });

  it('an empty search lists everything, a blank one what holds a blank', async () => {
    expect((await list('?search=')).pagination.total).toBe(6);
    expect(await search(' ')).toHaveLength(5);
    // A run of blanks is one.
    expect(await search('   ')).toHaveLength(5);
  });

  it('forgives only when nothing in the whole table contains the text, not when a page is empty', async () => {
    const beyond = await list('?search=sunscreen&page=2');
    expect(beyond).toEqual({
      data: [],
      pagination: { page: 2, limit: 20, total: 2, totalPages: 1 },
    });
    const forgiven = await list('?search=sunscren&limit=1&page=2');
    expect(forgiven.data).toHaveLength(1);
    expect(forgiven.pagination).toEqual({ page: 2, limit: 1, total: 2, totalPages: 2 });
  });

  it('forgives nothing where a single formula contains the text', async () => {
    const { id } = await create('Moisturising Lotion');
    expect(await search('moisturising')).toEqual(['Moisturising Lotion']);
    await user.delete(`/api/formulas/${id}`).expect(204);
    expect(await search('moisturising')).toEqual(['Moisturizing Cream']);
  });

  it('sorts what it finds', async () => {
    expect(await names('?search=sunscreen&sortBy=name&sortOrder=desc')).toEqual([
      'Sunscreen SPF50',
      'Sunscreen SPF30',
    ]);
    expect(await names('?search=sunscren&sortBy=name&sortOrder=asc')).toEqual([
      'Sunscreen SPF30',
      'Sunscreen SPF50',
    ]);
  });

  it('does not look into compositions', async () => {
    expect(await search('测试成分')).toEqual([]);
  });

  it('takes a constant number of statements', async () => {
    expect(await countStatements(() => list('?limit=1'))).toBe(2);
    expect(await countStatements(() => list('?limit=100'))).toBe(2);
    expect(await countStatements(() => list('?limit=1&search=screen'))).toBe(2);
    expect(await countStatements(() => list('?limit=100&search=screen'))).toBe(2);
    // Nothing contains it: the known words like it, and what has them.
    expect(await countStatements(() => list('?limit=100&search=sunscren'))).toBe(4);
    expect(await countStatements(() => list('?limit=100&search=sunscren spectrun moistureizing'))).toBe(4);
  });
});
