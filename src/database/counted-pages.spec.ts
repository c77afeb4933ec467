import { idsOfPage, keptCount, keptCountsByPart, orderBy, pageOf } from './counted-pages';

const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

it('a kept number is a sum of changes, of one part or of all', () => {
  expect(plain(keptCount('formulas'))).toBe(
    `SELECT coalesce(sum(delta), 0)::bigint FROM record_counts WHERE list = 'formulas'`,
  );
  expect(plain(keptCount('ingredients', '$1'))).toBe(
    `SELECT coalesce(sum(delta), 0)::bigint FROM record_counts WHERE list = 'ingredients' AND part = $1`,
  );
  const byPart = (condition: string) =>
    `SELECT part, sum(delta)::bigint AS records FROM record_counts WHERE ${condition} GROUP BY part HAVING sum(delta) <> 0`;
  expect(plain(keptCountsByPart('formulas of project'))).toBe(byPart(`list = 'formulas of project'`));
});

it('an order names each column with its direction', () => {
  expect(
    orderBy([
      ['created_at', 'DESC'],
      ['id', 'ASC'],
    ]),
  ).toBe('ORDER BY created_at DESC, id ASC');
});

it('the ids of a page are read along the order or against it', () => {
  const text = plain(
    idsOfPage({
      from: 'things',
      where: 'WHERE kind = $1',
      order: [
        ['name', 'DESC'],
        ['id', 'ASC'],
      ],
      limit: '$2',
      offset: '$3',
    }),
  );
  expect(text).toBe(
    plain(`SELECT id FROM (
      (SELECT id FROM things WHERE kind = $1 ORDER BY name DESC, id ASC
       LIMIT (SELECT CASE WHEN 2 * $3 <= total THEN $2 ELSE 0 END FROM counted) OFFSET (SELECT $3))
      UNION ALL
      (SELECT id FROM things WHERE kind = $1 ORDER BY name ASC, id DESC
       LIMIT (SELECT CASE WHEN 2 * $3 <= total THEN 0 ELSE greatest(least($2, total - $3), 0) END FROM counted)
       OFFSET (SELECT greatest(total - $3 - $2, 0) FROM counted))
      ) near LIMIT 100`),
  );
});

it('the ids of a page of what is found have one plan for all limits and offsets', () => {
  const text = plain(pageOf('found_id', [['key', 'DESC']], 4));
  expect(text).toBe(
    plain(`SELECT found_id FROM (
      SELECT found_id FROM found ORDER BY key DESC
      LIMIT (SELECT $4::bigint) OFFSET (SELECT $5::bigint)) page LIMIT 100`),
  );
});
