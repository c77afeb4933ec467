import { DEVELOPMENT_JWT_SECRET, type Environment } from '../../environment/environment';
import { resolveSigningSecret } from '../../environment/signing-secret';
import { Resealing, SETTINGS_TABLE } from '../../runtime-config/sealed-settings';
import { type TransferParts, withChangedRows } from '../../database/transfer/transfer-parts';
import type { CliIo } from '../cli-io';
import { ask } from '../users/read-password';

/** Sealed settings by name. */
export type SealedSettings = Readonly<Record<string, string>>;

/** What a service of these settings seals stored provider keys with. */
export const secretOf = (environment: Environment): string =>
  environment.configEncryptionKey ?? resolveSigningSecret(environment).value;

/** What may open them where they come from: DB_OLD_SECRET, else what such a service opens them with. */
export const oldSecretsOf = (environment: Environment): readonly (string | undefined)[] =>
  environment.transferOldSecret === undefined
    ? [secretOf(environment), environment.configEncryptionKeyPrevious, environment.jwtSecretPrevious]
    : [environment.transferOldSecret];

interface Secrets {
  /** What the keys should be sealed with where they come from: one of these. */
  readonly old: readonly (string | undefined)[];
  /** Asked where that does not open them, on a terminal. */
  readonly oldQuestion: string;
  /** What they are to be sealed with where they go, if that is known. */
  readonly new?: string;
  /** Asked otherwise, on a terminal; an empty answer leaves them as they are. */
  readonly newQuestion?: string;
}

/** Provider keys on their way from one database to another. */
export class TravellingSecrets {
  private constructor(
    private readonly io: CliIo,
    private readonly sealed: SealedSettings,
    private readonly resealing: Resealing,
    private readonly isSealedAnew: boolean,
  ) {}

  /** Asks nothing where no key is stored. */
  static async find(io: CliIo, sealed: SealedSettings, secrets: Secrets): Promise<TravellingSecrets> {
    const oldSecrets = [...secrets.old];
    let newSecret = secrets.new;
    const names = Object.keys(sealed);
    const opening = (given: readonly (string | undefined)[]) => {
      const resealing = new Resealing(given, '');
      return names.filter((name) => resealing.opens(name, sealed[name]!));
    };
    if (names.length > 0 && io.stdin.isTTY === true) {
      if (opening(oldSecrets).length < names.length) oldSecrets.push(await answer(io, secrets.oldQuestion));
      if (newSecret === undefined && secrets.newQuestion) newSecret = await answer(io, secrets.newQuestion);
    }
    const isSealedAnew = newSecret !== undefined && opening([newSecret]).length < names.length;
    const isKnownToAll =
      newSecret === undefined
        ? opening([DEVELOPMENT_JWT_SECRET]).length > 0
        : names.length > 0 && newSecret === DEVELOPMENT_JWT_SECRET;
    if (isKnownToAll) {
      io.tell(
        'Warning: provider keys are sealed with the publicly known development secret: give another as DB_NEW_SECRET.',
      );
    }
    // What is under the new secret already stays there.
    const resealing = new Resealing([...oldSecrets, newSecret], newSecret ?? '');
    return new TravellingSecrets(io, sealed, resealing, isSealedAnew);
  }

  /** The sealed settings as they are to be where they go. */
  get resealed(): SealedSettings {
    if (!this.isSealedAnew) return this.sealed;
    const entries = Object.entries(this.sealed);
    return Object.fromEntries(entries.map(([name, value]) => [name, this.resealing.resealed(name, value)]));
  }

  change(parts: TransferParts): TransferParts {
    if (!this.isSealedAnew) return parts;
    return withChangedRows(parts, SETTINGS_TABLE, (values, columns) => {
      const [name, value] = [columns.indexOf('name'), columns.indexOf('value')];
      return values.map((text, column) =>
        column === value && text !== null ? this.resealing.resealed(values[name] ?? '', text) : text,
      );
    });
  }

  /** Says what became of the keys. */
  tell(): void {
    const names = Object.keys(this.sealed);
    const opened = names.filter((name) => this.resealing.opens(name, this.sealed[name]!));
    const lost = names.filter((name) => !opened.includes(name));
    if (opened.length > 0) {
      const how = this.isSealedAnew
        ? 'are sealed with the new secret'
        : 'stay sealed with the secret they had';
      this.io.tell(`Provider keys and addresses ${how}: ${opened.join(', ')}`);
    }
    if (lost.length > 0) {
      this.io.tell(
        `The old secret does not open ${lost.join(', ')}: enter them again with PUT /api/config, or repeat this with ` +
          'the right one as DB_OLD_SECRET',
      );
    }
  }
}

async function answer(io: CliIo, question: string): Promise<string | undefined> {
  const text = (await ask(io, question)).trim();
  return text === '' ? undefined : text;
}
