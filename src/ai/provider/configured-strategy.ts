import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Environment } from '../../environment/environment';
import { RuntimeConfiguration } from '../../runtime-config/runtime-configuration';
import { AI_PROVIDER, type AiProvider } from './ai-provider';
import { AlphaProvider } from '../providers/alpha/alpha.provider';
import { BetaProvider } from '../providers/beta/beta.provider';
import { MockProvider } from '../providers/mock/mock.provider';

export interface ChosenProvider {
  readonly provider: AiProvider;
  readonly model: string;
}

/** Knows all providers and says which one a call goes to, by the configuration of this moment. */
@Injectable()
export class ProviderRegistry {
  private known: readonly AiProvider[] | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly configuration: RuntimeConfiguration,
    private readonly discovery: DiscoveryService,
    private readonly alpha: AlphaProvider,
    private readonly beta: BetaProvider,
    private readonly mock: MockProvider,
  ) {}

  /** The default model's provider; if that has no key, another one with its own default model; with none, the mock. */
  async choose(): Promise<ChosenProvider> {
    const { aiMock } = await this.configuration.current();
    if (aiMock) return this.mocked();
    const wanted = this.environment.aiDefaultModel ?? this.beta.defaultModel;
    const owner = this.providers().find((provider) => provider.serves(wanted));
    if (owner && (await owner.isConfigured())) return { provider: owner, model: wanted };
    for (const provider of this.providers()) {
      if (provider !== owner && (await provider.isConfigured()))
        return { provider, model: provider.defaultModel };
    }
    return this.mocked();
  }

  /** A provider by name with the model it would be asked for; undefined when there is none of that name. */
  named(name: string): ChosenProvider | undefined {
    const provider = this.providers().find((candidate) => candidate.name === name);
    if (!provider) return undefined;
    const wanted = this.environment.aiDefaultModel ?? this.beta.defaultModel;
    const isOwner = this.providers().find((candidate) => candidate.serves(wanted)) === provider;
    return { provider, model: isOwner ? wanted : provider.defaultModel };
  }

  /** Who makes embeddings with this model; undefined in mock mode, and where nobody can. */
  async embedder(model: string): Promise<ChosenProvider | undefined> {
    if ((await this.configuration.current()).aiMock) return undefined;
    for (const provider of this.providers()) {
      if (provider.embed && provider.serves(model) && (await provider.isConfigured()))
        return { provider, model };
    }
    return undefined;
  }

  private mocked(): ChosenProvider {
    return { provider: this.mock, model: this.mock.defaultModel };
  }

  /** Those added from outside come first: they may serve models that alpha would take for its own. */
  private providers(): readonly AiProvider[] {
    this.known ??= [
      ...this.discovery
        .getProviders()
        .filter((wrapper) => wrapper.token === AI_PROVIDER)
        .map((wrapper) => wrapper.instance as AiProvider),
      this.beta,
      this.alpha,
    ];
    return this.known;
  }
}
