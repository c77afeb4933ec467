import 'reflect-metadata';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { EntityTable } from './entity-table';

@Entity('things')
class ThingEntity {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  @Column('numeric', { name: 'unit_price' })
  unitPrice!: number;

  @Column('json', { name: 'free_form' })
  freeForm!: unknown;

  @Column({ type: 'text', name: 'search_key', insert: false })
  searchKey?: string;
}

describe('EntityTable', () => {
  const table = new EntityTable(ThingEntity);

  it('names table and columns as the entity does', () => {
    expect(table.name).toBe('things');
    expect(table.column('unitPrice')).toBe('unit_price');
    expect(table.names(['unitPrice', 'name'])).toBe('unit_price, name');
  });

  it('selects columns under the names of properties', () => {
    expect(table.selectList(['name', 'unitPrice'], 't')).toBe('t.name, t.unit_price AS "unitPrice"');
  });

  it('numbers arrays of the columns’ types', () => {
    expect(table.arrays(['id', 'unitPrice'])).toBe('$1::uuid[], $2::numeric[]');
    expect(table.arrays(['name'], 3)).toBe('$3::text[]');
  });

  it('hands the driver JSON as text, and null for what is absent', () => {
    expect(table.parameter('freeForm', ['a'])).toBe('["a"]');
    expect(table.parameter('freeForm', 'a')).toBe('"a"');
    expect(table.parameter('freeForm', null)).toBeNull();
    expect(table.parameter('name', undefined)).toBeNull();
    expect(table.parameter('name', 'a')).toBe('a');
  });

  it('has the name of the class where the entity gives none, and takes jsonb for JSON too', () => {
    @Entity()
    class Nameless {
      @Column('jsonb')
      more!: unknown;

      @Column('jsonpath' as 'text')
      path!: string;
    }
    const nameless = new EntityTable(Nameless);
    expect(nameless.name).toBe('Nameless');
    expect(['more', 'path'].map((property) => nameless.parameter(property, '$'))).toEqual(['"$"', '$']);
  });

  it('refuses a property without a column, a class that is no entity, and a column without a type', () => {
    expect(() => table.column('colour')).toThrow('things has no column for "colour"');
    expect(() => new EntityTable(class Plain {})).toThrow('Plain is no entity');
    @Entity('vague')
    class VagueEntity {
      @Column()
      name!: string;
    }
    expect(() => new EntityTable(VagueEntity)).toThrow('names the type of each column');
  });
});

describe('EntityTable with embedded columns', () => {
  class Place {
    @Column('double precision', { name: 'at_x' })
    x!: number;

    @Column('double precision', { name: 'at_y' })
    y!: number;
  }
  class MaybePlace {
    @Column('double precision', { name: 'was_x', nullable: true })
    x!: number;

    @Column('text', { name: 'was_note', nullable: true })
    note!: string;
  }
  @Entity('points')
  class PointEntity {
    @PrimaryGeneratedColumn('uuid')
    id!: string;

    @Column(() => Place, { prefix: false })
    at!: Place;

    @Column(() => MaybePlace, { prefix: false })
    was!: MaybePlace | null;

    @Column('json')
    more!: unknown;
  }
  const table = new EntityTable(PointEntity);

  it('names all columns of an embedded class', () => {
    expect(table.names(['at', 'id', 'was'])).toBe('at_x, at_y, id, was_x, was_note');
    expect(() => table.column('at')).toThrow('points has no column for "at"');
  });

  it('shows them as an object, as null where all may be null and the first is', () => {
    expect(table.selectList(['at'], 'p')).toBe(`json_build_object('x', p.at_x, 'y', p.at_y) AS "at"`);
    expect(table.selectList(['was'], 'p')).toBe(
      `CASE WHEN p.was_x IS NOT NULL THEN json_build_object('x', p.was_x, 'note', p.was_note) END AS "was"`,
    );
  });

  it('shows an object where one of its columns must have a value', () => {
    class Mark {
      @Column('text', { nullable: true })
      note!: string | null;

      @Column('text')
      color!: string;
    }
    @Entity('marked')
    class MarkedEntity {
      @Column(() => Mark, { prefix: false })
      mark!: Mark;
    }
    expect(new EntityTable(MarkedEntity).selectList(['mark'], 'm')).toBe(
      `json_build_object('note', m.note, 'color', m.color) AS "mark"`,
    );
  });

  it('numbers arrays column by column', () => {
    expect(table.arrays(['was', 'id'])).toBe('$1::double precision[], $2::text[], $3::uuid[]');
  });

  it('takes values apart in the order of the columns', () => {
    const row = { at: { y: 2, x: 0 }, was: null, more: [1] };
    expect(table.values(['at', 'was', 'more', 'id'], row)).toEqual([0, 2, null, null, '[1]', null]);
    const other = { at: { x: 3, y: 4 }, was: { x: 5, note: 'n' }, more: null };
    expect(table.valueArrays(['was', 'at'], [row, other])).toEqual([
      [null, 5],
      [null, 'n'],
      [0, 3],
      [2, 4],
    ]);
    expect(table.valueArrays(['at'], [])).toEqual([[], []]);
  });
});
