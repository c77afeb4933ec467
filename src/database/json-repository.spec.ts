import 'reflect-metadata';
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { TextField } from '../common/validation/fields';
import { IdField } from '../common/validation/record-fields';
import { Conditions } from './conditions';
import type { Database, Statement } from './database';
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

class ThingsRepository extends JsonRepository<ThingEntity, object> {
  constructor(database: Database, deletionGroup?: string) {
    super(database, ThingEntity, ThingFields, deletionGroup);
  }

  list(where: Conditions, name?: string) {
    return this.page({ name, where, order: 'name, id' }, { page: 3, limit: 10 });
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
    expect((await things.findById('a'))!.text).toBe('{"id":"a"}');
    expect(asked).toEqual([
      {
        name: 'things.by-id',
        text: `SELECT id, row_to_json(shown)::text AS json FROM (SELECT ${SHOWN} FROM things WHERE id = ANY ($1::uuid[])) shown`,
        values: 'a',
      },
    ]);
    expect(await start([]).things.findById('a')).toBeUndefined();
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
    expect((await things.update('a', { unitPrice: 0, freeForm: null, name: undefined }))!.text).toBe('{}');
    expect(asked).toEqual([
      {
        group: 'things',
        text: written('UPDATE things SET free_form = $2, unit_price = $3 WHERE id = $1'),
        values: ['a', null, 0],
      },
    ]);
    expect(await start([]).things.update('a', { name: 'n' })).toBeUndefined();
  });

  it('with nothing to change reads the row', async () => {
    const { things, asked } = start([{ json: '{}' }]);
    expect((await things.update('a', { id: 'b', createdAt: new Date(0) }))!.text).toBe('{}');
    expect(asked.map(({ name }) => name)).toEqual(['things.by-id']);
  });

  it('says whether there was something to delete, in the turns of what that touches', async () => {
    const { things, asked } = start([{ id: 'a' }], 'formulas/things');
    expect(await things.delete('a')).toBe(true);
    expect(asked).toEqual([
      {
        name: 'things.delete',
        group: 'formulas/things',
        text: 'DELETE FROM things WHERE id = $1 RETURNING id',
        values: ['a'],
      },
    ]);
    expect(await start([]).things.delete('a')).toBe(false);
  });

  it('reads a page and the number of all with the same conditions', async () => {
    const { things, asked } = start([{ data: '[]', total: 7 }]);
    const where = new Conditions().and('x', (value) => `name = ${value}`);
    const { rows, total } = await things.list(where, 'things.named');
    expect([rows.text, total]).toEqual(['[]', 7]);
    await things.list(new Conditions());
    const list = (conditions: string, limit: string) =>
      `SELECT array_to_json(ARRAY(SELECT row_to_json(shown) FROM (SELECT ${SHOWN} FROM things ${conditions}ORDER BY ` +
      `name, id LIMIT ${limit}) shown))::text AS data, (SELECT count(*) FROM things ${conditions.trim()}) AS total`;
    expect(asked).toEqual([
      { name: 'things.named', text: list('WHERE name = $1 ', '$2 OFFSET $3'), values: ['x', 10, 20] },
      { name: undefined, text: list('', '$1 OFFSET $2'), values: [10, 20] },
    ]);
  });
});
