import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsersRepository } from '../../src/users/users.repository';
import { bootApp, type TestApp } from '../support/app';
import { cli, terminal } from '../support/cli';

describe('users commands', () => {
  let service: TestApp;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'users-'));
    service = await bootApp();
  });
  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  const run = (args: string[], stdin?: Parameters<typeof cli>[1] extends infer O ? O : never) =>
    cli(['users', ...args], { app: service.app, ...stdin });
  const login = (username: string, password: string) =>
    service.http.post('/api/auth/login').send({ username, password });

  describe('create-admin', () => {
    it('creates an admin with the password from standard input, and shows it nowhere', async () => {
      const outcome = await run(['create-admin', ' lin '], { stdin: 'p4 ssw\u00f6rd\r\nsecond line\n' });
      expect(outcome.code).toBe(0);
      expect(outcome.stdout).toMatch(/^Created admin "lin" \([0-9a-f-]{36}\)\.\n$/);
      expect(outcome.stdout + outcome.stderr).not.toContain('ssw');
      const { body } = await login('lin', 'p4 ssw\u00f6rd').expect(200);
      expect(body.data.role).toBe('admin');
    });

    it('takes the password from a file', async () => {
      const path = join(folder, 'password');
      await writeFile(path, 'from a file\n');
      expect((await run(['create-admin', 'wang', '--password-file', path])).code).toBe(0);
      await login('wang', 'from a file').expect(200);
    });

    it('asks twice on a terminal, without showing what is typed', async () => {
      const outcome = await run(['create-admin', 'chen'], { stdin: terminal('typed', 'typed') });
      expect(outcome.code).toBe(0);
      expect(outcome.stderr).toBe('Password: \nAgain: \n');
      await login('chen', 'typed').expect(200);
    });

    it.each([
      ['a name that exists', ['lin'], 'password', 1, /There is a user "lin" already.*set-role lin admin/],
      ['a short password', ['new'], 'abc', 1, /shorter than 4/],
      ['a blank password', ['new'], '      ', 1, /blank/],
      ['a long password', ['new'], 'x'.repeat(1025), 1, /longer than 1024/],
      ['no password', ['new'], '', 1, /There is no password/],
      ['a NUL in the password', ['new'], 'abc\u0000def', 1, /NUL/],
      [
        'a missing password file',
        ['new', '--password-file', '/no/such/file'],
        '',
        1,
        /cannot be read \(ENOENT\)/,
      ],
      ['a blank name', [' '], 'password', 2, /username is empty/],
      ['a long name', ['x'.repeat(201)], 'password', 2, /longer than 200/],
      ['no name', [], 'password', 2, /missing required argument 'username'/],
      ['too many arguments', ['new', 'password'], 'password', 2, /too many arguments/],
    ])('refuses %s', async (_, args, stdin, code, message) => {
      const outcome = await run(['create-admin', ...args], { stdin });
      expect(outcome.stderr).toMatch(message);
      expect(outcome).toMatchObject({ code, stdout: '' });
      await login('new', stdin).expect((response) => expect([400, 401]).toContain(response.status));
    });

    it('refuses when the two typed passwords differ', async () => {
      const outcome = await run(['create-admin', 'other'], { stdin: terminal('typed', 'tyepd') });
      expect(outcome).toMatchObject({ code: 1, stdout: '' });
      expect(outcome.stderr).toContain('The two passwords differ.');
    });

    it('gives up when the terminal is closed', async () => {
      const outcome = await run(['create-admin', 'other'], { stdin: terminal('\u0003') });
      expect(outcome).toMatchObject({ code: 1, stdout: '' });
      expect(outcome.stderr).toContain('Cancelled.');
    });
  });

  describe('set-role', () => {
    it('changes a role, effective with the next request, and says from what', async () => {
      const user = await service.register('zhao');
      const promoted = await run(['set-role', 'zhao', 'admin']);
      expect(promoted).toEqual({ code: 0, stdout: '"zhao" is now admin (was engineer).\n', stderr: '' });
      expect((await user.get('/api/auth/me').expect(200)).body.data.role).toBe('admin');
      expect((await run(['set-role', 'zhao', 'admin'])).stdout).toMatch(/was admin already; nothing changed/);
      expect((await run(['set-role', 'zhao', 'engineer'])).stdout).toMatch(/is now engineer \(was admin\)/);
    });

    it('tells when the user has gone in between', async () => {
      expect(await service.app.get(UsersRepository).setRole('nobody at all', 'admin')).toBe(false);
    });

    it.each([
      ['an unknown user', ['nobody', 'admin'], 1, /There is no user "nobody"/],
      ['another case of the name', ['ZHAO', 'admin'], 1, /There is no user "ZHAO"/],
      ['an unknown role', ['zhao', 'root'], 2, /no role "root"; the roles are engineer, admin/],
      ['a missing role', ['zhao'], 2, /missing required argument 'role'/],
    ])('refuses %s', async (_, args, code, message) => {
      const outcome = await run(['set-role', ...args]);
      expect(outcome.stderr).toMatch(message);
      expect(outcome).toMatchObject({ code, stdout: '' });
    });
  });
});
