import { DataSource } from 'typeorm';
import { type Account, bootApp, type TestApp } from '../support/app';
import { recordStatements, rowsTouched } from '../support/statements';

/*
 * Texts that many formulas contain are searched for in another way from the second time on: the answers are
 * the same.
 */

const FORMULAS = 4000;

let service: TestApp;
let user: Account;
let database: DataSource;

beforeAll(async () => {
  service = await bootApp();
  user = await service.register();
  database = service.app.get(DataSource);
  // In each order others are first: every number stands in one place of each.
  await database.query(
    `INSERT INTO formulas (name, description, created_by, created_at, updated_at)
     SELECT md5('name ' || n), concat_ws(' ', 'everywhere', CASE WHEN n % 3 = 0 THEN 'third 三分' END,
              CASE WHEN n % 40 = 0 THEN 'seldom' END, CASE WHEN n <= 1600 THEN 'oldest' END),
            $1, timestamptz '2026-01-01' + n * 7919 % ${FORMULAS} * interval '1 s',
            timestamptz '2026-02-01' + n / 2 * interval '1 s'
     FROM generate_series(1, ${FORMULAS}) AS n`,
    [user.id],
  );
  await database.query('VACUUM ANALYZE formulas');
});
afterAll(() => service.close());

const answer = async (query: Record<string, string | number>) => {
  const { body } = await user.get(
    `/api/formulas?${new URLSearchParams(query as Record<string, string>).toString()}`,
  );
  const { data, pagination } = body as { data: { id: string }[]; pagination: { total: number } };
  return { ids: data.map(({ id }) => id), total: pagination.total };
};

/** What a plain reading of the texts finds. */
async function expected(text: string, { sortBy, sortOrder, page, limit }: Listing) {
  const column = { updatedAt: 'updated_at', createdAt: 'created_at', name: 'name' }[sortBy];
  const found: { id: string }[] = await database.query(
    `SELECT id FROM formulas WHERE name || ' ' || description ILIKE '%' || $1 || '%'
     ORDER BY ${column} ${sortOrder}, id ${sortOrder}`,
    [text],
  );
  const ids = found.map(({ id }) => id);
  return { ids: ids.slice((page - 1) * limit, page * limit), total: ids.length };
}

interface Listing {
  sortBy: 'updatedAt' | 'createdAt' | 'name';
  sortOrder: 'asc' | 'desc';
  page: number;
  limit: number;
}
const FIRST: Listing = { sortBy: 'updatedAt', sortOrder: 'desc', page: 1, limit: 20 };

/** Names of the statements of one search. */
const namesOf = async (query: Record<string, string | number>) =>
  (await recordStatements(() => answer(query)))
    .map(({ name }) => name)
    .filter((name) => name?.startsWith('formulas.'));

const byText = (order: string) => [`formulas.search.text.${order}.0-1-false`];

describe('A text that many formulas contain', () => {
  const LISTINGS = (['updatedAt', 'createdAt', 'name'] as const).flatMap((sortBy) =>
    (['asc', 'desc'] as const).flatMap((sortOrder) =>
      [
        { page: 1, limit: 20 },
        { page: 3, limit: 7 },
        { page: 1, limit: 1 },
      ].map((page): Listing => ({ sortBy, sortOrder, ...page })),
    ),
  );

  it.each([
    ['everywhere', 'texts'],
    ['EveryWhere', 'texts'],
    ['third', 'index'],
    ['三分', 'index'],
  ])('%s is counted by the %s from the second time on, with the same answers', async (search, way) => {
    await answer({ search });
    for (const listing of LISTINGS) {
      const query = { search, ...listing };
      const order = `${listing.sortBy}.${listing.sortOrder}`;
      expect(await namesOf(query)).toEqual([`formulas.search.common.${way}.${order}`]);
      expect(await answer(query)).toEqual(await expected(search, listing));
    }
  });

  it('has its deep pages found among all that contain it', async () => {
    const search = 'everywhere';
    const listing = { ...FIRST, page: 20, limit: 100 };
    await answer({ search });
    expect(await namesOf({ search, ...listing })).toEqual(byText('updatedAt.desc'));
    expect(await answer({ search, ...listing })).toEqual(await expected(search, listing));
  });

  it('is searched for with less work', async () => {
    const search = 'third';
    const runner = database.createQueryRunner();
    const work = async (query: Record<string, string | number>) => {
      const asked = await recordStatements(() => answer(query));
      const searches = asked.filter(({ name }) => name?.startsWith('formulas.search'));
      expect(searches).toHaveLength(1);
      return rowsTouched(runner, searches);
    };
    await answer({ search });
    const common = await work({ search });
    // Nobody looks for this page among the first formulas.
    const ordinary = await work({ search, page: 5 });
    await runner.release();
    expect(common).toBeLessThan(0.75 * ordinary);
  });

  it('is looked for among all where the first ones do not contain it', async () => {
    const search = 'oldest';
    await answer({ search });
    const searched = await namesOf({ search });
    expect(searched).toEqual(['formulas.search.common.index.updatedAt.desc', ...byText('updatedAt.desc')]);
    for (let time = 0; time < 2; time++) {
      expect(await answer({ search })).toEqual(await expected(search, FIRST));
      expect(await namesOf({ search })).toEqual(byText('updatedAt.desc'));
    }
    // From the other end they are the first ones.
    expect(await namesOf({ search, sortOrder: 'asc' })).toEqual([
      'formulas.search.common.index.updatedAt.asc',
    ]);
    expect(await answer({ search, sortOrder: 'asc' })).toEqual(
      await expected(search, { ...FIRST, sortOrder: 'asc' }),
    );
  });

  it('is not one that few contain', async () => {
    for (let time = 0; time < 2; time++)
      expect(await namesOf({ search: 'seldom' })).toEqual(byText('updatedAt.desc'));
    expect(await answer({ search: 'seldom' })).toEqual(await expected('seldom', FIRST));
  });
});

describe('A text that most formulas contained', () => {
  const search = 'everywhere';
  beforeEach(async () => {
    await answer({ search });
  });

  it('is found in fewer after they were changed, and then in none', async () => {
    await database.query(`UPDATE formulas SET description = 'changed' WHERE name >= '4'`);
    const { total } = await answer({ search });
    expect(total).toBeGreaterThan(100);
    // It is less common now.
    expect(await namesOf({ search })).toEqual(byText('updatedAt.desc'));
    expect(await answer({ search })).toEqual(await expected(search, FIRST));
    await database.query(`UPDATE formulas SET description = 'changed' WHERE name >= '00'`);
    expect(await answer({ search })).toEqual(await expected(search, FIRST));
    expect((await answer({ search: 'changed' })).total).toBeGreaterThan(3900);
    await database.query('DELETE FROM formulas');
    expect(await answer({ search })).toEqual({ ids: [], total: 0 });
    expect(await answer({ search: 'changed' })).toEqual({ ids: [], total: 0 });
  });
});
