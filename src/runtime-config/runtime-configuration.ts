import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Environment } from '../environment/environment';
import { SigningSecret } from '../environment/signing-secret';
import { ConfigurationChanges } from './configuration-changes';
import { RuntimeSettingsRepository } from './runtime-settings.repository';
import { SecretBox } from './secret-box';

export interface ProviderSettings {
  readonly key?: string;
  readonly baseUrl?: string;
}

/** What is in force now: the stored value, else the environment's. */
export interface RuntimeSettings {
  readonly aiMock: boolean;
  readonly alpha: ProviderSettings;
  readonly beta: ProviderSettings;
}

/** Texts to store; an empty one removes what is stored, an absent one leaves it. */
export interface ConfigurationChange {
  readonly alphaKey?: string;
  readonly betaKey?: string;
  readonly alphaBaseUrl?: string;
  readonly betaBaseUrl?: string;
  readonly aiMock?: string;
}

type Name = keyof ConfigurationChange;

/** Addresses are sealed as well: one may hold a token in its path. */
const SEALED: readonly Name[] = ['alphaKey', 'betaKey', 'alphaBaseUrl', 'betaBaseUrl'];

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
    signingSecret: SigningSecret,
  ) {
    this.box = new SecretBox(environment.configEncryptionKey ?? signingSecret.value);
  }

  /** Read before the first request needs it; what cannot be decrypted is told at the start. */
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

  /** Stores the changes and resolves when they are in force everywhere in this instance. */
  async update(change: ConfigurationChange): Promise<void> {
    const values = new Map<string, string | undefined>();
    for (const [name, text] of Object.entries(change) as [Name, string | undefined][]) {
      if (text === undefined) continue;
      values.set(name, text === '' ? undefined : this.stored(name, text));
    }
    await this.repository.write(values);
    this.loaded = undefined;
    await this.current();
    await this.changes.announce();
  }

  private stored(name: Name, text: string): string {
    return SEALED.includes(name) ? this.box.seal(name, text) : text;
  }

  private async load(): Promise<RuntimeSettings> {
    const { environment } = this;
    const stored = await this.repository.all();
    const read = (name: Name): string | undefined => {
      const value = stored.get(name);
      if (value === undefined || !SEALED.includes(name)) return value;
      const text = this.box.open(name, value);
      if (text === undefined) {
        this.logger.warn(
          `The stored ${name} cannot be decrypted with the present secret and counts as absent: enter it again`,
        );
      }
      return text;
    };
    const aiMock = read('aiMock');
    return {
      aiMock: aiMock === undefined ? environment.aiMock : aiMock === 'true',
      alpha: {
        key: read('alphaKey') ?? environment.alphaApiKey,
        baseUrl: tidyAlpha(read('alphaBaseUrl') ?? environment.alphaBaseUrl),
      },
      beta: {
        key: read('betaKey') ?? environment.betaApiKey,
        baseUrl: tidyBeta(read('betaBaseUrl') ?? environment.betaBaseUrl),
      },
    };
  }
}

/** As the OpenAI SDK takes it: the path goes on behind it. */
function tidyAlpha(url: string | undefined): string | undefined {
  return url?.trim().replace(/\/+$/, '') || undefined;
}

/** As the Anthropic SDK takes it: it adds `/v1` itself, so a pasted one goes. */
function tidyBeta(url: string | undefined): string | undefined {
  return tidyAlpha(url)?.replace(/\/v1$/, '').replace(/\/+$/, '') || undefined;
}
