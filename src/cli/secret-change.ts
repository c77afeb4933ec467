import { DEVELOPMENT_JWT_SECRET, type Environment } from '../platform/config/environment';
import { resolveSigningSecret } from '../platform/config/signing-secret';
import { type Backup, mapRows } from '../platform/database/backup/backup';
import { AI_MOCK, SecretBox, SETTINGS_TABLE } from '../platform/runtime-config/secret-box';
import type { CliIo } from './cli-io';
import { ask } from './read-password';

/** Returns the secret with which a service with these settings encrypts stored provider keys. */
export const secretOf = (environment: Environment): string =>
  environment.configEncryptionKey ?? resolveSigningSecret(environment).value;

/** Returns the secrets that may decrypt them: DB_OLD_SECRET, otherwise those that such a service tries. */
export const oldSecretsOf = (environment: Environment): readonly (string | undefined)[] =>
  environment.transferOldSecret === undefined
    ? [secretOf(environment), environment.configEncryptionKeyPrevious, environment.jwtSecretPrevious]
    : [environment.transferOldSecret];

interface Secrets {
  /** Secrets that may decrypt the keys. */
  readonly old: readonly (string | undefined)[];
  /** Question on a terminal if none of them does. */
  readonly oldQuestion: string;
  /** Secret for encrypting the keys afterwards, if it is known. */
  readonly new?: string;
  /** Question on a terminal otherwise. An empty answer leaves the keys unchanged. */
  readonly newQuestion?: string;
}

/**
 * Encrypts the provider keys of a backup with another secret. Asks no question if it contains no keys.
 * @returns the backup to write, and a function that reports the outcome
 */
export async function changeSecret(
  io: CliIo,
  backup: Backup,
  secrets: Secrets,
): Promise<{ backup: Backup; tellOutcome: () => void }> {
  const encrypted = Object.entries(backup.head.encryptedSettings);
  const openedBy = (given: readonly (string | undefined)[]) => {
    const box = new SecretBox(...given);
    return encrypted.filter(([name, value]) => box.open(name, value) !== undefined).map(([name]) => name);
  };
  const oldSecrets = [...secrets.old];
  let newSecret = secrets.new;
  if (encrypted.length > 0 && io.stdin.isTTY === true) {
    if (openedBy(oldSecrets).length < encrypted.length)
      oldSecrets.push(await answer(io, secrets.oldQuestion));
    if (newSecret === undefined && secrets.newQuestion) newSecret = await answer(io, secrets.newQuestion);
  }
  if (encrypted.length > 0) warnOfDevelopmentSecret(io, newSecret, openedBy);
  const names = encrypted.map(([name]) => name);
  const opened = openedBy([...oldSecrets, newSecret]);
  if (newSecret === undefined || openedBy([newSecret]).length === encrypted.length) {
    return { backup, tellOutcome: () => tellKeys(io, opened, names, 'stay sealed with the secret they had') };
  }
  // The new secret is tried as well, so keys that are already encrypted with it are not lost.
  const box = new SecretBox(newSecret, ...oldSecrets);
  return {
    backup: encryptAgain(backup, box),
    tellOutcome: () => tellKeys(io, opened, names, 'are sealed with the new secret'),
  };
}

/** Values that cannot be decrypted, and values that are not secret, stay unchanged. */
function encryptAgain({ head, batches }: Backup, box: SecretBox): Backup {
  const encrypt = (name: string, value: string) => {
    const text = name === AI_MOCK ? undefined : box.open(name, value);
    return text === undefined ? value : box.seal(name, text);
  };
  const settings = Object.entries(head.encryptedSettings).map(
    ([name, value]) => [name, encrypt(name, value)] as const,
  );
  return {
    head: { ...head, encryptedSettings: Object.fromEntries(settings) },
    batches: mapRows(batches, SETTINGS_TABLE, (row) => {
      if (row.value != null) row.value = encrypt(row.name ?? '', row.value);
    }),
  };
}

function warnOfDevelopmentSecret(
  io: CliIo,
  newSecret: string | undefined,
  openedBy: (secrets: readonly string[]) => readonly string[],
): void {
  const isPublic =
    newSecret === undefined
      ? openedBy([DEVELOPMENT_JWT_SECRET]).length > 0
      : newSecret === DEVELOPMENT_JWT_SECRET;
  if (!isPublic) return;
  io.tell(
    'Warning: provider keys are sealed with the publicly known development secret: give another as DB_NEW_SECRET.',
  );
}

function tellKeys(io: CliIo, opened: readonly string[], names: readonly string[], how: string): void {
  const lost = names.filter((name) => !opened.includes(name));
  if (opened.length > 0) io.tell(`Provider keys and addresses ${how}: ${opened.join(', ')}`);
  if (lost.length > 0) {
    io.tell(
      `The old secret does not open ${lost.join(', ')}: enter them again with PUT /api/config, or repeat this with ` +
        'the right one as DB_OLD_SECRET',
    );
  }
}

async function answer(io: CliIo, question: string): Promise<string | undefined> {
  const text = (await ask(io, question)).trim();
  return text === '' ? undefined : text;
}
