import type { ImportColumn } from '../../common/import/import-column';
import { ColumnChoiceError, mapColumns, parseColumnChoice } from './column-mapping';
import { TableError } from './table';

const SPECS: ImportColumn<'name' | 'price' | 'note'>[] = [
  { field: 'name', aliases: ['INCI name', '名称'], required: true },
  { field: 'price', aliases: ['unit price', '单价'] },
  { field: 'note', aliases: [] },
];

describe('parseColumnChoice', () => {
  it.each([
    ['Price=price', { column: 'Price', field: 'price' }],
    [' a = b = price ', { column: 'a = b', field: 'price' }],
    ['Price=', { column: 'Price', field: '' }],
  ])('reads %p', (text, expected) => expect(parseColumnChoice(text)).toEqual(expected));

  it.each(['price', '=price', ' = '])('refuses %p', (text) => {
    expect(() => parseColumnChoice(text)).toThrow(ColumnChoiceError);
  });
});

describe('mapColumns', () => {
  const cellsOf = (header: string[], choices: string[] = []) => {
    const columns = mapColumns(header, SPECS, choices.map(parseColumnChoice));
    const row = header.map((_, index) => String(index));
    return {
      name: columns.cell(row, 'name'),
      price: columns.cell(row, 'price'),
      note: columns.cell(row, 'note'),
      ignored: columns.ignored,
    };
  };

  it('finds columns by field name and alias, whatever their case and punctuation', () => {
    expect(cellsOf(['x', 'INCI_Name', 'Unit-Price'])).toEqual({
      name: '1',
      price: '2',
      note: undefined,
      ignored: ['x'],
    });
    expect(cellsOf(['名称', '单价']).price).toBe('1');
  });

  it('takes the user’s choice before an alias', () => {
    expect(cellsOf(['name', 'price', 'list price'], ['list price=price'])).toEqual({
      name: '0',
      price: '2',
      note: undefined,
      ignored: ['price'],
    });
  });

  it('lets one column be another field than its name says', () => {
    expect(cellsOf(['name', 'price'], ['price=note'])).toMatchObject({ price: undefined, note: '1' });
  });

  it('leaves a column out', () => {
    expect(cellsOf(['name', 'price', 'unit price'], ['price='])).toMatchObject({ price: '2' });
  });

  it('prefers the exact column name to a similar one', () => {
    expect(cellsOf(['name', 'Cost', 'cost'], ['cost=price']).price).toBe('2');
  });

  it('gives an empty text for a cell that is missing in a row', () => {
    expect(mapColumns(['name', 'price'], SPECS).cell(['x'], 'price')).toBe('');
  });

  it.each([
    [['price', 'x'], [], TableError, /no column for name. Its columns are "price", "x"/],
    [['name'], ['cost=price'], TableError, /no column "cost"/],
    [['name', 'cost', 'cost'], ['cost=price'], TableError, /2 columns named "cost"/],
    [['name', 'price', 'unit price'], [], TableError, /"price" and "unit price" both mean price/],
    [['name', 'name'], [], TableError, /both mean name/],
    [
      ['name', 'cost'],
      ['cost=colour'],
      ColumnChoiceError,
      /no field "colour"; the fields are name, price, note/,
    ],
    [['name', 'a', 'b'], ['a=price', 'b=price'], ColumnChoiceError, /two columns are mapped to price/],
  ])('refuses header %p with %p', (header, choices, kind, message) => {
    expect(() => cellsOf(header, choices)).toThrow(kind);
    expect(() => cellsOf(header, choices)).toThrow(message);
  });
});
