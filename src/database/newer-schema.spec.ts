import type { DataSource } from 'typeorm';
import { refuseNewerSchema } from './newer-schema';

// In place of the service's own.
jest.mock('./find-migrations', () => ({
  coreMigrations: [class First1767225600000 {}, class Second1767225600009 {}],
}));

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
  await refuseNewerSchema(dataSource, allowed, (message) => warned.push(message));
  return warned;
}

describe('refuseNewerSchema', () => {
  const LATER = ['A1767225600010', 'First1767225600000', 'B9999999999999'];
  const WHAT =
    'A newer version of the service, or an extension that is not registered, has changed this database ' +
    '(A1767225600010, B9999999999999)';

  it.each([
    ['has no list of migrations', {}],
    ['has nothing later than what is known', { applied: ['First1767225600000', 'Second1767225600009'] }],
    ['has something of the same time', { applied: ['Other1767225600009'] }],
    ['has something without a time', { applied: ['Other', 'Short176722560001'] }],
    ['has had nothing', { applied: [] }],
    ['has those of extensions', { applied: [EXTENSION.name], known: [...KNOWN, EXTENSION] }],
  ])('lets a database pass that %s', async (_, state) => {
    expect(await check(state)).toEqual([]);
  });

  it('refuses one that has later ones, and names them', async () => {
    await expect(check({ applied: LATER })).rejects.toMatchObject({
      name: 'DatabaseSetupError',
      message: `${WHAT}: start that version, or set DATABASE_ALLOW_NEWER_SCHEMA=true where its notes say that this one can go on`,
    });
  });

  it('refuses it whatever extensions it has', async () => {
    const applied = ['A1767225600010', EXTENSION.name];
    await expect(check({ applied, known: [...KNOWN, EXTENSION] })).rejects.toThrow('(A1767225600010)');
  });

  it('warns of one where it is allowed', async () => {
    expect(await check({ applied: LATER, allowed: true })).toEqual([
      `${WHAT}; this one starts as DATABASE_ALLOW_NEWER_SCHEMA allows`,
    ]);
  });
});
