import { isJson, jsonTable } from './json-table';
import { TABLE_LIMITS, TableError, type TableLimits, type TableRow } from './table';

const columns = [
  { field: 'code' },
  { field: 'name' },
  { field: 'phase' },
  { field: 'share' },
  { field: 'more', holds: 'json' as const },
];
const paths = {
  code: 'code.of',
  name: 'name',
  phase: 'phases[].name',
  share: 'phases[].lines[].share',
  more: 'more',
};

async function read(text: string, options: { paths?: typeof paths; limits?: TableLimits } = { paths }) {
  const { header, rows } = jsonTable(
    Buffer.from(text),
    { columns, paths: options.paths },
    options.limits ?? TABLE_LIMITS,
  );
  const read: TableRow[] = [];
  for await (const row of rows) read.push(row);
  return { header, rows: read };
}

it('makes a row of each item of the lists that its format has', async () => {
  const lines = [{ share: 60 }, { share: 40 }];
  const record = {
    name: '=1',
    other: 1,
    phases: [
      { name: 'A', lines },
      { name: 'B', lines: [{ share: null }] },
    ],
  };
  const { header, rows } = await read(JSON.stringify({ data: [record] }));
  expect(header).toEqual(['name', 'phase', 'share']);
  expect(rows.map(({ line, cells }) => [line, ...cells])).toEqual([
    [2, '=1', 'A', '60'],
    [3, '=1', 'A', '40'],
    [4, '=1', 'B', ''],
  ]);
  expect(rows[0]!.kinds).toEqual(['text', 'text', 'number']);
});

it('keeps JSON as JSON, and takes a list or a record alone', async () => {
  const options = { paths: undefined };
  const record = '{"name":"x","more":"1"}';
  for (const text of [`[${record}]`, ` {"data":${record}}`, `{"data":{"rows":[${record}]}}`]) {
    expect((await read(text, options)).rows[0]!.cells).toEqual(['x', '"1"']);
  }
});

it.each([
  ['{"data":[', 'The JSON file is incomplete or broken.'],
  ['{"data":"x"}', 'The JSON file is no list of records: {"data":[{…}]} or [{…}].'],
  ['{"data":{"rows":null}}', 'The JSON file is no list of records: {"data":[{…}]} or [{…}].'],
  ['{"data":[1]}', 'The JSON file is no list of records: {"data":[{…}]} or [{…}].'],
  ['{"data":[]}', 'The JSON file has no records.'],
  [`[{"name":"${'x'.repeat(300_000)}"}]`, 'The JSON file has a text of more than 262144 characters.'],
  ['[{"other":1}]', 'The JSON file has no records.'],
  ['[{"name":"x","code":[{"of":1},{"of":2}]}]', 'In the JSON file, "code" is a list in place of one value.'],
  [`[{"name":${'['.repeat(100)}`, 'The JSON file is nested more than 80 levels deep.'],
])('refuses %s', (text, message) => expect(read(text)).rejects.toEqual(new TableError(message)));

it('bounds the rows', async () => {
  const text = JSON.stringify([{ name: 'x' }, { name: 'y' }]);
  await expect(read(text, { paths, limits: { ...TABLE_LIMITS, rows: 1 } })).rejects.toThrow(
    'more than 1 rows',
  );
});

it('refuses more objects than its rows can have before it parses them', async () => {
  const limits = { ...TABLE_LIMITS, rows: 1 };
  const ofObjects = (count: number) => `[{"name":"x","more":[${Array(count).fill('{}').join()}]}]`;
  await expect(read(ofObjects(5), { paths, limits })).resolves.toMatchObject({ rows: [{ line: 2 }] });
  await expect(read(`${ofObjects(6)}]`, { paths, limits })).rejects.toThrow('too much time or memory');
});

it('refuses a format with two lists beside each other', () => {
  const two = { name: 'names[].text', phase: 'phases[].name' };
  expect(() => jsonTable(Buffer.from('[{}]'), { columns, paths: two }, TABLE_LIMITS)).toThrow('one list');
});

it.each([
  ['\ufeff {"data":[]}', true],
  ['[ {', true],
  ['[]', true],
  ['[Titel]\nname', false],
  ['{name},x', false],
])('tells a JSON file from another by its beginning: %s', (text, expected) =>
  expect(isJson(Buffer.from(text))).toBe(expected),
);
