import type { DataSource } from 'typeorm';
import { coreMigrations } from './find-migrations';
import { adoptPreviewDatabase } from './preview-database';

const PREVIEW = [
  'CoreSchema1767225600000',
  'ColorSchema1767225700000',
  'RuntimeSettings1767229200000',
  'Ai1767232800000',
  'SearchKeys1767236400000',
  'ColorCells1767240000000',
];
const BASELINE = 'Baseline1767225600000';

interface State {
  /** Names in the list of migrations; absent: there is none. */
  migrations?: (string | null)[];
  tables?: string[];
  /** Migrations of registered extensions. */
  extensions?: object[];
  /** Lines of the schema as it is found, and as the baseline makes it. */
  found?: string[];
  wanted?: string[];
  /** Beginnings of statements that fail. */
  failing?: string[];
}

const USERS = ['column users.id'];

/** A database in this state, and what is done to it in its transaction. */
function start({
  migrations,
  tables = [],
  extensions = [],
  found = USERS,
  wanted = USERS,
  failing = [],
}: State) {
  const done: string[] = [];
  const schemas = [found, wanted].map((lines) =>
    lines.map((line) => ({ object: /^\w+ (\w+)/.exec(line)![1], line })),
  );
  const note = (step: string): Promise<void> => {
    done.push(step);
    return failing.some((start) => step.startsWith(start))
      ? Promise.reject(new Error('no'))
      : Promise.resolve();
  };
  const runner = {
    startTransaction: () => note('begin'),
    commitTransaction: () => note('commit'),
    rollbackTransaction: () => note('rollback'),
    release: () => note('release'),
    query: async (text: string, values: unknown[] = []) => {
      const head = text.trim().split(/\s+/, 2).join(' ');
      if (head === 'WITH tables') {
        await note('describe');
        return schemas.shift();
      }
      // What the baseline makes has tests of its own.
      if (/^(CREATE|ALTER) (?!SCHEMA)/.test(head)) return [];
      return note([text.trim(), ...values.map((value) => JSON.stringify(value))].join(' | '));
    },
  };
  const dataSource = {
    migrations: [...coreMigrations.map(({ name }) => ({ name })), ...extensions],
    query: (text: string) =>
      Promise.resolve(
        text.includes('pg_tables')
          ? [...tables, ...(migrations ? ['migrations'] : [])].map((name) => ({ name }))
          : migrations!.map((name) => ({ name })),
      ),
    createQueryRunner: () => runner,
  };
  return { done, adopt: () => adoptPreviewDatabase(dataSource as unknown as DataSource) };
}

const COMPARED = [
  'describe',
  'begin',
  'CREATE SCHEMA formula_baseline_check',
  `SELECT set_config('search_path', 'formula_baseline_check, ' || current_setting('search_path'), true)`,
  'describe',
  'rollback',
];
const LOCKED = ['begin', 'LOCK TABLE migrations IN EXCLUSIVE MODE'];

