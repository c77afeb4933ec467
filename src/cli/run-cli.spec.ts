import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { cli, FakeService, TestIo } from '../../test/support/cli';
import { ConflictError } from '../platform/common/errors/service-error';
import { EmbeddedDatabaseInUseError } from '../platform/database/embedded/errors';
import { CliError, SilentFailure, UsageError } from './cli-io';
import { CliModule } from './cli.module';
import { moduleOf, runCli, withoutAppOption } from './run-cli';
import { type OpenService, ServiceContext } from './service-context';

class FailingService extends ServiceContext {
  constructor(private readonly error: unknown) {
    super();
  }

  protected open(): Promise<OpenService> {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- any error is possible
    return Promise.reject(this.error);
  }
}

afterEach(() => jest.restoreAllMocks());

describe('runCli', () => {
  it.each<[what: string, error: Error, code: number, stderr: string]>([
    ['a command’s own refusal', new CliError('No.'), 1, 'Error: No.\n'],
    ['an error with a number', Object.assign(new CliError('No.'), { code: 5 }), 1, 'Error: No.\n'],
    ['a wrong command line', new UsageError('No.'), 2, 'Error: No.\n--help shows how to use the command.\n'],
    ['a failure that has been told', new SilentFailure('again'), 1, ''],
    ['what the service refuses', new ConflictError('taken'), 1, 'Error: taken\n'],
    [
      'a database that another process has',
      new EmbeddedDatabaseInUseError('data', 7, 'service'),
      3,
      'Error: The data directory data is in use by a service (process 7). Stop it first (kill 7, systemctl stop or docker stop).\n',
    ],
    [
      'a server out of reach',
      Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
      1,
      'Error: Cannot reach the database server of DATABASE_URL (ECONNREFUSED). Is it running, and are host and port right?\n',
    ],
    [
      'what nobody expected',
      Object.assign(new Error('odd'), { stack: 'odd\n  at x' }),
      1,
      'Error: odd\n  at x\n',
    ],
  ])('tells %s, and gives its exit code', async (_, error, code, stderr) => {
    const outcome = await cli(['users', 'list'], { service: new FailingService(error) });
    expect(outcome).toEqual({ code, stderr, stdout: '' });
  });

  it('knows errors by their names', () => {
    expect([CliError, UsageError, SilentFailure].map((Kind) => new Kind('x').name)).toEqual([
      'CliError',
      'UsageError',
      'SilentFailure',
    ]);
  });

  it('runs the plain service’s command of this process where nothing else is said', async () => {
    const argv = process.argv;
    process.argv = ['node', 'cli', 'nonsense'];
    const said: string[] = [];
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
    expect(await runCli()).toBe(2);
    process.argv = argv;
    expect(said.join('')).toContain("unknown command 'nonsense'");
  });

  it('closes its own modules after a command', async () => {
    const witness = { onModuleDestroy: jest.fn() };
    const forRun = CliModule.forRun.bind(CliModule);
    jest.spyOn(CliModule, 'forRun').mockImplementation((io, service, root, commands) => {
      const { providers = [], ...module } = forRun(io, service, root, commands);
      return { ...module, providers: [...providers, { provide: 'witness', useFactory: () => witness }] };
    });
    expect((await cli(['--help'])).code).toBe(0);
    expect(witness.onModuleDestroy).toHaveBeenCalledTimes(1);
  });

  it('explains why commands cannot be built, and ends no process', async () => {
    jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const useFactory = () => {
      throw new Error('broken');
    };
    jest
      .spyOn(CliModule, 'forRun')
      .mockReturnValue({ module: CliModule, providers: [{ provide: 'broken', useFactory }] });
    expect(await cli(['--help'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Error: Error: broken\n/),
    });
  });

  it.each([
    ['undefined', undefined, 'Error: undefined\n'],
    ['null', null, 'Error: null\n'],
    ['a text', 'no', 'Error: no\n'],
  ])('tells that %s was thrown', async (_, thrown, stderr) => {
    const outcome = await cli(['users', 'list'], { service: new FailingService(thrown) });
    expect(outcome).toEqual({ code: 1, stderr, stdout: '' });
  });

  it('explains why the module cannot be known', async () => {
    const unreachable = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const io = new TestIo();
    expect(await runCli(Promise.reject(unreachable), { args: ['users', 'list'], io })).toBe(1);
    expect(io.stderr.text).toMatch(/^Error: Cannot reach the database server /);
  });

  const passwordFile = '--password-file <file> read the password from the first line of a file';
  it.each<[args: string[], phrases: string[]]>([
    [
      [],
      [
        'Usage: formula-service [options] [command] The formula development service and its commands',
        '--app <file> the built file with the module of your application, for example ./dist/app.module.js',
        'start Start the service, as the settings in the environment say',
        'ingredients [command] The ingredient catalogue as a file',
        'colors [command] Colour formulas from a file',
        'users [command] Accounts and their roles',
        'demo [options] Load a demo laboratory: common ingredients, formulas in three projects, colour shades. ' +
          'Loads nothing twice and changes nothing that is there',
      ],
    ],
    [
      ['ingredients'],
      [
        'import [options] <file> Create and update ingredients from a file',
        'export [options] [file] Write the catalogue as a CSV, XLSX or JSON file that import reads',
      ],
    ],
    [
      ['ingredients', 'import'],
      [
        'file CSV or XLSX file with a header row, or a JSON file of the export; "-": standard input Options',
        '--dry-run report what would be done and change nothing',
        '--partial import the other rows although some are refused',
        '--json',
        '--map <column=field> the field that a column fills; "column=" leaves it out; may be repeated',
      ],
    ],
    [
      ['users', 'create-admin'],
      ['username to sign in with', passwordFile],
    ],
  ])('explains %j', async (args, phrases) => {
    const { code, stdout, stderr } = await cli([...args, '--help'], { service: new FakeService() });
    const text = stdout.replace(/\s+/g, ' ');
    expect({ code, stderr, missing: phrases.filter((phrase) => !text.includes(phrase)) }).toEqual({
      code: 0,
      stderr: '',
      missing: [],
    });
  });

  it.each([
    [[], /^Usage: formula-service /],
    [
      ['users'],
      /^Error: a command is missing; users has: list, create-admin, set-role, set-password, disable, enable\n/,
    ],
    [['colors'], /^Error: a command is missing; colors has: import, export\n/],
    [
      ['ingredients', 'nonsense', 'more'],
      /^Error: there is no command "nonsense"; ingredients has: import, export\n/,
    ],
    [['colors', 'import', 'no such file'], /^Error: --user is missing: whom do new colours belong to\?\n/],
    [
      ['users', 'set-role', 'lin', 'root'],
      /^Error: there is no role "root"; the roles are engineer, admin\n/,
    ],
  ])('refuses the command line %j', async (args, message) => {
    const { code, stdout, stderr } = await cli(args, { service: new FakeService() });
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  });
});

