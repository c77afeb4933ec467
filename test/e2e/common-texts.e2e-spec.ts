import { DataSource } from 'typeorm';
import { type Account, bootApp, type TestApp } from '../support/app';

/* Texts that many formulas contain: every page is that of the whole order. */

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
describe('A text that many formulas contain', () => {
  const LISTINGS = (['updatedAt', 'createdAt', 'name'] as const).flatMap((sortBy) =>
    (['asc', 'desc'] as const).flatMap((sortOrder) =>
      [
        { page: 1, limit: 20 },
        { page: 3, limit: 7 },
        { page: 1, limit: 1 },
        { page: 20, limit: 100 },
      ].map((page): Listing => ({ sortBy, sortOrder, ...page })),
    ),
  );

  it.each(['everywhere', 'EveryWhere', 'third', '三分', 'oldest', 'seldom'])(
    '%s is found page by page in every order',
    async (search) => {
      for (const listing of LISTINGS) {
        expect(await answer({ search, ...listing })).toEqual(await expected(search, listing));
      }
    },
  );
});
