import 'reflect-metadata';
import { inEnglish } from '../../../test/support/reasons';
import { EnumField, IntegerField, NumberField, TextField, UuidField } from '../../platform/validation/fields';
import { FileColumn, importColumns } from './file-column';
import { readFields } from './read-fields';

class Fields {
  @TextField({ max: 3 })
  @FileColumn({ aliases: ['title'] })
  name!: string;

  @TextField({ max: 3, presence: 'optional' })
  @FileColumn()
  owner?: string | null;

  @NumberField({ moreThan: 1, max: 9, example: 2.5 })
  @FileColumn()
  share!: number;

  @IntegerField({ min: -2 })
  @FileColumn()
  count!: number;

  @EnumField({ values: ['x', 'y'] })
  @FileColumn()
  kind!: string;

  @TextField({ max: 10 })
  @FileColumn({ trim: false })
  note!: string;

  @TextField({ max: 10 })
  internal!: string;
}

const KEY = ['name', 'owner'] as const;
const read = (row: Record<string, string>) => inEnglish(readFields(Fields, KEY, (field) => row[field]));

describe('readFields', () => {
  it('reads each kind of field, and nothing that is no column', () => {
    const row = { name: ' a ', owner: 'b', share: '2.5', count: '-2', kind: 'x', note: ' n ', internal: 'i' };
    expect(read(row)).toEqual({
      values: { name: 'a', owner: 'b', share: 2.5, count: -2, kind: 'x', note: ' n ' },
      faults: [],
    });
  });

  it('takes an empty cell for no value; in the key it is null where there is a column', () => {
    expect(read({ name: 'a', owner: ' ', share: '', note: '  ' })).toStrictEqual({
      values: {
        name: 'a',
        owner: null,
        share: undefined,
        count: undefined,
        kind: undefined,
        note: undefined,
      },
      faults: [],
    });
    expect(read({ name: 'a' }).values).not.toHaveProperty('owner');
  });

  it.each([
    [{ name: ' ' }, 'name: is empty'],
    [{ name: 'abcd' }, 'name: is longer than 3 characters'],
    [{ name: 'a\u0000' }, 'name: contains a NUL character'],
    [{ share: 'x' }, 'share: "x" is not a number (digits and a decimal point, like 2.5)'],
    [{ share: '1e999' }, 'share: "1e999" is not a number (digits and a decimal point, like 2.5)'],
    [{ share: '1' }, 'share: must be above 1, is 1'],
    [{ share: '9.1' }, 'share: must not be above 9, is 9.1'],
    [{ count: '1.5' }, 'count: must be a whole number, is 1.5'],
    [{ count: '-3' }, 'count: must not be below -2, is -3'],
    [{ count: 'x' }, 'count: "x" is not a number (digits and a decimal point)'],
    [{ kind: 'z' }, 'kind: "z" is none of x, y'],
  ])('refuses %j', (cells, reason) => {
    expect(read({ name: 'a', ...cells }).faults).toEqual([reason]);
  });

  it('takes the limits themselves', () => {
    expect(read({ name: 'abc', share: '9', count: '-2' }).faults).toEqual([]);
  });

  it('says of a number below 0 that it must not be negative', () => {
    class Amount {
      @NumberField({ min: 0 })
      @FileColumn()
      amount!: number;
    }
    const { faults } = readFields(Amount, ['amount'], () => '-1');
    expect(inEnglish(faults)).toEqual(['amount: must not be negative, is -1']);
  });

  it('counts characters, not UTF-16 units', () => {
    expect(read({ name: '𠮷𠮷𠮷' }).faults).toEqual([]);
  });

  it('needs to be told how a column is read whose kind does not say it', () => {
    class Odd {
      @UuidField()
      @FileColumn()
      id!: string;
    }
    expect(() => readFields(Odd, ['id'], () => 'x')).toThrow('The column id needs to say how');
  });
});

it('columns are in the order of the fields, only the required ones required', () => {
  expect(importColumns(Fields, ['name']).slice(0, 2)).toEqual([
    { field: 'name', aliases: ['title'], required: true },
    { field: 'owner', aliases: [], required: false },
  ]);
});
