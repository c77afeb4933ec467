import { hash } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { AccessPolicy } from '../access/access-policy';
import { type CurrentUser } from '../common/current-user';
import { ForbiddenError, InvalidInputError } from '../common/errors/service-error';
import { namesPrivateHost } from '../http/private-address';
import { SecurityLog } from '../common/security-log';
import { text } from '../texts/text';
import { type AiProviderAccess, Environment } from '../config/environment';
import { SigningSecret } from '../config/signing-secret';
import { type Replacement, RuntimeSettingsRepository } from './runtime-settings.repository';
import { AI_MOCK, SecretBox } from './secret-box';

type Listener = () => void | Promise<void>;

/**
 * Announces changes of the configuration. Encapsulated in one class, so that instances could share announcements
 * later.
 */
@Injectable()
export class ConfigurationChanges {
  private readonly listeners = new Set<Listener>();

  /** @returns a function that ends the subscription */
  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Resolves when all listeners have applied the change. */
  async announce(): Promise<void> {
    await Promise.all([...this.listeners].map(async (listener) => listener()));
  }
}

/** The current key and address of an AI provider. */
export interface ProviderAccess extends AiProviderAccess {
  /** The address was stored at run time and must not point to this machine or its network. */
  readonly mustBePublic?: true;
  /** The environment has a key, but the key is not sent to an address that a user stored, so it is absent. */
  readonly isKeyWithheld?: true;
}

/** The current settings: stored values, otherwise those of the environment. */
export interface RuntimeSettings {
  readonly aiMock: boolean;
  /** Identifies the stored settings: different after each change, equal in all instances that have read the same. */
  readonly revision: string;
  /** Returns the configured key and address of the AI provider with this name. */
  provider(name: string): ProviderAccess;
}

/**
 * Texts to store by the name of their setting: `aiMock`, `<provider>Key` and `<provider>BaseUrl`. An empty text or
 * null removes the stored value, an absent one leaves it unchanged.
 */
export type ConfigurationChange = Readonly<Record<string, string | null | undefined>>;

/** Names of stored settings by outcome. */
export interface Resealed {
  readonly anew: string[];
  readonly before: string[];
  readonly closed: string[];
}

const revisionOf = (rows: ReadonlyMap<string, string>): string =>
  hash('sha256', JSON.stringify([...rows].sort()));

/** The settings that can be changed while the service runs. */
@Injectable()
export class RuntimeConfiguration implements OnApplicationBootstrap {
  private readonly logger = new Logger('Configuration');
  private readonly box: SecretBox;
  private loaded: Promise<RuntimeSettings> | undefined;
  /** Revision of `loaded`, once it has been read. */
  private revision: string | undefined;
  /** Each access that was returned, and whether mock mode was on at that time. */
  private readonly given = new WeakMap<ProviderAccess, boolean>();

  constructor(
    private readonly environment: Environment,
    private readonly repository: RuntimeSettingsRepository,
    private readonly changes: ConfigurationChanges,
    private readonly policy: AccessPolicy,
    signingSecret: SigningSecret,
    private readonly security: SecurityLog,
  ) {
    this.box = new SecretBox(
      environment.configEncryptionKey ?? signingSecret.value,
      environment.configEncryptionKeyPrevious,
      signingSecret.previous,
    );
  }

  /** Reads the settings at start, so that values which cannot be decrypted are logged before the first request. */
  async onApplicationBootstrap(): Promise<void> {
    // If the database is unreachable now, the first request reads the settings again.
    await this.current().catch(() => undefined);
  }

  /** Reads the settings once and caches them until they change. */
  current(): Promise<RuntimeSettings> {
    return this.loaded ?? this.keep(this.repository.all().then((rows) => this.settingsOf(rows)));
  }

  /**
   * Returns the current access in place of one that was returned earlier. An access from elsewhere stays unchanged.
   * @returns undefined if mock mode has been switched on since then
   */
  async inForce(name: string, access: ProviderAccess): Promise<ProviderAccess | undefined> {
    const hadPresets = this.given.get(access);
    if (hadPresets === undefined) return access;
    const settings = await this.current();
    return settings.aiMock && !hadPresets ? undefined : settings.provider(name);
  }

  /**
   * Stores the changes and resolves when they are in effect everywhere in this instance.
   *
   * @throws ForbiddenError if this user may not configure the service
   * @throws InvalidInputError if an address must be public and names a private host
   */
  async update(change: ConfigurationChange, user: CurrentUser): Promise<void> {
    if (!(await this.policy.canConfigure(user))) throw new ForbiddenError();
    const values = new Map<string, string | undefined>();
    for (const [name, text] of Object.entries(change)) {
      if (text && name.endsWith('BaseUrl')) this.checkAddress(name, text);
      if (text !== undefined) values.set(name, text ? this.seal(name, text) : undefined);
    }
    await this.repository.write(values);
    // The change itself is stored. Values that are not re-encrypted can still be decrypted with the previous secret.
    if (this.box.hasPrevious) {
      await this.reseal().catch(() => this.logger.warn('Stored values could not be sealed anew'));
    }
    if (values.size > 0) this.security.record('configuration.changed', { fields: [...values.keys()] });
    this.loaded = undefined;
    await this.current();
    await this.changes.announce();
  }

