import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { DatabaseService } from '../../src/platform/database/database.service';
import { bootApp, type TestApp } from '../support/app';
import { createMigratedDatabase, TEST_SERVER } from '../support/databases';

const ADMIN = { ADMIN_USERNAME: 'root', ADMIN_PASSWORD: ' the first passphrase ' };

describe('The first administrator', () => {
  let place: Record<string, string>;
  let release: () => Promise<void>;
  const running: TestApp[] = [];
  const start = async (settings: Record<string, string>) => {
    const service = await bootApp({ settings: { ...place, ...settings } });
    running.push(service);
    return service;
  };
  const stop = () => Promise.all(running.splice(0).map((service) => service.close()));
  const login = async (service: TestApp, password: string, username = 'root') =>
    (await service.http.post('/api/auth/login').send({ username, password })).body as {
      data?: { role: string };
      error?: string;
    };
  const accounts = (service: TestApp) =>
    service.app.get(DatabaseService).query({ text: 'SELECT username, role FROM users ORDER BY username' });

  beforeEach(async () => {
    if (TEST_SERVER) {
      const database = await createMigratedDatabase(TEST_SERVER);
      place = { DATABASE_URL: database.url };
      release = () => database.drop();
    } else {
      const folder = await mkdtemp(join(tmpdir(), 'first-admin-'));
      place = { DATA_DIR: join(folder, 'data') };
      release = () => rm(folder, { recursive: true });
    }
  });
  afterEach(async () => {
    await stop();
    await release();
  });

  it('is created once, with the password exactly as it is set, and not changed by a later start', async () => {
    const first = await start(ADMIN);
    expect(await login(first, ADMIN.ADMIN_PASSWORD)).toMatchObject({ data: { role: 'admin' } });
    expect(await login(first, ADMIN.ADMIN_PASSWORD.trim())).toMatchObject({ error: '用户名或密码错误' });
    await stop();

    const second = await start({ ...ADMIN, ADMIN_PASSWORD: 'another passphrase' });
    expect(await accounts(second)).toEqual([{ username: 'root', role: 'admin' }]);
    expect(await login(second, ADMIN.ADMIN_PASSWORD)).toMatchObject({ data: { role: 'admin' } });
    expect(await login(second, 'another passphrase')).toMatchObject({ error: '用户名或密码错误' });
  });

  it('changes nothing of an account that has the name, or its form, already', async () => {
    const first = await start({});
    await first.register('root', 'of an engineer');
    await stop();

    const warned = jest.spyOn(Logger.prototype, 'warn');
    const second = await start({ ...ADMIN, ADMIN_USERNAME: 'ｒｏｏｔ' });
    expect(warned).toHaveBeenCalledWith(
      'The account of ADMIN_USERNAME exists and is no administrator. It was not changed',
    );
    warned.mockRestore();
    expect(await accounts(second)).toEqual([{ username: 'root', role: 'engineer' }]);
    expect(await login(second, 'of an engineer')).toMatchObject({ data: { role: 'engineer' } });
  });

  (TEST_SERVER ? it : it.skip)(
    'is created by exactly one of several instances that start together',
    async () => {
      const services = await Promise.all(Array.from({ length: 4 }, () => start(ADMIN)));
      for (const service of services) {
        expect(await accounts(service)).toEqual([{ username: 'root', role: 'admin' }]);
        expect(await login(service, ADMIN.ADMIN_PASSWORD)).toMatchObject({ data: { role: 'admin' } });
      }
    },
  );

  it.each([
    [{ ADMIN_USERNAME: 'root' }, '  - ADMIN_PASSWORD must be set where ADMIN_USERNAME is'],
    [{ ADMIN_PASSWORD: 'secret' }, '  - ADMIN_USERNAME must be set where ADMIN_PASSWORD is'],
    [{ ...ADMIN, ADMIN_PASSWORD: 'abc' }, '  - ADMIN_PASSWORD is shorter than 4 characters'],
    [{ ...ADMIN, ADMIN_PASSWORD: 'x'.repeat(1025) }, '  - ADMIN_PASSWORD is longer than 1024 characters'],
    [
      { ADMIN_USERNAME: 'ro\u200bot', ADMIN_PASSWORD: 'abc' },
      '  - ADMIN_USERNAME contains a control, format, invisible or unassigned character\n' +
        '  - ADMIN_PASSWORD is shorter than 4 characters',
    ],
    [{ ...ADMIN, ADMIN_USERNAME: 'x'.repeat(201) }, '  - ADMIN_USERNAME is longer than 200 characters'],
  ])('refuses to start with %j', async (settings, faults) => {
    await expect(start(settings)).rejects.toThrow(`Invalid settings:\n${faults}`);
  });
});
