import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cli, FakeService } from '../../../test/support/cli';
import { DemoLaboratory, type DemoReport } from './demo-laboratory';

const nothing = { created: 0, unchanged: 0 };
const created = { created: 1, unchanged: 0 };
const unchanged = { created: 0, unchanged: 1 };

describe('the demo command', () => {
  let load: jest.SpyInstance<Promise<DemoReport>, [string?]>;

  const report = (values: Partial<DemoReport>) =>
    load.mockResolvedValue({
      ...{ user: unchanged, ingredients: unchanged, projects: unchanged, formulas: unchanged },
      ...{ colors: nothing, limits: unchanged },
      ...values,
    });
  const demo = (args: string[] = [], stdin?: string) =>
    cli(['demo', ...args], { service: new FakeService(), stdin });

  beforeEach(() => (load = jest.spyOn(DemoLaboratory.prototype, 'load')));
  afterEach(() => jest.restoreAllMocks());

  it('asks for no password unless told to, and says then that nobody can sign in', async () => {
    report({ user: created, ingredients: { created: 1234, unchanged: 5678 }, projects: created });
    expect(await demo()).toEqual({
      code: 0,
      stderr: '',
      stdout:
        'ingredients: 1,234 created, 5,678 there already\nprojects: 1 created, 0 there already\n' +
        'formulas: 0 created, 1 there already\ncolour formulas: 0 created, 0 there already\n' +
        'tables of limits: 0 created, 1 there already\n' +
        'They belong to the new user "demo", which nobody can sign in as: sign in with an account of your own to see them.\n',
    });
    expect(load.mock.calls).toEqual([[undefined]]);
  });

  const kept = 'The user "demo" was there already; its password has not been changed.';
  const untouched = 'Nothing has been changed: the demo laboratory was there already.';
  it.each<[what: string, values: Partial<DemoReport>, args: string[], told: string[]]>([
    [
      'a new user with a password',
      { user: created },
      ['--password'],
      ['They belong to the new user "demo".'],
    ],
    ['something new of the user', { colors: created }, [], []],
    ['something new, and a password in vain', { formulas: created }, ['--password'], [kept]],
    ['nothing new', {}, [], [untouched]],
    ['nothing new, and a password in vain', {}, ['--password'], [kept, untouched]],
  ])('says that there is %s', async (_, values, args, told) => {
    report(values);
    const { code, stdout } = await demo(args, 'secret\n');
    expect({ code, told: stdout.split('\n').slice(5, -1) }).toEqual({ code: 0, told });
  });

  it('takes the password from a file, and loads nothing with one that breaks the rules', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'demo-'));
    try {
      const path = join(folder, 'password');
      await writeFile(path, 'from a file\n');
      report({});
      await demo(['--password-file', path]);
      await writeFile(path, 'abc');
      expect((await demo(['--password-file', path])).stderr).toBe(
        'Error: The password is shorter than 4 characters.\n',
      );
      expect(load.mock.calls).toEqual([['from a file']]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
