import { cli, FakeService } from '../../test/support/cli';
import { AccountsService } from '../users/accounts.service';
import { AuthService } from '../users/auth.service';
import { ConflictError } from '../platform/common/errors/service-error';

/** The outcome of a command on accounts that do what the test says. */
const users = (args: string[], accounts: object, stdin?: string) => {
  const service = new FakeService(
    new Map<unknown, unknown>([
      [AccountsService, accounts],
      [AuthService, accounts],
    ]),
  );
  return cli(['users', ...args], { service, stdin });
};

const done = (stdout: string) => ({ code: 0, stdout, stderr: '' });
const changed = { username: 'ｌin', changed: true };
const unchanged = { username: 'ｌin', changed: false };

describe('users list', () => {
  it('shows what nobody sees of a name as its number, and leaves all else of it alone', async () => {
    const names = {
      'a\u001b[2J\tb': 'a\\u{1b}[2J\\u{9}b',
      'a\u202eb\u2066': 'a\\u{202e}b\\u{2066}',
      'a\u200bb\u00ad': 'a\\u{200b}b\\u{ad}',
      'a\ue000\u{f0000}': 'a\\u{e000}\\u{f0000}',
      'a\u0378\ud800': 'a\\u{378}\\u{d800}',
      '林 工 é😀\u3000': '林 工 é😀\u3000',
    };
    const account = { id: 'id-1', role: 'engineer', createdAt: '2026-01-02', disabledAt: null };
    const list = () => Promise.resolve(Object.keys(names).map((username) => ({ ...account, username })));
    const { stdout } = await users(['list'], { list });
    expect(stdout.split('\n').slice(1, -1)).toEqual(
      Object.values(names).map((shown) => `id-1\tengineer\t2026-01-02\t-\t${shown}`),
    );
  });
});

describe('users set-role, set-password, disable and enable', () => {
  it.each<[string[], string, object, string, unknown[]]>([
    [
      ['set-role', ' lin ', 'admin'],
      'setRole',
      { ...changed, from: 'engineer' },
      'is now admin (was engineer).',
      ['lin', 'admin'],
    ],
    [
      ['set-role', 'lin', 'admin'],
      'setRole',
      { ...unchanged, from: 'admin' },
      'was admin already; nothing changed.',
      ['lin', 'admin'],
    ],
    [['set-password', ' lin'], 'setPassword', changed, 'has a new password.', ['lin', 'secret']],
    [['disable', 'lin '], 'disable', changed, 'is disabled.', ['lin']],
    [['disable', 'lin'], 'disable', unchanged, 'was disabled already; nothing changed.', ['lin']],
    [['enable', '\tlin'], 'enable', changed, 'can be signed in to again.', ['lin']],
    [['enable', 'lin'], 'enable', unchanged, 'was not disabled; nothing changed.', ['lin']],
  ])(
    '%j name the account as it is stored, and say what came of it',
    async (args, method, change, told, given) => {
      const work = jest.fn(() => Promise.resolve(change));
      expect(await users(args, { [method]: work }, 'secret\n')).toEqual(done(`"ｌin" ${told}\n`));
      expect(work.mock.calls).toEqual([given]);
    },
  );

  it.each(['set-role', 'set-password', 'disable', 'enable'])(
    '%s says that there is nobody of a name',
    async (command) => {
      const nobody = () => Promise.resolve(undefined);
      const accounts = { setRole: nobody, setPassword: nobody, disable: nobody, enable: nobody };
      const args = [command, ' lin ', ...(command === 'set-role' ? ['admin'] : [])];
      expect(await users(args, accounts, 'secret\n')).toEqual({
        code: 1,
        stdout: '',
        stderr: 'Error: There is no user "lin".\n',
      });
    },
  );
});

describe('users create-admin', () => {
  const create = (name: string, createUser: (...given: string[]) => Promise<unknown>) =>
    users(['create-admin', name], { createUser }, 'secret\n');

  it.each(['lin', ' lin\t', 'x'.repeat(200)])(
    'creates an admin of the name without space around it: %j',
    async (name) => {
      const createUser = jest.fn((...[username]: string[]) => Promise.resolve({ id: 'id-1', username }));
      const username = name.trim();
      expect(await create(name, createUser)).toEqual(done(`Created admin "${username}" (id-1).\n`));
      expect(createUser.mock.calls).toEqual([[username, 'secret', 'admin']]);
    },
  );

  it('says how to make an admin of a user who is there, and only then', async () => {
    const taken = await create('lin', () => Promise.reject(new ConflictError('用户名已存在')));
    expect(taken).toMatchObject({ code: 1, stdout: '' });
    expect(taken.stderr).toContain('"users set-role lin admin" makes an admin of an existing user.');
    const failed = await create('lin', () => Promise.reject(new Error('no space')));
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toContain('no space');
    expect(failed.stderr).not.toContain('set-role');
  });
});
