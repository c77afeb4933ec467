import 'reflect-metadata';
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { TextField } from '../common/validation/fields';
import { IdField } from '../common/validation/record-fields';
import { Conditions } from './conditions';
import type { Order } from './counted-pages';
import type { Database, Statement } from './database';
import { ReadAccess } from './read-access';
import { JsonRepository } from './json-repository';

@Entity('things')
class ThingEntity {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  @Column('json', { name: 'free_form', nullable: true })
  freeForm!: unknown;

  @Column('numeric', { name: 'unit_price' })
  unitPrice!: number;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}

class ThingFields {
  @IdField()
  id!: string;

  @TextField({ max: 200 })
  name!: string;

  @TextField({ max: 200 })
  unitPrice!: string;
}

const ORDER: Order = [
  ['name', 'ASC'],
  ['id', 'ASC'],
];

const { EVERYTHING } = ReadAccess;

class ThingsRepository extends JsonRepository<ThingEntity, object> {
  constructor(database: Database, deletionGroup?: string) {
    super(database, ThingEntity, ThingFields, (row) => `${row}.open`, deletionGroup);
  }

  list(where: Conditions, name = 'things.search') {
    const search = { name, group: 'searches', asked: 'SELECT 1 AS one' };
    return this.search(EVERYTHING, { ...search, where, order: ORDER }, { page: 3, limit: 10 });
  }

  listKept(where: Conditions, page = 3, access = EVERYTHING) {
    const total = 'SELECT 7';
    const listed = { name: 'things.list', where, order: ORDER, total };
    return this.countedPage(access, 'thing', listed, { page, limit: 10 });
  }
}

/** Things in a database that answers every statement with these rows. */
function start(rows: object[], deletionGroup?: string) {
  const asked: (Statement & { values: unknown })[] = [];
  const ask = (statement: Statement, values: unknown) => {
    asked.push({ ...statement, text: statement.text.replaceAll(/\s+/g, ' '), values });
    return rows;
  };
  const database = {
    query: (statement: Statement, values: unknown) => Promise.resolve(ask(statement, values)),
    findById: (statement: Statement, id: string) => Promise.resolve(ask(statement, id)[0]),
  };
  return { things: new ThingsRepository(database as unknown as Database, deletionGroup), asked };
}

const SHOWN = 'id, name, unit_price AS "unitPrice"';
const written = (write: string) =>
  `WITH written AS (${write} RETURNING *) SELECT row_to_json(shown)::text AS json FROM (SELECT ${SHOWN} FROM written) shown`;

