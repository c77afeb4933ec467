import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandRunner } from 'nest-commander';
import { FakeService, TestIo } from '../../../test/support/cli';
import { UsersRepository } from '../../users/users.repository';
import type { FileImport, FileImportDescription, ImportRequest } from '../../files/file-import';
import { inEnglish } from '../../../test/support/reasons';
import type { ImportReport } from '../../files/import-report';
import { CliError, type CliIo, SilentFailure, UsageError } from '../cli-io';
import { TransactionManager } from '../../platform/database/transaction-manager';
import type { ServiceContext } from '../service-context';
import { fileCommands } from './file-commands';
import { FileOutput } from './file-output';

const description: FileImportDescription = {
  command: 'things',
  help: { command: 'c', import: 'i', export: 'e' },
  records: 'things',
  store: 'the shed',
  columns: [
    { field: 'name', aliases: [], required: true },
    { field: 'size', aliases: [] },
  ],
  exported: ['name', 'size'],
  keyOf: ({ name }) => ({ key: String(name), label: String(name) }),
  readRow: (line, cell) => {
    const name = cell('name');
    const remarks = cell('size') === '?' ? ['odd size'] : [];
    return name
      ? { draft: { line, name }, faults: [], remarks }
      : { faults: [{ reason: 'no name' }, { reason: 'no luck' }], remarks };
  },
};

type Page = Record<string, unknown>[];
const report: ImportReport = {
  ...{ rows: 1, created: 1, updated: 0, unchanged: 0, replaced: [], refused: [], notes: [], applied: true },
};

class Things implements FileImport {
  readonly requests: Omit<ImportRequest, 'onProgress'>[] = [];

  /** @param ends what each export ends with, after its pages */
  constructor(
    private readonly pages: Page[] = [],
    private readonly ends: () => Promise<void> = () => Promise.resolve(),
    private readonly answer: Partial<ImportReport> = {},
  ) {}

  async import({ onProgress, ...request }: ImportRequest): Promise<ImportReport> {
    this.requests.push(request);
    onProgress?.('compared', 1, 2);
    onProgress?.('written', 1, 1);
    await this.ends();
    return { ...report, ...this.answer };
  }

  importFor = (_: unknown, request: ImportRequest) => this.import(request);

  async *records(): AsyncGenerator<Page> {
    yield* this.pages;
    await this.ends();
  }
}

const owned: FileImportDescription = { ...description, command: 'others', owned: true };

const failureOf = (work: Promise<void>) =>
  work.then(
    () => undefined,
    (error: Error) => error,
  );

type Command = new (io: CliIo, service: ServiceContext) => CommandRunner;

