import type { Readable } from 'node:stream';
import { terminal, TestIo } from '../../test/support/cli';
import { DEVELOPMENT_JWT_SECRET, parseEnvironment } from '../platform/config/environment';
import { type Backup, BACKUP_FORMAT, type RowBatch } from '../platform/database/backup/backup';
import { SecretBox } from '../platform/runtime-config/secret-box';
import { changeSecret, oldSecretsOf } from './secret-change';

const [OLD, OLDER, NEW] = ['secret of before', 'one before that', 'secret of tomorrow'];
const sealedBy = (secret: string, name = 'alphaKey') => new SecretBox(secret).seal(name, `sk of ${name}`);

const QUESTIONS = { oldQuestion: 'Old? ', newQuestion: 'New? ' };

async function travel(
  sealed: Record<string, string>,
  secrets: { old: readonly (string | undefined)[]; new?: string },
  stdin?: Readable,
) {
  const io = new TestIo(stdin);
  const values = Object.entries({ ...sealed, aiMock: 'true' });
  const table = { name: 'runtime_settings', columns: ['updated_at', 'value', 'name'], rows: values.length };
  async function* batches(): AsyncGenerator<RowBatch> {
    const rows = values.map(([name, value]) => JSON.stringify({ updated_at: 'now', value, name }));
    yield { table: table.name, rows };
    await Promise.resolve();
  }
  const stored: Backup = {
    head: {
      formulaBackup: BACKUP_FORMAT,
      readAt: '2026-01-02T03:04:05.678Z',
      migrations: [],
      encryptedSettings: sealed,
      tables: [table],
      sequences: [],
    },
    batches: batches(),
  };
  const { backup, tellOutcome } = await changeSecret(io, stored, { ...secrets, ...QUESTIONS });
  const written: Record<string, string> = {};
  for await (const { rows } of backup.batches) {
    for (const row of rows) {
      const { value, name } = JSON.parse(row) as Record<string, string>;
      written[name!] = value!;
    }
  }
  tellOutcome();
  return { head: backup.head.encryptedSettings, written, told: io.stderr.text };
}

const openedBy = (secret: string, values: Record<string, string>) =>
  Object.keys(values).filter((name) => new SecretBox(secret).open(name, values[name]!) === `sk of ${name}`);

describe('provider keys on their way', () => {
  const both = { alphaKey: sealedBy(OLD), betaKey: sealedBy(OLDER, 'betaKey') };

  it('are under the new secret where they go, in the head as among the rows, and what is no secret stays', async () => {
    const { head, written, told } = await travel(both, { old: [OLD, undefined, OLDER], new: NEW });
    expect(openedBy(NEW, head)).toEqual(['alphaKey', 'betaKey']);
    expect(openedBy(NEW, written)).toEqual(['alphaKey', 'betaKey']);
    expect(written.aiMock).toBe('true');
    expect(told).toBe('Provider keys and addresses are sealed with the new secret: alphaKey, betaKey\n');
  });

  it('stay as they are where no new one is known, and whichever old one opens them', async () => {
    const { head, written, told } = await travel(both, { old: [OLD, undefined, OLDER] });
    expect(head).toEqual(both);
    expect(written).toEqual({ ...both, aiMock: 'true' });
    expect(told).toBe(
      'Provider keys and addresses stay sealed with the secret they had: alphaKey, betaKey\n',
    );
  });

  it('stay as they are and are named where no old one opens them', async () => {
    const { written, told } = await travel(both, { old: [OLD], new: NEW });
    expect(openedBy(NEW, written)).toEqual(['alphaKey']);
    expect(written.betaKey).toBe(both.betaKey);
    expect(told).toContain('The old secret does not open betaKey: enter them again with PUT /api/config');
  });

  it('are not lost where they are under the new one already', async () => {
    const { written, told } = await travel(both, { old: [OLD], new: OLDER });
    expect(openedBy(OLDER, written)).toEqual(['alphaKey', 'betaKey']);
    expect(told).not.toContain('does not open');
  });

  it('are asked about on a terminal, and what is typed is tried besides', async () => {
    const { written, told } = await travel(both, { old: [OLD] }, terminal(OLDER, NEW));
    expect(openedBy(NEW, written)).toEqual(['alphaKey', 'betaKey']);
    expect(told).toContain('Old? ');
    expect(told).toContain('New? ');
    for (const secret of [OLD, OLDER, NEW]) expect(told).not.toContain(secret);
  });

  it('stay as they are where the answers are empty', async () => {
    const { written } = await travel(both, { old: [OLD] }, terminal('', ''));
    expect(written).toEqual({ ...both, aiMock: 'true' });
  });

  it('are not asked about where there are none, or all is known', async () => {
    expect((await travel({}, { old: [] }, terminal())).told).toBe('');
    const { told } = await travel({ alphaKey: both.alphaKey }, { old: [OLD], new: NEW }, terminal());
    expect(told).not.toContain('?');
  });

  it.each([
    ['they go to it', { alphaKey: both.alphaKey }, { old: [OLD], new: DEVELOPMENT_JWT_SECRET }, true],
    ['they stay under it', { alphaKey: sealedBy(DEVELOPMENT_JWT_SECRET) }, { old: [OLD] }, true],
    [
      'they leave it',
      { alphaKey: sealedBy(DEVELOPMENT_JWT_SECRET) },
      { old: [DEVELOPMENT_JWT_SECRET], new: NEW },
      false,
    ],
    ['they are under another', { alphaKey: both.alphaKey }, { old: [DEVELOPMENT_JWT_SECRET] }, false],
    ['there are none', {}, { old: [], new: DEVELOPMENT_JWT_SECRET }, false],
  ])('with a secret that all know there is a warning where %s', async (_, sealed, secrets, isWarned) => {
    const { told } = await travel(sealed, secrets);
    expect(told.includes('publicly known')).toBe(isWarned);
  });
});

it('what opens them is what such a service opens them with, in a rotation too, unless another is named', () => {
  const settings = {
    JWT_SECRET: 'j',
    JWT_SECRET_PREVIOUS: 'j before',
    CONFIG_ENCRYPTION_KEY_PREVIOUS: 'k before',
  };
  expect(oldSecretsOf(parseEnvironment(settings))).toEqual(['j', 'k before', 'j before']);
  const own = { ...settings, CONFIG_ENCRYPTION_KEY: 'k' };
  expect(oldSecretsOf(parseEnvironment(own))).toEqual(['k', 'k before', 'j before']);
  expect(oldSecretsOf(parseEnvironment({ ...own, DB_OLD_SECRET: 'o' }))).toEqual(['o']);
});
