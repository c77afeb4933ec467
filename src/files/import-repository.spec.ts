import { RowFilter } from '../platform/access/row-filter';
import 'reflect-metadata';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { DatabaseService, Statement } from '../platform/database/database.service';
import type { TransactionManager } from '../platform/database/transaction-manager';
import { ImportRepository } from './import-repository';
import { FileColumn } from './mapping/file-column';

class Size {
  @Column('integer', { name: 'size_x' })
  x!: number;

  @Column('integer', { name: 'size_y' })
  y!: number;
}

@Entity('things')
class ThingEntity {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text', { name: 'own_name' })
  ownName!: string;

  @Column('text')
  maker!: string;

  @Column('numeric', { name: 'unit_price' })
  unitPrice!: number;

  @Column('uuid', { name: 'created_by' })
  createdBy!: string;

  @Column(() => Size)
  size!: Size;
}

class ThingFields {
  @FileColumn()
  ownName!: string;

  @FileColumn()
  maker!: string;

  @FileColumn()
  unitPrice!: number;
}

/** Things in a database that answers each statement with the next of these lists of rows. */
function start(...answers: object[][]) {
  const asked: (Statement & { values?: unknown[] })[] = [];
  let isInside = false;
  const database = {
    query: (statement: Statement, values?: unknown[]) => {
      expect(isInside || statement.name !== 'import.snapshot').toBe(true);
      asked.push({ ...statement, text: statement.text.replaceAll(/\s+/g, ' '), values });
      return Promise.resolve(answers.shift() ?? []);
    },
  };
  const transactions = {
    runLong: async (work: () => Promise<unknown>) => {
      isInside = true;
      const result = await work();
      isInside = false;
      return result;
    },
  };
  const rules = { fields: ThingFields, key: ['ownName', 'maker'] as const };
  return {
    things: new ImportRepository(
      database as unknown as DatabaseService,
      transactions as unknown as TransactionManager,
      ThingEntity,
      {
        ...rules,
        key: [...rules.key],
      },
    ),
    asked,
  };
}

const draft = (ownName: string, more: object = {}) => ({ line: 1, ownName, ...more });