describe('the commands of a file import', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'things-'));
    path = join(folder, 'things.csv');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const broken = () => Promise.reject(new Error('power cut'));

  it('are a group, the import, and the export, each under a name of its own', () => {
    const names = fileCommands(Things, description).map(({ name }) => name);
    expect(names).toEqual(['thingsCommand', 'thingsImportCommand', 'thingsExportCommand']);
  });

  it('have --match only where records can be matched otherwise', () => {
    const matches = { other: { ...description, key: ['name'] as [string] } };
    const hasMatch = (of: FileImportDescription) =>
      'match' in (fileCommands(Things, of)[1]!.prototype as object);
    expect([description, owned, { ...owned, matches }].map(hasMatch)).toEqual([false, false, true]);
  });

  describe('export', () => {
    const serviceOf = (things: Things) =>
      new FakeService(
        new Map<unknown, unknown>([
          [Things, things],
          [TransactionManager, { snapshot: (work: () => unknown) => work() }],
        ]),
      );

    async function run(things: Things, to?: string, options: object = {}, terminal = false) {
      const io = new TestIo('', true);
      const Export = fileCommands(Things, description)[2] as Command;
      const command = new Export(io, serviceOf(things));
      io.stdout.isTTY = terminal;
      const error = await failureOf(command.run(to === undefined ? [] : [to], options));
      return { error, stdout: io.stdout.text, stderr: io.stderr.text };
    }

    it('writes the columns of all records in their order, and says how many there were', async () => {
      const things = new Things([
        [
          { size: 2, id: 'x', name: 'Box' },
          { name: 'Jar', size: null },
        ],
        [{ name: '=1', size: -1 }],
      ]);
      const { error, stdout, stderr } = await run(things);
      expect({ error, stdout }).toEqual({
        error: undefined,
        stdout: "\ufeffname,size\r\nBox,2\r\nJar,\r\n'=1,-1\r\n",
      });
      expect(stderr).toMatch(/^\rWriting 2(\rWriting 3)?\n3 things written\n$/);
    });

    it('names the file, and counts as readers do', async () => {
      const things = new Things([Array.from({ length: 1250 }, (_, n) => ({ name: `Box ${n}`, size: 1 }))]);
      expect((await run(things, path)).stderr).toBe(`\rWriting 1,250\n1,250 things written to ${path}\n`);
      expect((await readFile(path, 'utf8')).split('\r\n')).toHaveLength(1252);
    });

    it('asks for more when what came before is written', async () => {
      const done: string[] = [];
      const write = jest.spyOn(FileOutput.prototype, 'write').mockImplementation(async (piece) => {
        await new Promise((resolve) => setImmediate(resolve));
        done.push(`${String(piece).split('\r\n').length - 1} written`);
      });
      const end = () => Promise.resolve(void done.push('end'));
      await run(new Things([[{ name: 'Box' }, { name: 'Jar' }]], end));
      write.mockRestore();
      expect(done).toEqual(['3 written', 'end']);
    });

    it('ends its line and leaves no file when it fails', async () => {
      const { error, stderr } = await run(new Things([[{ name: 'Box' }]], broken), path);
      expect({ error, stderr }).toEqual({ error: new Error('power cut'), stderr: '\rWriting 1\n' });
      expect(await readdir(folder)).toEqual([]);
    });

    it.each(['things.XLS', 'things.txt'])('writes nothing to a file named %s', async (name) => {
      const { error } = await run(new Things(), join(folder, name));
      const message = 'an export is a CSV, XLSX or JSON file: name it so, or say --format';
      expect(error).toEqual(new UsageError(`${join(folder, name)}: ${message}`));
      expect(await readdir(folder)).toEqual([]);
    });

    it.each([
      ['things.json', {}, '{"data":['],
      ['things.XLSX', {}, 'PK'],
      ['things.txt', { format: 'json' }, '{"data":['],
      ['things.csv', { format: 'xlsx' }, 'PK'],
    ])(
      'writes %s in the format of its name, or in the one of the options %j',
      async (name, options, start) => {
        await run(new Things([[{ name: 'Box', size: 2 }]]), join(folder, name), options);
        expect((await readFile(join(folder, name), 'latin1')).slice(0, start.length)).toBe(start);
      },
    );

    it('writes no workbook to a terminal, but to a pipe, also of the name "-"', async () => {
      const { error, stdout } = await run(new Things(), undefined, { format: 'xlsx' }, true);
      expect({ error, stdout }).toEqual({
        error: new UsageError('an XLSX file is no text for a terminal: name a file'),
        stdout: '',
      });
      expect((await run(new Things(), '-', { format: 'xlsx' })).stdout).toMatch(/^PK/);
    });

    it.each(['things.CSV', 'things'])('writes CSV to a file named %s', async (name) => {
      expect((await run(new Things(), join(folder, name))).error).toBeUndefined();
      expect(await readdir(folder)).toEqual([name]);
    });

    it('says which records an import cannot tell apart', async () => {
      const keyOf = ({ name }: Record<string, unknown>) => ({
        key: String(name).toLowerCase(),
        label: String(name),
      });
      const names = ['Box', 'box', 'Jar', 'BOX', 'Tin', 'tin'].map((name) => ({ name, size: 1 }));
      const io = new TestIo('', true);
      const Export = fileCommands(Things, { ...description, keyOf })[2] as Command;
      await new Export(io, serviceOf(new Things([names]))).run([], {});
      expect(io.stderr.text).toContain(
        'An import cannot tell apart those that are stored more than once: box; tin\n',
      );
    });

    it.each([false, true])(
      'replaces no directory and leaves nothing beside it, --force %p',
      async (force) => {
        await mkdir(path);
        for (const target of [path, `${path}/`]) {
          const { error } = await run(new Things(), target, { force });
          expect(error).toEqual(new CliError(`${target} is a directory.`));
        }
        expect(await readdir(folder, { recursive: true })).toEqual(['things.csv']);
      },
    );
  });

  describe('import', () => {
    async function run(things: Things, options: object = {}, of = description, stdin?: string) {
      const io = new TestIo(stdin, true);
      const Import = fileCommands(Things, of)[1] as Command;
      const users = {
        findCredentials: (name: string) => Promise.resolve(name === 'lin' ? { id: 'lin-id' } : undefined),
      };
      const service = new FakeService(
        new Map<unknown, unknown>([
          [Things, things],
          [UsersRepository, users],
        ]),
      );
      const error = await failureOf(new Import(io, service).run([stdin === undefined ? path : '-'], options));
      return {
        error,
        stdout: io.stdout.text,
        stderr: io.stderr.text,
        request: inEnglish(things.requests[0]),
      };
    }

    it('hands over rows, refusals, counted remarks and options', async () => {
      await writeFile(path, 'name,size\nBox,?\n,?\nJar,1\na,b,c\n');
      const { error, request } = await run(new Things(), { dryRun: true, partial: true });
      expect({ error, request }).toEqual({
        error: undefined,
        request: {
          drafts: [
            { line: 2, name: 'Box' },
            { line: 4, name: 'Jar' },
          ],
          refused: [
            { line: 3, faults: [{ reason: 'no name' }, { reason: 'no luck' }] },
            { line: 5, faults: [{ reason: expect.stringContaining('has 3 cells') }] },
          ],
          notes: ['odd size (2 rows)'],
          dryRun: true,
          skipRefused: true,
          source: 'things.csv',
          createdBy: undefined,
        },
      });
    });

    it('reads standard input where the file is "-"', async () => {
      const { request, stdout } = await run(new Things(), {}, description, 'name\nBox\n');
      expect(request?.drafts).toEqual([{ line: 2, name: 'Box' }]);
      expect(stdout).toMatch(/^standard input, 1 rows: imported\n/);
    });

    it('prints only JSON with --json, and the other columns are notes', async () => {
      await writeFile(path, 'name,colour\nBox,red\n');
      const { request, stdout } = await run(new Things(), { json: true });
      expect(request?.notes).toEqual(['Columns without a field, not read: colour']);
      expect(JSON.parse(stdout)).toEqual({
        data: {
          ...{ applied: true, rows: 1, created: 1, updated: 0, unchanged: 0, replaced: 0, refused: 0 },
          ...{ faults: [], notes: [], refusedRows: null },
        },
      });
    });

    it('says how far it is in lines that end before the report', async () => {
      await writeFile(path, 'name\nBox\n');
      const { stderr, stdout } = await run(new Things());
      expect(stderr).toBe('1 rows read\n\rComparing with the shed 1 of 2\n\rWriting 1 of 1\n');
      expect(stdout).toMatch(/^things\.csv, 1 rows: imported\n/);
    });

    it('tells which columns are ignored, and a fault of the file from one of the command line', async () => {
      await writeFile(path, 'name,b,a\nBox,,\n');
      const { stderr } = await run(new Things());
      expect(stderr).toMatch(/^Columns without a field, ignored: b, a\n1 rows read\n/);
      const map = [{ column: 'name', field: 'colour' }];
      expect((await run(new Things(), { map })).error).toEqual(
        new UsageError('--map: there is no field "colour"; the fields are name, size'),
      );
      await writeFile(path, 'name\n"x');
      expect((await run(new Things())).error).toEqual(
        new CliError(`${path}: Broken quoting in line 2: a quote is opened and never closed.`),
      );
    });

    it('ends its line when it fails', async () => {
      await writeFile(path, 'name\nBox\n');
      const { error, stderr, stdout } = await run(new Things([], broken));
      expect({ error, stdout }).toEqual({ error: new Error('power cut'), stdout: '' });
      expect(stderr).toMatch(/\rWriting 1 of 1\n$/);
    });

    it.each([
      [{}, 'nothing was changed, because', SilentFailure],
      [{ dryRun: true }, 'dry run, nothing was changed', SilentFailure],
      [{ partial: true }, 'nothing was changed', undefined],
    ])('reports refused rows by the options %j', async (options, outcome, failure) => {
      await writeFile(path, 'name\nBox\n');
      const answer = { applied: false, refused: [{ line: 2, faults: [{ reason: 'bad' }] }] };
      const { error, stdout } = await run(new Things([], undefined, answer), options);
      expect(error?.constructor).toBe(failure);
      expect(stdout).toContain(outcome);
    });

    it('finds the owner of new records, who must be there, whatever blanks are around the name', async () => {
      await writeFile(path, 'name\nBox\n');
      const ownedBy = (user?: string) => run(new Things(), { user }, owned);
      expect((await ownedBy(' lin ')).request?.createdBy).toBe('lin-id');
      expect((await ownedBy('nobody')).error).toEqual(new CliError('There is no user "nobody".'));
      for (const user of [undefined, ' ']) {
        const { error, stderr } = await ownedBy(user);
        expect(error).toEqual(new UsageError('--user is missing: whom do new things belong to?'));
        // The file is not even read.
        expect(stderr).toBe('');
      }
    });
  });
});
