import { hash } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { AccessPolicy } from '../access/access-policy';
import { type CurrentUser } from '../common/current-user';
import { ForbiddenError, InvalidInputError } from '../common/errors/service-error';
import { namesPrivateHost } from '../common/http/private-address';
import { SecurityLog } from '../common/security-log';
import { text } from '../common/texts/text';
import { type AiProviderAccess, Environment } from '../config/environment';
import { SigningSecret } from '../config/signing-secret';
import { ConfigurationChanges } from './configuration-changes';
import { type Replacement, RuntimeSettingsRepository } from './runtime-settings.repository';
import { AI_MOCK, SecretBox } from './secret-box';

/** Key and address of an AI provider in force now. */
export interface ProviderAccess extends AiProviderAccess {
  /** The address was stored at run time and must not lead into this machine or its network. */
  readonly mustBePublic?: true;
  /** There is a key in the environment, but it goes to no address that a user stored: the key is absent. */
  readonly isKeyWithheld?: true;
}

/** What is in force now: the stored value, else the environment's. */
export interface RuntimeSettings {
  readonly aiMock: boolean;
  /** Of what is stored: another after each change, the same in all instances that have read the same. */
  readonly revision: string;
  /** Key and address of the AI provider of this name, as far as they are set. */
  provider(name: string): ProviderAccess;
}

/**
 * Texts to store by the name of their setting: `aiMock`, and `<provider>Key` and `<provider>BaseUrl`. An
 * empty one or null removes what is stored, an absent one leaves it.
 */
export type ConfigurationChange = Readonly<Record<string, string | null | undefined>>;

/** Names of stored settings, by what became of them. */
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
  /** That of what is loaded, once it has been read. */
  private revision: string | undefined;
  /** Each access that was given out, and whether it was in mock mode. */
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

  /** Read before the first request needs it; what cannot be decrypted is said at the start. */
  async onApplicationBootstrap(): Promise<void> {
    // A database that is away at this moment is asked again by the first request.
    await this.current().catch(() => undefined);
  }

  /** Read once and kept until it changes. */
  current(): Promise<RuntimeSettings> {
    return this.loaded ?? this.keep(this.repository.all().then((rows) => this.settingsOf(rows)));
  }

  /**
   * What is in force now in place of an access given out here before; one from elsewhere stays as it is.
   * @returns undefined where mock mode has been switched on since it was given out
   */
  async inForce(name: string, access: ProviderAccess): Promise<ProviderAccess | undefined> {
    const hadPresets = this.given.get(access);
    if (hadPresets === undefined) return access;
    const settings = await this.current();
    return settings.aiMock && !hadPresets ? undefined : settings.provider(name);
  }

  /**
   * Stores the changes and resolves when they are in force everywhere in this instance.
   *
   * @throws ForbiddenError when this user may not configure the service
   * @throws InvalidInputError when an address must be public and names a private one
   */
  async update(change: ConfigurationChange, user: CurrentUser): Promise<void> {
    if (!(await this.policy.canConfigure(user))) throw new ForbiddenError();
    const values = new Map<string, string | undefined>();
    for (const [name, text] of Object.entries(change)) {
      if (text && name.endsWith('BaseUrl')) this.checkAddress(name, text);
      if (text !== undefined) values.set(name, text ? this.seal(name, text) : undefined);
    }
    await this.repository.write(values);
    // The change stands already, and what is not sealed anew opens with the previous secret as before.
    if (this.box.hasPrevious) {
      await this.reseal().catch(() => this.logger.warn('Stored values could not be sealed anew'));
    }
    if (values.size > 0) this.security.record('configuration.changed', { fields: [...values.keys()] });
    this.loaded = undefined;
    await this.current();
    await this.changes.announce();
  }

  /**
   * Seals anew what was sealed with a previous secret; what others change meanwhile stays as they have it.
   * @returns names of settings: sealed anew, sealed with the present secret before, and closed to all of them
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

  /** Until it is replaced, or fails. */
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
   * Puts what `read` finds in force, unless it is what is in force already.
   * @param read reads all stored settings
   */
  async refresh(read: () => Promise<ReadonlyMap<string, string>>): Promise<void> {
    const { loaded } = this;
    // The first who needs it reads it.
    if (!loaded) return;
    const rows = await read();
    // A change made here meanwhile is newer than what was read.
    if (this.loaded !== loaded || this.revision === revisionOf(rows)) return;
    const isFirst = this.revision === undefined;
    await this.keep(Promise.resolve(this.settingsOf(rows)));
    if (!isFirst) await this.changes.announce();
  }

  /** A name is looked at when it is resolved, at each connection. */
  private checkAddress(field: string, address: string): void {
    if (!this.environment.aiRefusePrivateAddresses || !namesPrivateHost(address)) return;
    throw InvalidInputError.of([{ field, message: text('field.private-address') }]);
  }

  /** Keys, and addresses as well: one may hold a token in its path. */
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

  /** Whoever may store an address must not thereby obtain the key that the operator has set. */
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