  /**
   * Re-encrypts values that are encrypted with a previous secret. Concurrent changes by others are not overwritten.
   * @returns names of settings: re-encrypted, encrypted with the current secret already, and not decryptable
   */
  async reseal(): Promise<Resealed> {
    const resealed: Resealed = { anew: [], before: [], closed: [] };
    const replacements: Replacement[] = [];
    for (const [name, stored] of await this.repository.all()) {
      if (name === AI_MOCK) continue;
      const text = this.box.open(name, stored);
      if (text === undefined) resealed.closed.push(name);
      else if (this.box.isCurrent(name, stored)) resealed.before.push(name);
      else {
        resealed.anew.push(name);
        replacements.push({ name, before: stored, after: this.box.seal(name, text) });
      }
    }
    await this.repository.replace(replacements);
    return resealed;
  }

  /** Caches the settings until they are replaced, or loading fails. */
  private keep(loading: Promise<RuntimeSettings>): Promise<RuntimeSettings> {
    this.loaded = loading;
    this.revision = undefined;
    loading.then(
      ({ revision }) => {
        if (this.loaded === loading) this.revision = revision;
      },
      () => {
        if (this.loaded === loading) this.loaded = undefined;
      },
    );
    return loading;
  }

  /**
   * Applies the settings that `read` returns, if they differ from the current ones.
   * @param read reads all stored settings
   */
  async refresh(read: () => Promise<ReadonlyMap<string, string>>): Promise<void> {
    const { loaded } = this;
    // The first request that needs the settings will read them.
    if (!loaded) return;
    const rows = await read();
    // A change made here in the meantime is newer than the rows that were read.
    if (this.loaded !== loaded || this.revision === revisionOf(rows)) return;
    const isFirst = this.revision === undefined;
    await this.keep(Promise.resolve(this.settingsOf(rows)));
    if (!isFirst) await this.changes.announce();
  }

  /** Host names are checked when they are resolved, at each connection. */
  private checkAddress(field: string, address: string): void {
    if (!this.environment.aiRefusePrivateAddresses || !namesPrivateHost(address)) return;
    throw InvalidInputError.of([{ field, message: text('field.private-address') }]);
  }

  /** Encrypts keys, and also addresses, because an address may contain a token in its path. */
  private seal(name: string, text: string): string {
    return name === AI_MOCK ? text : this.box.seal(name, text);
  }

  private open(name: string, stored: string): string | undefined {
    if (name === AI_MOCK) return stored;
    const text = this.box.open(name, stored);
    if (text === undefined) {
      this.logger.warn(
        `The stored ${name} cannot be decrypted with the present secret and counts as absent: enter it again`,
      );
    }
    return text;
  }

  private settingsOf(rows: ReadonlyMap<string, string>): RuntimeSettings {
    const { aiMock, aiProviders } = this.environment;
    const stored = new Map([...rows].map(([name, value]) => [name, this.open(name, value)]));
    const mode = stored.get(AI_MOCK);
    const hasPresets = mode === undefined ? aiMock : mode === 'true';
    return {
      aiMock: hasPresets,
      revision: revisionOf(rows),
      provider: (name) => {
        const own = { key: stored.get(`${name}Key`), baseUrl: stored.get(`${name}BaseUrl`) };
        const access = this.access(own, aiProviders[name]);
        this.given.set(access, hasPresets);
        return access;
      },
    };
  }

  /** A user who can store an address must not be able to obtain the operator's key with it. */
  private access(stored: AiProviderAccess, operator: AiProviderAccess = {}): ProviderAccess {
    const { aiStoredAddressWithEnvKey, aiRefusePrivateAddresses } = this.environment;
    const isStoredAddress = stored.baseUrl !== undefined;
    const isOperatorsKey = stored.key === undefined && operator.key !== undefined;
    const isKeyWithheld = isStoredAddress && isOperatorsKey && !aiStoredAddressWithEnvKey;
    return {
      key: isKeyWithheld ? undefined : (stored.key ?? operator.key),
      baseUrl: stored.baseUrl ?? operator.baseUrl,
      ...(isStoredAddress && aiRefusePrivateAddresses && { mustBePublic: true }),
      ...(isKeyWithheld && { isKeyWithheld }),
    };
  }
}
