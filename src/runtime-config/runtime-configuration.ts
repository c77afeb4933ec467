import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { AccessPolicy } from '../common/access/access-policy';
import { type CurrentUser } from '../common/access/current-user';
import { ForbiddenError } from '../common/errors/service-error';
import { type AiProviderAccess, Environment } from '../environment/environment';
import { SigningSecret } from '../environment/signing-secret';
import { ConfigurationChanges } from './configuration-changes';
import { RuntimeSettingsRepository } from './runtime-settings.repository';
import { SecretBox } from './secret-box';

/** What is in force now: the stored value, else the environment's. */
export interface RuntimeSettings {
  readonly aiMock: boolean;
  /** Key and address of the AI provider of this name, as far as they are set. */
  provider(name: string): AiProviderAccess;
}

/**
 * Texts to store by the name of their setting: `aiMock`, and `<provider>Key` and `<provider>BaseUrl`. An
 * empty one or null removes what is stored, an absent one leaves it.
 */
export type ConfigurationChange = Readonly<Record<string, string | null | undefined>>;

const AI_MOCK = 'aiMock';

/** The settings that can be changed while the service runs. */
@Injectable()
export class RuntimeConfiguration implements OnApplicationBootstrap {
  private readonly logger = new Logger('Configuration');
  private readonly box: SecretBox;
  private loaded: Promise<RuntimeSettings> | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly repository: RuntimeSettingsRepository,
    private readonly changes: ConfigurationChanges,
    private readonly policy: AccessPolicy,
    signingSecret: SigningSecret,
  ) {
    this.box = new SecretBox(environment.configEncryptionKey ?? signingSecret.value);
  }

  /** Read before the first request needs it; what cannot be decrypted is said at the start. */
  async onApplicationBootstrap(): Promise<void> {
    // A database that is away at this moment is asked again by the first request.
    await this.current().catch(() => undefined);
  }

  /** Read once and kept until it changes. */
  current(): Promise<RuntimeSettings> {
    this.loaded ??= this.load().catch((error: unknown) => {
      this.loaded = undefined;
      throw error;
    });
    return this.loaded;
  }

  /**
   * Stores the changes and resolves when they are in force everywhere in this instance.
   *
   * @throws ForbiddenError when this user may not configure the service
   */
  async update(change: ConfigurationChange, user: CurrentUser): Promise<void> {
    if (!(await this.policy.canConfigure(user))) throw new ForbiddenError();
    const values = new Map<string, string | undefined>();
    for (const [name, text] of Object.entries(change)) {
      if (text !== undefined) values.set(name, text ? this.seal(name, text) : undefined);
    }
    await this.repository.write(values);
    this.loaded = undefined;
    await this.current();
    await this.changes.announce();
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

  private async load(): Promise<RuntimeSettings> {
    const { aiMock, aiProviders } = this.environment;
    const rows = await this.repository.all();
    const stored = new Map([...rows].map(([name, value]) => [name, this.open(name, value)]));
    const mode = stored.get(AI_MOCK);
    return {
      aiMock: mode === undefined ? aiMock : mode === 'true',
      provider: (name) => ({
        key: stored.get(`${name}Key`) ?? aiProviders[name]?.key,
        baseUrl: stored.get(`${name}BaseUrl`) ?? aiProviders[name]?.baseUrl,
      }),
    };
  }
}
