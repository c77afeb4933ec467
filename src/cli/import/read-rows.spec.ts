import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { CliIo } from '../cli-io';
import { CliError, UsageError } from '../cli-error';
import { addColumnChoice, readRows } from './read-rows';

class TestIo extends CliIo {
  readonly stdin = Readable.from([]);
  readonly stdout = new PassThrough();
  readonly stderr: PassThrough & { isTTY: boolean };

  constructor(isTTY: boolean) {
    super();
    this.stderr = Object.assign(new PassThrough(), { isTTY });
  }
}

describe('readRows', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'rows-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('ends the line that says how far it is before it fails', async () => {
    const io = new TestIo(true);
    const path = join(folder, 'names.csv');
    writeFileSync(path, 'name\nUrea\nGlycerin\n');
    const reading = readRows({ io, path, columns: [{ field: 'name', aliases: [] }] }, (line) => {
      if (line === 3) throw new Error('no more');
      return [];
    });
    await expect(reading).rejects.toThrow('no more');
    expect(String(io.stderr.read())).toBe('\rReading rows 1\n');
  });

  const columns = [
    { field: 'name', aliases: [] },
    { field: 'size', aliases: [] },
    { field: 'note', aliases: [] },
  ];

  /** Reads a file of these lines; rows named `bad` are refused for two reasons. */
  async function read(lines: string[], ...maps: string[]) {
    const io = new TestIo(false);
    const path = join(folder, 'rows.csv');
    writeFileSync(path, lines.join('\n'));
    const taken: unknown[] = [];
    const choices = maps.reduce(
      (earlier: ReturnType<typeof addColumnChoice>, map) => addColumnChoice(map, earlier),
      [],
    );
    const reading = readRows({ io, path, columns, choices }, (line, cell) => {
      taken.push([line, ...columns.map(({ field }) => cell(field))]);
      return cell('name') === 'bad' ? ['too bad', 'too small'] : [];
    });
    const refused = await reading.catch((error: Error) => error);
    return { path, taken, refused, told: String(io.stderr.read()) };
  }

  it('gives cells as they were before an export escaped them, and undefined where there is no column', async () => {
    expect((await read(['name,size', "'=Box, 1 ", 'Jar'])).taken).toEqual([
      [2, '=Box', ' 1 ', undefined],
      [3, 'Jar', '', undefined],
    ]);
  });

  it('refuses rows for all their reasons, and those that do not fit the header without asking', async () => {
    const { taken, refused } = await read(['name,size', 'bad,1', 'a,b,c', 'good,2']);
    expect(refused).toEqual([
      { line: 2, reason: 'too bad; too small' },
      {
        line: 3,
        reason: 'has 3 cells, the header has 2 (is a cell that contains the separator not in quotes?)',
      },
    ]);
    expect(taken).toEqual([
      [2, 'bad', '1', undefined],
      [4, 'good', '2', undefined],
    ]);
  });

  it('tells how many rows there are, and which columns are ignored, if any', async () => {
    const rows = Array.from({ length: 1200 }, (_, row) => `${row},1`);
    expect((await read(['name,size', ...rows])).told).toBe('Reading rows ...\n1,200 rows read\n');
    expect((await read(['name,b,a', '1,2,3'])).told).toBe(
      'Columns without a field, ignored: b, a\nReading rows ...\n1 rows read\n',
    );
  });

  it('takes one choice of a column after another', async () => {
    const { taken } = await read(['a,b,size', '1,2,3'], 'a=note', 'b=name', 'size=');
    expect(taken).toEqual([[2, '2', undefined, '1']]);
  });

  it('tells a fault of the file from one of the command line', async () => {
    const { path, refused } = await read(['name', '"x']);
    expect(refused).toEqual(
      new CliError(`${path}: Broken quoting in line 2: a quote is opened and never closed.`),
    );
    expect((await read(['name'], 'name=colour')).refused).toEqual(
      new UsageError('--map: there is no field "colour"; the fields are name, size, note'),
    );
    expect(() => addColumnChoice('x')).toThrow(new UsageError('--map: "x" is not of the form column=field'));
  });
});
