import type { ImportColumn } from './file-column';
import {
  choicesByCells,
  ColumnChoiceError,
  knownNames,
  mapColumns,
  parseColumnChoice,
} from './column-mapping';
import { TableError } from '../reading/table';

const SPECS: ImportColumn[] = [
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
    const cell = (field: string) => row[columns.index.get(field) ?? -1];
    return { name: cell('name'), price: cell('price'), note: cell('note'), ignored: columns.ignored };
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

  it.each(['INCI.name', 'inci/NAME', 'INCI (name)', 'INCI（name）', 'in ci-na_me'])(
    'takes %p for an alias',
    (name) => {
      expect(cellsOf([name])).toMatchObject({ name: '0', ignored: [] });
    },
  );

  it('ignores columns without a name silently, and those that are left out', () => {
    expect(cellsOf(['name', '', 'x', 'y'], ['y=']).ignored).toEqual(['x']);
  });

  it('names a field regardless of case and punctuation', () => {
    expect(cellsOf(['name', 'x'], ['x=PRI-CE']).price).toBe('1');
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
    expect(cellsOf(['name', 'list price'], ['List_Price=price']).price).toBe('1');
  });

  it.each([
    [
      ['price', 'x'],
      [],
      TableError,
      'The file has no column for name. Its columns are "price", "x". Name the right one with --map "column=name".',
    ],
    [['name'], ['cost=price'], TableError, 'The file has no column "cost". Its columns are "name".'],
    [['name', 'cost', 'cost'], ['cost=price'], TableError, 'The file has 2 columns named "cost".'],
    [['name', 'COST', 'Cost'], ['cost=price'], TableError, 'The file has 2 columns named "cost".'],
    [
      ['name', 'price', 'unit price'],
      [],
      TableError,
      'The columns "price" and "unit price" both mean price: ' +
        'leave one out with --map "unit price=" or name the right one with --map "unit price=price".',
    ],
    [['name', 'name'], [], TableError, /both mean name/],
    [
      ['name', 'cost'],
      ['cost=colour'],
      ColumnChoiceError,
      'there is no field "colour"; the fields are name, price, note',
    ],
    [['name', 'a', 'b'], ['a=price', 'b=price'], ColumnChoiceError, /^two columns are mapped to price$/],
  ])('refuses header %p with %p', (header, choices, kind, message) => {
    expect(() => cellsOf(header, choices)).toThrow(kind);
    expect(() => cellsOf(header, choices)).toThrow(message);
  });

  it('names every required field that has no column', () => {
    const required = SPECS.map((spec) => ({ ...spec, required: true }));
    expect(() => mapColumns(['price'], required)).toThrow(
      'The file has no column for name and note. Its columns are "price". Name the right one with --map "column=name".',
    );
  });

  it('names its errors', () => {
    expect(new ColumnChoiceError('odd').name).toBe('ColumnChoiceError');
  });
});

describe('columns by patterns', () => {
  const specs: ImportColumn[] = [
    { field: 'name', aliases: ['中文名'], required: true },
    { field: 'price', aliases: [], pattern: /^preis(?:kg)?$/, looksLike: /preis|cost/ },
  ];
  const choices = (...texts: string[]) => texts.map(parseColumnChoice);

  it.each(['name\u200b', 'Ｎａｍｅ', 'na\u00adme', 'NAME*', '中文名\ufeff', '[name]'])('finds %j', (name) => {
    expect(mapColumns([name], specs).index).toEqual(new Map([['name', 0]]));
  });

  it('finds names that fit the pattern, after those that are names', () => {
    expect(mapColumns(['name', 'Preis/kg'], specs).index.get('price')).toBe(1);
    expect(() => mapColumns(['name', 'price', 'Preis'], specs)).toThrow('both mean price');
  });

  it.each([['Preis je Fass'], ['Unit cost'], ['price', 'COST 2']])(
    'refuses what only looks like it: %j',
    (...names) => {
      expect(() => mapColumns(['name', ...names], specs)).toThrow(
        `The column "${names.at(-1)}" looks like price and is not understood: name its field with --map "${names.at(-1)}=price"`,
      );
      expect(mapColumns(['name', ...names], specs, choices(`${names.at(-1)}=`)).ignored).toEqual([]);
      expect(() => mapColumns(['name', ...names], specs, choices(`${names.at(-1)}=price`))).not.toThrow();
    },
  );

  it('knows the names in a row that has all that are required', () => {
    expect(knownNames(['x', 'Name', 'PREIS', ''], specs)).toEqual(['Name', 'PREIS']);
    expect(knownNames(['Preis', 'x'], specs)).toEqual([]);
    expect(knownNames(['Title', ''], specs, choices('title=name'))).toEqual(['Title']);
    expect(knownNames(['name', 'x'], specs, choices('x='))).toEqual(['name', 'x']);
  });
});

it('takes the first of several columns that only help to read others', () => {
  const specs: ImportColumn[] = [
    { field: 'name', aliases: [] },
    { field: 'size', aliases: ['pack'], isHint: true },
  ];
  const { index, ignored } = mapColumns(['name', 'pack', 'size'], specs);
  expect([index.get('size'), ignored]).toEqual([1, ['pack', 'size']]);
});

describe('choicesByCells', () => {
  const specs: ImportColumn[] = [{ field: 'share', aliases: [], looksLike: /content/, cells: /%$/ }];
  const choicesOf = (header: string[], ...rows: string[][]) =>
    choicesByCells(
      header,
      specs,
      rows.map((cells) => ({ cells })),
    );

  it('takes the only doubtful column whose numbers tell its field', () => {
    expect(choicesOf(['content'], ['5 %'], [''])).toEqual([{ column: 'content', field: 'share' }]);
    expect(choicesOf(['content'], ['5 %'], ['5'])).toEqual([]);
    expect(choicesOf(['content', 'contents'], ['5 %', '1 %'])).toEqual([]);
  });

  it('takes none without numbers', () => {
    expect(choicesOf(['content'], [''], ['some'])).toEqual([]);
  });
});
