import type { DataSource } from 'typeorm';
import { refuseUnknownMigrations } from './refuse-unknown-migrations';

const KNOWN = [{ name: 'First1767225600000' }, new (class Second1767225600009 {})()];
const EXTENSION = { name: 'Labels1767225600020' };

/** @param applied names in the database's list of migrations; absent: it has none */
async function check({
  applied,
  known = KNOWN,
  allowed = false,
}: {
  applied?: string[];
  known?: object[];
  allowed?: boolean;
}) {
  const warned: string[] = [];
  const dataSource = {
    migrations: known,
    query: (text: string) => {
      if (text.includes('to_regclass')) return Promise.resolve([{ there: applied !== undefined }]);
      expect(text).toBe('SELECT name FROM migrations ORDER BY timestamp');
      return Promise.resolve(applied!.map((name) => ({ name })));
    },
  } as unknown as DataSource;
  await refuseUnknownMigrations(dataSource, allowed, (message) => warned.push(message));
  return warned;
}

describe('refuseUnknownMigrations', () => {
  const APPLIED = ['A1767225600010', 'First1767225600000', 'Older1000000000000'];
  const WHAT =
    'A newer version of the service, or an extension that is not registered, has changed this database ' +
    '(A1767225600010, Older1000000000000)';

  it.each([
    ['has no list of migrations', {}],
    ['has had what is known', { applied: ['First1767225600000', 'Second1767225600009'] }],
    ['has had nothing', { applied: [] }],
    ['has had those of extensions', { applied: [EXTENSION.name], known: [...KNOWN, EXTENSION] }],
  ])('lets a database pass that %s', async (_, state) => {
    expect(await check(state)).toEqual([]);
  });

  it('refuses one that has had others, whatever their age, and names them', async () => {
    await expect(check({ applied: APPLIED })).rejects.toMatchObject({
      name: 'DatabaseSetupError',
      message:
        `${WHAT}: start that version, or name the extension's module with --app; set ` +
        "DATABASE_ALLOW_NEWER_SCHEMA=true only where the newer version's notes say that this one can go on",
    });
  });

  it.each(['Other1767225600009', 'Other', 'Short176722560001'])(
    'refuses one that has had %s',
    async (name) => {
      await expect(check({ applied: [name] })).rejects.toThrow(`(${name})`);
    },
  );

  it('refuses it whatever extensions it has', async () => {
    const applied = ['A1767225600010', EXTENSION.name];
    await expect(check({ applied, known: [...KNOWN, EXTENSION] })).rejects.toThrow('(A1767225600010)');
  });

  it('warns of one where it is allowed', async () => {
    expect(await check({ applied: APPLIED, allowed: true })).toEqual([
      `${WHAT}; this one starts as DATABASE_ALLOW_NEWER_SCHEMA allows, without what the extension guards or hears of`,
    ]);
  });
});