describe('--app', () => {
  it.each([
    [['users', 'list'], { args: ['users', 'list'] }],
    [['start', '--app', 'app.js'], { file: 'app.js', args: ['start'] }],
    [['--app', 'app.js', 'users', 'list'], { file: 'app.js', args: ['users', 'list'] }],
    [['users', '--app=./a b.js', 'list'], { file: './a b.js', args: ['users', 'list'] }],
    [['resend', '--', '--app', 'x'], { args: ['resend', '--', '--app', 'x'] }],
    [['resend', '--app', 'a.js', '--', '--app'], { file: 'a.js', args: ['resend', '--', '--app'] }],
    [['resend', '--apple'], { args: ['resend', '--apple'] }],
  ])('is taken out of %j', (args, expected) => {
    expect(withoutAppOption(args)).toEqual(expected);
  });

  it.each([[['start', '--app']], [['start', '--app=']], [['start', '--app', '--', 'x']]])(
    'without a file is refused: %j',
    (args) => {
      expect(() => withoutAppOption(args)).toThrow('--app needs a file');
    },
  );

  it('given twice is refused', () => {
    expect(() => withoutAppOption(['start', '--app', 'a.js', '--app=b.js'])).toThrow('--app is given twice');
  });
});

describe('The module of an application', () => {
  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'application-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  const file = (content: string) => {
    const path = join(directory, 'app.js');
    writeFileSync(path, content);
    return path;
  };

  it.each([
    ['a class named AppModule', 'exports.AppModule = class AppModule {}'],
    ['a class by default', 'exports.default = class AppModule {}'],
    [
      'the default before the name',
      'exports.AppModule = class Other {}; exports.default = class AppModule {}',
    ],
  ])('is %s', async (_, content) => {
    expect(await moduleOf(file(content))).toHaveProperty('name', 'AppModule');
  });

  it.each([
    ['a dynamic module', 'exports.default = { module: class AppModule {} }'],
    ['a promise of one', 'exports.AppModule = Promise.resolve({ module: class AppModule {} })'],
  ])('is %s', async (_, content) => {
    expect(await moduleOf(file(content))).toHaveProperty('module.name', 'AppModule');
  });

  it('is found from the working directory', async () => {
    const path = relative(process.cwd(), file('exports.AppModule = class AppModule {}'));
    expect(await moduleOf(path)).toHaveProperty('name', 'AppModule');
  });

  it.each([
    ['nothing', ''],
    ['something else', 'exports.AppModule = { imports: [] }'],
    ['null', 'exports.default = null'],
    ['null instead of anything', 'module.exports = null'],
    ['undefined instead of anything', 'module.exports = undefined'],
    ['a text', 'exports.default = "AppModule"'],
    ['an arrow function', 'exports.default = () => ({ module: class AppModule {} })'],
    ['a function', 'exports.default = function AppModule() {}'],
    ['a promise of nothing', 'exports.default = Promise.resolve()'],
    ['a dynamic module of a function', 'exports.default = { module: () => undefined }'],
  ])('is missed in a file that exports %s', async (_, content) => {
    const path = file(content);
    await expect(moduleOf(path)).rejects.toThrow(
      `--app: ${path} must export a Nest module, as default or as AppModule`,
    );
  });

  it('is missed where there is no file', async () => {
    const path = join(directory, 'absent.js');
    await expect(moduleOf(path)).rejects.toThrow(`--app: there is no file ${path}`);
  });

  it.each([
    ['its file', 'throw new Error("broken")'],
    ['the promise in it', 'exports.default = Promise.reject(new Error("broken"))'],
  ])('fails as %s fails', async (_, content) => {
    await expect(moduleOf(file(content))).rejects.toThrow('broken');
  });
});