describe('JsonRepository', () => {
  it('reads a row by its id as JSON text', async () => {
    const { things, asked } = start([{ id: 'a', json: '{"id":"a"}' }]);
    expect((await things.findById(EVERYTHING, 'a'))!.text).toBe('{"id":"a"}');
    expect(asked).toEqual([
      {
        name: 'things.by-id',
        mayPipeline: true,
        text: `SELECT id, row_to_json(shown)::text AS json FROM (SELECT ${SHOWN} FROM things WHERE id = ANY ($1::uuid[]) AND things.open) shown`,
        values: 'a',
      },
    ]);
    expect(await start([]).things.findById(EVERYTHING, 'a')).toBeUndefined();
  });

  it('writes what a new row brings, null for what is absent, and answers with what is shown', async () => {
    const { things, asked } = start([{ json: '{}' }]);
    expect((await things.create({ name: 'n', freeForm: ['x'] })).text).toBe('{}');
    expect(asked).toEqual([
      {
        name: 'things.create',
        text: written('INSERT INTO things (name, free_form, unit_price) VALUES ($1, $2, $3)'),
        values: ['n', '["x"]', null],
      },
    ]);
  });

  it('changes the columns that are given, null too', async () => {
    const { things, asked } = start([{ json: '{}' }]);
    expect(
      (await things.update(EVERYTHING, 'a', { unitPrice: 0, freeForm: null, name: undefined }))!.text,
    ).toBe('{}');
    expect(asked).toEqual([
      {
        group: 'things',
        text: written('UPDATE things SET free_form = $2, unit_price = $3 WHERE id = $1 AND things.open'),
        values: ['a', null, 0],
      },
    ]);
    expect(await start([]).things.update(EVERYTHING, 'a', { name: 'n' })).toBeUndefined();
  });

  it('with nothing to change reads the row', async () => {
    const { things, asked } = start([{ json: '{}' }]);
    expect((await things.update(EVERYTHING, 'a', { id: 'b', createdAt: new Date(0) }))!.text).toBe('{}');
    expect(asked.map(({ name }) => name)).toEqual(['things.by-id']);
  });

  it('says whether there was something to delete, in the turns of what that touches', async () => {
    const { things, asked } = start([{ id: 'a' }], 'formulas/things');
    expect(await things.delete(EVERYTHING, 'a')).toBe(true);
    expect(asked).toEqual([
      {
        name: 'things.delete',
        group: 'formulas/things',
        text: 'DELETE FROM things WHERE id = $1 AND things.open RETURNING id',
        values: ['a'],
      },
    ]);
    expect(await start([]).things.delete(EVERYTHING, 'a')).toBe(false);
  });

  it('finds rows once for their page and their number, by what is asked', async () => {
    const { things, asked } = start([{ data: '[]', total: 7 }]);
    const named = (name: string) => {
      const where = new Conditions();
      return where.and(`name = ${where.bind(name)}`);
    };
    const { rows, total } = await things.list(named('x'));
    expect([rows.text, total]).toEqual(['[]', 7]);
    await things.list(new Conditions(), 'things.search-all');
    const written = jest.spyOn(Conditions.prototype, 'text', 'get');
    await things.list(named('y'));
    // Its text is that of the first run.
    expect(written).not.toHaveBeenCalled();
    written.mockRestore();
    const list = (conditions: string, limit: number) =>
      'WITH asked AS MATERIALIZED (SELECT 1 AS one), ' +
      `found AS MATERIALIZED (SELECT id AS found_id, name AS key_0, id AS key_1 FROM things ${conditions}) ` +
      `SELECT array_to_json(ARRAY(SELECT row_to_json(shown) FROM (SELECT ${SHOWN} FROM unnest(ARRAY(SELECT found_id ` +
      'FROM ( SELECT found_id FROM found ORDER BY key_0 ASC, key_1 ASC ' +
      `LIMIT (SELECT $${limit}::bigint) OFFSET (SELECT $${limit + 1}::bigint)) page LIMIT 100` +
      ')) WITH ORDINALITY AS chosen (chosen_id, place) ' +
      'JOIN things ON id = chosen_id ORDER BY place) shown))::text AS data, (SELECT count(*) FROM found) AS total';
    const text = list('WHERE name = $1', 2);
    const found = { group: 'searches', mayPipeline: true };
    expect(asked).toEqual([
      { name: 'things.search', ...found, text, values: ['x', 10, 20] },
      { name: 'things.search-all', ...found, text: list('', 1), values: [10, 20] },
      { name: 'things.search', ...found, text, values: ['y', 10, 20] },
    ]);
  });

  it('reads a page of rows whose number is kept by their ids, and counts nothing', async () => {
    const { things, asked } = start([{ data: '[]', total: 7 }]);
    const where = new Conditions();
    where.and(`name = ${where.bind('x')}`);
    const { rows, total } = await things.listKept(where);
    expect([rows.text, total]).toEqual(['[]', 7]);
    expect(asked).toMatchObject([{ name: 'things.list', values: ['x', 10, 20] }]);
    const { text } = asked[0]!;
    expect(text).toMatch(/^WITH counted AS MATERIALIZED \(SELECT \(SELECT 7\) AS total\) /);
    expect(text).toContain(`SELECT ${SHOWN} FROM things WHERE id = ANY (ARRAY(SELECT id FROM ( (`);
    expect(text).toContain('FROM things WHERE name = $1 ORDER BY name ASC, id ASC LIMIT');
    expect(text).toContain('FROM things WHERE name = $1 ORDER BY name DESC, id DESC LIMIT');
    expect(text).toContain('ORDER BY name ASC, id ASC) shown');
    expect(text).not.toContain('count(*)');
  });

  it('sends pages behind other reads where they are short: not what is counted, nor deep pages', async () => {
    const { things, asked } = start([{ data: '[]', total: 7 }]);
    const restricted = ReadAccess.by(new Map([['thing', () => 'true']]), new Set(['thing']), [])([]);
    await things.listKept(new Conditions(), 1001);
    await things.listKept(new Conditions(), 1002);
    await things.listKept(new Conditions(), 1, restricted);
    expect(asked.map(({ mayPipeline }) => mayPipeline)).toEqual([true, false, false]);
  });
});