describe('adoptPreviewDatabase', () => {
  it.each([
    ['a new one', {}],
    ['a new one with tables of somebody else', { tables: ['notes'] }],
    [
      'a new one with a list of an extension only',
      { migrations: ['Labels1'], extensions: [{ name: 'Labels1' }] },
    ],
    ['one on the baseline', { migrations: [BASELINE, 'Later1'], tables: ['users'] }],
  ])('does nothing to %s', async (_, state) => {
    const { adopt, done } = start(state);
    expect(await adopt()).toBe(false);
    expect(done).toEqual([]);
  });

  it('locks the list of a preview’s, compares the schema, and puts the baseline’s name for the six', async () => {
    const { adopt, done } = start({ migrations: PREVIEW });
    expect(await adopt()).toBe(true);
    expect(done).toEqual([
      ...LOCKED,
      ...COMPARED,
      `UPDATE migrations SET name = $1, timestamp = $2 WHERE name = $3 | "${BASELINE}" | "1767225600000" | "${PREVIEW[0]}"`,
      `DELETE FROM migrations WHERE name = ANY ($1) | ${JSON.stringify(PREVIEW.slice(1))}`,
      'commit',
      'release',
    ]);
  });

  it.each([
    [
      'the baseline beside the preview',
      { migrations: [BASELINE, PREVIEW[0]!] },
      `The table migrations names ${BASELINE} and migrations of the preview that it took the place of; nothing was ` +
        'changed. Restore that table from a backup.',
    ],
    [
      'migrations that nobody knows',
      { migrations: [...PREVIEW, 'Other1', null, 'Labels1'], extensions: [new (class Labels1 {})()] },
      'The table migrations names Other1, migrations of another program, which this version does not know; nothing ' +
        "was changed. Register the extension they belong to, or use a database of the service's own.",
    ],
    [
      'tables without a list',
      { tables: ['formulas', 'notes', 'users'] },
      'The database has the tables users, formulas, but its table migrations is missing or does not name what made ' +
        'them; nothing was changed. Restore that table from a backup, or use an empty database.',
    ],
    [
      'a part of the six',
      { migrations: PREVIEW.slice(0, 5) },
      'The database is of an early preview: only 5 of its 6 migrations have run; nothing was changed. Start the last ' +
        'preview on it once, then this version.',
    ],
  ])('refuses one with %s, and touches nothing', async (_, state, message) => {
    const { adopt, done } = start(state);
    await expect(adopt()).rejects.toMatchObject({ name: 'DatabaseSetupError', message });
    expect(done).toEqual([]);
  });

  const altered = (differences: string) =>
    `The database is of the last preview, but its schema was altered (${differences}); nothing was changed. Undo the ` +
    'alteration, or restore a backup from before it.';

  it.each([
    ['missing', { found: [] }, 'missing: column users.id'],
    ['found', { found: [...USERS, 'column users.more'] }, 'found: column users.more'],
    [
      'three',
      { found: ['a users 1', 'a users 2'] },
      'missing: column users.id; found: a users 1; found: a users 2',
    ],
    [
      'more than three',
      { found: ['a users 1', 'a users 2', 'a users 3'] },
      'missing: column users.id; found: a users 1; found: a users 2; …',
    ],
  ])('names the differences of a schema: %s', async (_, schema, differences) => {
    const { adopt, done } = start({ migrations: PREVIEW, ...schema });
    await expect(adopt()).rejects.toThrow(altered(differences));
    expect(done).toEqual([...LOCKED, ...COMPARED, 'rollback', 'release']);
  });

  it('does not mind what an extension that has run added to our tables, nor what is not ours', async () => {
    const Labels = { name: 'Labels1' };
    const found = [...USERS, 'column users.more', 'column notes.id'];
    const adopted = (migrations: string[]) => start({ migrations, extensions: [Labels], found }).adopt();
    expect(await adopted([...PREVIEW, 'Labels1'])).toBe(true);
    await expect(adopted(PREVIEW)).rejects.toThrow(altered('found: column users.more'));
    expect(await start({ migrations: PREVIEW, found: [...USERS, 'column notes.id'] }).adopt()).toBe(true);
  });

  it('says which right the comparison needs, though its transaction cannot be undone any more', async () => {
    const { adopt, done } = start({ migrations: PREVIEW, failing: ['CREATE SCHEMA', 'rollback'] });
    await expect(adopt()).rejects.toMatchObject({
      name: 'DatabaseSetupError',
      message:
        "The database is of the last preview, but its schema could not be compared with this version's (no); nothing " +
        'was changed. This one start needs the right CREATE on the database.',
      cause: { message: 'no' },
    });
    expect(done.slice(-3)).toEqual(['rollback', 'rollback', 'release']);
  });

  it.each(['begin', 'UPDATE', 'DELETE', 'commit'])('undoes everything when %s fails', async (failing) => {
    const { adopt, done } = start({ migrations: PREVIEW, failing: [failing] });
    await expect(adopt()).rejects.toThrow('no');
    expect(done.slice(-2)).toEqual(['rollback', 'release']);
  });
});