describe('ImportRepository', () => {
  it('works in one long transaction, and keeps writers out', async () => {
    const { things, asked } = start();
    expect(await things.transaction(() => Promise.resolve(7))).toBe(7);
    await things.lock();
    expect(asked).toMatchObject([
      { name: 'things.import.lock', text: 'LOCK TABLE things IN SHARE ROW EXCLUSIVE MODE' },
    ]);
  });

  it('finds the records of each row, by those fields of the key that the file has', async () => {
    const { things, asked } = start([
      { position: 2, id: 'b' },
      { position: 1, id: 'a' },
      { position: 2, id: 'c' },
    ]);
    const drafts = [
      draft('x', { maker: undefined }),
      draft('y', { maker: 'm' }),
      draft('z', { maker: null }),
    ];
    expect(await things.findMatches(drafts)).toEqual([[{ id: 'a' }], [{ id: 'b' }, { id: 'c' }], []]);
    await things.findMatches([draft('x')]);
    const shown = 'i.own_name AS "ownName", i.maker, i.unit_price AS "unitPrice"';
    const same = 'btrim(search_text(i.own_name)) = btrim(search_text(k.own_name))';
    expect(asked).toMatchObject([
      {
        name: 'things.import.ownName-maker',
        text:
          `SELECT k.position, i.id, ${shown} FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS k ` +
          `(own_name, maker, position) JOIN things i ON ${same} ` +
          "AND btrim(coalesce(i.maker, ''), $3) = coalesce(k.maker, '') AND (true) ORDER BY k.position, i.id",
        values: [['x', 'y', 'z'], [null, 'm', null], expect.any(String)],
      },
      { name: 'things.import.ownName', values: [['x']] },
    ]);
    expect(asked[1]!.text).toBe(
      `SELECT k.position, i.id, ${shown} FROM unnest($1::text[]) WITH ORDINALITY AS k (own_name, position) ` +
        `JOIN things i ON ${same} AND (true) ORDER BY k.position, i.id`,
    );
  });

  it('asks nothing for rows without a key', async () => {
    const { things, asked } = start();
    expect(await things.findMatches([])).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('takes the same characters for white space as JavaScript does', async () => {
    const { things, asked } = start();
    await things.findMatches([draft('x', { maker: 'm' })]);
    const trimmed = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
      (character) => character.trim() === '',
    );
    expect([...(asked[0]!.values![2] as string)].toSorted()).toEqual(trimmed.toSorted());
  });

  it('writes many rows with one statement, null for what is absent', async () => {
    const { things, asked } = start();
    await things.insert([
      { ownName: 'x', unitPrice: 0 },
      { ownName: 'y', maker: 'm' },
    ]);
    expect(asked).toEqual([
      {
        name: 'things.import.insert',
        text:
          'INSERT INTO things (own_name, maker, unit_price) ' +
          'SELECT * FROM unnest($1::text[], $2::text[], $3::numeric[]) RETURNING id',
        values: [
          ['x', 'y'],
          [null, 'm'],
          [0, null],
        ],
      },
    ]);
  });

  it('sets what its rules say, objects of several columns among it, and the owner of new records', async () => {
    const asked: [string, unknown[] | undefined][] = [];
    const query = (statement: Statement, values?: unknown[]) => {
      asked.push([statement.text.replaceAll(/\s+/g, ' '), values]);
      return Promise.resolve([]);
    };
    const rules = { fields: ThingFields, key: ['ownName'], sets: ['ownName', 'size'] } as const;
    const things = new ImportRepository(
      { query } as unknown as DatabaseService,
      {} as TransactionManager,
      ThingEntity,
      rules,
    );
    await things.insert([{ ownName: 'x', size: { x: 1, y: 2 } }], 'u');
    await things.update([
      { id: 'a', size: { y: 4, x: 3 } },
      { id: 'b', size: null },
    ]);
    expect(asked).toEqual([
      [
        'INSERT INTO things (own_name, size_x, size_y, created_by) ' +
          'SELECT * FROM unnest($1::text[], $2::integer[], $3::integer[], $4::uuid[]) RETURNING id',
        [['x'], [1], [2], ['u']],
      ],
      [
        'UPDATE things i SET size_x = coalesce(u.size_x, i.size_x), size_y = coalesce(u.size_y, i.size_y) ' +
          'FROM unnest($1::uuid[], $2::integer[], $3::integer[]) AS u (id, size_x, size_y) WHERE i.id = u.id',
        [
          ['a', 'b'],
          [3, null],
          [4, null],
        ],
      ],
    ]);
  });

  it('changes what is not of the key; null leaves it as it is', async () => {
    const { things, asked } = start();
    await things.update([{ id: 'a', unitPrice: 2 }, { id: 'b' }]);
    expect(asked).toEqual([
      {
        name: 'things.import.update',
        text:
          'UPDATE things i SET unit_price = coalesce(u.unit_price, i.unit_price) ' +
          'FROM unnest($1::uuid[], $2::numeric[]) AS u (id, unit_price) WHERE i.id = u.id',
        values: [
          ['a', 'b'],
          [2, null],
        ],
      },
    ]);
  });

  it('reads a page behind the record that the one before ended with', async () => {
    const { things, asked } = start([{ id: 'i1', sortName: 'n1' }]);
    await things.readPage(RowFilter.EVERYTHING);
    await things.readPage(RowFilter.EVERYTHING, { id: 'i1', sortName: 'n1' });
    expect(asked.map(({ values }) => values)).toEqual([
      [null, null, 1000],
      ['n1', 'i1', 1000],
    ]);
    expect(asked[0]).toMatchObject({
      name: 'things.import.page',
      text:
        'SELECT i.id, i.own_name AS "ownName", i.maker, i.unit_price AS "unitPrice", lower(i.own_name) AS "sortName" ' +
        'FROM things i WHERE ($1::text IS NULL OR (lower(i.own_name), i.id) > ($1, $2::uuid)) AND (true) ' +
        'ORDER BY lower(i.own_name), i.id LIMIT $3',
    });
  });
});
