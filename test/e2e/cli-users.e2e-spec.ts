import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { UsersRepository } from '../../src/users/users.repository';
import { expectError, TIMESTAMP, UNAUTHORIZED, UUID } from '../support/answers';
import { bootApp, type TestApp } from '../support/app';
import { cli, terminal } from '../support/cli';

const WRONG = '用户名或密码错误';

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
      // As editors on Windows write it.
      await writeFile(path, '\ufefffrom a file\r\n');
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
      ['a name that exists', ['lin'], 'password', 1, /There is a user "lin".* already.*set-role lin admin/],
      [
        'a name that looks like another',
        ['ｌｉｎ'],
        'password',
        1,
        /There is a user "ｌｉｎ", or one that looks/,
      ],
      ['a short password of long characters', ['new'], '😀😀', 1, /shorter than 4/],
      [
        'a name with an unseen character',
        ['a\u200bb'],
        'password',
        2,
        /a control, format, invisible or unassigned/,
      ],
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
      expect((await run(['set-role', ' zhao ', 'admin'])).stdout).toBe(
        '"zhao" was admin already; nothing changed.\n',
      );
      expect((await run(['set-role', 'zhao', 'engineer'])).stdout).toBe(
        '"zhao" is now engineer (was admin).\n',
      );
    });

    it('finds the account by any spelling of its name', async () => {
      const user = await service.register('ｋong');
      expect((await run(['set-role', 'kong', 'admin'])).stdout).toBe(
        '"ｋong" is now admin (was engineer).\n',
      );
      expect((await user.get('/api/auth/me').expect(200)).body.data.role).toBe('admin');
      expect((await run(['disable', 'ｋｏng'])).stdout).toBe('"ｋong" is disabled.\n');
      expect((await run(['enable', 'kong'])).stdout).toBe('"ｋong" can be signed in to again.\n');
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

  describe('set-password', () => {
    it('changes the password, by any spelling of the name, and ends the tokens at once', async () => {
      const user = await service.register('ｑian', 'old password');
      const outcome = await run(['set-password', ' qian '], { stdin: 'new password\n' });
      expect(outcome).toEqual({ code: 0, stdout: '"ｑian" has a new password.\n', stderr: '' });
      expectError(await user.get('/api/auth/me'), 401, UNAUTHORIZED);
      expectError(await login('qian', 'old password'), 401, WRONG);
      const { body } = await login('qian', 'new password').expect(200);
      const me = service.http.get('/api/auth/me').set('Authorization', `Bearer ${body.data.token}`);
      expect((await me.expect(200)).body.data.id).toBe(user.id);
    });

    it('ends a token even where the password stays the same', async () => {
      const user = await service.register('sun', 'secret');
      await run(['set-password', 'sun'], { stdin: 'secret' });
      expectError(await user.get('/api/auth/me'), 401, UNAUTHORIZED);
      await login('sun', 'secret').expect(200);
    });

    it('leaves every other account as it is', async () => {
      const [user] = [await service.register('li'), await service.register('zhou')];
      await run(['set-password', 'zhou'], { stdin: 'another' });
      await user.get('/api/auth/me').expect(200);
      await login('li', 'secret').expect(200);
    });

    it('takes the password from a file', async () => {
      await service.register('wu');
      const path = join(folder, 'new-password');
      await writeFile(path, 'out of a file\n');
      expect((await run(['set-password', 'wu', '--password-file', path])).code).toBe(0);
      await login('wu', 'out of a file').expect(200);
    });

    it.each([
      ['an unknown user', ['nobody'], 'password', 1, /There is no user "nobody"/],
      ['a short password', ['lin'], 'abc', 1, /shorter than 4/],
      ['no password', ['lin'], '', 1, /There is no password/],
      ['no name', [], 'password', 2, /missing required argument 'username'/],
      ['a password on the command line', ['lin', 'password'], '', 2, /too many arguments/],
    ])('refuses %s', async (_, args, stdin, code, message) => {
      const outcome = await run(['set-password', ...args], { stdin });
      expect(outcome.stderr).toMatch(message);
      expect(outcome).toMatchObject({ code, stdout: '' });
    });
  });

  describe('disable and enable', () => {
    it('closes an account at once, says nothing of it, and opens it again without its old tokens', async () => {
      const user = await service.register('zheng');
      const other = await service.register();
      expect(await run(['disable', 'zheng'])).toEqual({
        code: 0,
        stdout: '"zheng" is disabled.\n',
        stderr: '',
      });
      expectError(await user.get('/api/auth/me'), 401, UNAUTHORIZED);
      expect(await service.app.get(UsersRepository).findCurrent(user.id)).toBeUndefined();
      const refused = await login('zheng', 'secret');
      expectError(refused, 401, WRONG);
      const unknown = await login('nobody at all', 'secret');
      expect(Object.keys(refused.headers)).toEqual(Object.keys(unknown.headers));
      expectError(
        await service.http.post('/api/auth/register').send({ username: 'zheng', password: 'secret' }),
        409,
        '用户名已存在',
      );
      await other.get('/api/auth/me').expect(200);

      expect((await run(['enable', 'zheng'])).stdout).toBe('"zheng" can be signed in to again.\n');
      expectError(await user.get('/api/auth/me'), 401, UNAUTHORIZED);
      await login('zheng', 'secret').expect(200);
    });

    it('says when there is nothing to change, and ends no token then', async () => {
      const user = await service.register('feng');
      expect((await run(['enable', 'feng'])).stdout).toBe('"feng" was not disabled; nothing changed.\n');
      await user.get('/api/auth/me').expect(200);
      expect((await run(['disable', ' feng '])).stdout).toBe('"feng" is disabled.\n');
      expect((await run(['disable', 'feng'])).stdout).toBe('"feng" was disabled already; nothing changed.\n');
    });

    it.each(['disable', 'enable'])('%s refuses an unknown user and a missing name', async (command) => {
      expect(await run([command, 'nobody'])).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('There is no user "nobody"'),
      });
      expect(await run([command])).toMatchObject({ code: 2, stdout: '' });
    });
  });

  describe('list', () => {
    it('shows each account in a line of columns, the oldest first, and no secret', async () => {
      const listed = await bootApp();
      try {
        const first = await listed.register('shen');
        const second = await listed.register('han 工');
        await cli(['users', 'disable', 'shen'], { app: listed.app });
        await listed.app
          .get(DataSource)
          .query(`INSERT INTO users (username, password_hash) VALUES ($1, 'secret hash')`, [
            'a\u001b[2J\tb\u202ec',
          ]);
        // Of one moment, the second by id stored first.
        const old = [2, 1].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
        await listed.app.get(DataSource).query(
          `INSERT INTO users (id, username, password_hash, created_at)
             SELECT id, 'old ' || id, 'secret hash', '2020-01-01Z' FROM unnest($1::uuid[]) AS id`,
          [old],
        );
        const { code, stdout, stderr } = await cli(['users', 'list'], { app: listed.app });
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        const time = expect.stringMatching(TIMESTAMP);
        expect(stdout.split('\n').map((line) => line.split('\t'))).toEqual([
          ['id', 'role', 'created', 'disabled', 'username'],
          ...old.toReversed().map((id) => [id, 'engineer', '2020-01-01T00:00:00.000Z', '-', `old ${id}`]),
          [first.id, 'engineer', time, time, 'shen'],
          [second.id, 'engineer', time, '-', 'han 工'],
          [expect.stringMatching(UUID), 'engineer', time, '-', 'a\\u{1b}[2J\\u{9}b\\u{202e}c'],
          [''],
        ]);
      } finally {
        await listed.close();
      }
    });
  });
});
