import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { RuntimeSettingsRepository } from '../../src/platform/runtime-config/runtime-settings.repository';
import { bootApp, type TestApp } from '../support/app';
import { cli } from '../support/cli';

const [OLD, NEW] = ['the-secret-of-before', 'the-secret-that-comes'];

describe('A rotation of JWT_SECRET, as docs/OPERATIONS.md tells it', () => {
  const directory = mkdtempSync(join(tmpdir(), 'rotation-'));
  let service: TestApp;
  const boot = async (secrets: Record<string, string>) => {
    service = await bootApp({ settings: { DATA_DIR: join(directory, 'data'), ...secrets } });
  };
  const stored = async () => {
    const text = 'SELECT value, updated_at FROM runtime_settings WHERE name = $1';
    const [row] = await service.app
      .get(DataSource)
      .query<[{ value: string; updated_at: Date }]>(text, ['alphaKey']);
    return row;
  };
  const me = (token: string) => service.http.get('/api/auth/me').set('Authorization', `Bearer ${token}`);
  const reseal = () => cli(['config', 'reseal'], { app: service.app });

  afterEach(() => service.close());
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  let [before, after] = ['', ''];

  it('begins with a user and a stored key', async () => {
    await boot({ JWT_SECRET: OLD });
    const user = await service.register('lin');
    before = user.token;
    await user.put('/api/config', { alphaKey: 'key-of-alpha' }).expect(200);
  });

  it('signs nobody out, and config reseal encrypts the key anew', async () => {
    await boot({ JWT_SECRET: NEW, JWT_SECRET_PREVIOUS: OLD });
    await me(before).expect(200);
    const login = await service.http.post('/api/auth/login').send({ username: 'lin', password: 'secret' });
    after = (login.body as { data: { token: string } }).data.token;
    const asBefore = await stored();
    const first = await reseal();
    expect([first.code, first.stdout]).toEqual([0, '1 sealed anew (alphaKey), 0 were already\n']);
    const anew = await stored();
    expect(anew.value).not.toBe(asBefore.value);
    expect(anew.updated_at).toEqual(asBefore.updated_at);
    expect((await reseal()).stdout).toBe('0 sealed anew, 1 were already (alphaKey)\n');
    expect(await stored()).toEqual(anew);
    // What has been changed since it was read is left alone.
    const late = { name: 'alphaKey', before: asBefore.value, after: 'too late' };
    await service.app.get(RuntimeSettingsRepository).replace([late]);
    expect(await stored()).toEqual(anew);
  });

  it('ends without the secret of before: its tokens are over, the new ones and the key are not', async () => {
    await boot({ JWT_SECRET: NEW });
    await me(before).expect(401);
    const config = await service.http.get('/api/config').set('Authorization', `Bearer ${after}`).expect(200);
    expect(config.body).toMatchObject({ hasAlpha: true });
    expect((await reseal()).stdout).toBe('0 sealed anew, 1 were already (alphaKey)\n');
  });

  it('to a secret that nobody was told of leaves the key closed, and says which', async () => {
    await boot({ JWT_SECRET: 'a-third-secret' });
    const { code, stderr } = await reseal();
    expect(code).not.toBe(0);
    expect(stderr).toContain('alphaKey cannot be decrypted with any of the secrets');
  });
});
