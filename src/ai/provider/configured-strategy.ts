import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Environment } from '../../environment/environment';
import { RuntimeConfiguration } from '../../runtime-config/runtime-configuration';
import { AI_PROVIDER, type AiProvider, type ProviderRole } from './ai-provider';
import { AiStrategy, type AiTarget } from './ai-strategy';
import { providedUnder } from './provided-under';

/**
 * In this order providers are asked whether a model is theirs; one that serves any model would take the
 * others'.
 */
const ORDER: readonly (ProviderRole | undefined)[] = [undefined, 'default', 'any-model'];

/** Chooses among the providers of all modules by the configuration of this moment. */
@Injectable()
export class ConfiguredStrategy extends AiStrategy {
  private found: readonly AiProvider[] | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly configuration: RuntimeConfiguration,
    private readonly discovery: DiscoveryService,
  ) {
    super();
  }

  /**
   * The default model's provider; if it has no key, another one with its own default model; with none, the
   * presets.
   */
  async current(): Promise<AiTarget> {
    if ((await this.configuration.current()).aiMock) return this.presets();
    const wanted = this.defaultTarget();
    if (wanted && (await wanted.provider.isConfigured())) return wanted;
    for (const provider of this.models()) {
      if (await provider.isConfigured()) return ownModel(provider);
    }
    return this.presets();
  }

  named(name: string): AiTarget | undefined {
    const provider = this.models().find((candidate) => candidate.name === name);
    if (!provider) return undefined;
    const wanted = this.defaultTarget();
    return wanted?.provider === provider ? wanted : ownModel(provider);
  }

  async embedding(model: string): Promise<AiTarget | undefined> {
    if ((await this.configuration.current()).aiMock) return undefined;
    for (const provider of this.models()) {
      if (provider.embed && provider.serves(model) && (await provider.isConfigured()))
        return { provider, model };
    }
    return undefined;
  }

  /** The default model and who serves it. */
  private defaultTarget(): AiTarget | undefined {
    const model =
      this.environment.aiDefaultModel ?? this.models().find(({ role }) => role === 'default')?.defaultModel;
    const provider = model && this.models().find((candidate) => candidate.serves(model));
    return provider ? { provider, model } : undefined;
  }

  private presets(): AiTarget {
    const provider = this.all().find(({ role }) => role === 'presets');
    if (!provider) throw new Error('No AI provider with the role "presets" is registered');
    return ownModel(provider);
  }

  /** Those that ask a model. */
  private models(): AiProvider[] {
    return ORDER.flatMap((role) => this.all().filter((provider) => provider.role === role));
  }

  private all(): readonly AiProvider[] {
    this.found ??= providedUnder<AiProvider>(AI_PROVIDER, this.discovery);
    return this.found;
  }
}

function ownModel(provider: AiProvider): AiTarget {
  return { provider, model: provider.defaultModel };
}
