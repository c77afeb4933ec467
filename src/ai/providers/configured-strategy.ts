import { Injectable, Logger } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { placedUnder } from '../../platform/common/extension-tokens';
import { within } from '../../platform/common/within';
import { Environment } from '../../platform/config/environment';
import {
  type ProviderAccess,
  RuntimeConfiguration,
} from '../../platform/runtime-config/runtime-configuration';
import { AI_PROVIDER, type AiProvider, AiStrategy, type AiTarget, type ProviderRole } from './ai-provider';

/** Time limit for `isConfigured` of a provider, in milliseconds. */
export const CONFIGURED_PATIENCE_MS = 5_000;

const logger = new Logger('AI');

/** Returns true if the provider can be called now, and false if it throws or does not answer in time. */
export async function isConfigured(provider: AiProvider, access: ProviderAccess): Promise<boolean> {
  try {
    return await within(
      CONFIGURED_PATIENCE_MS,
      () => new Silence(),
      async () => provider.isConfigured(access),
    );
  } catch (error) {
    // The error's message is not logged, because it may contain the key.
    const reason = error instanceof Error ? error.constructor.name : typeof error;
    logger.error(`The AI provider "${provider.name}" does not say whether it is configured (${reason})`);
    return false;
  }
}

class Silence extends Error {}

/**
 * The order in which providers are checked for a model. A provider that serves any model comes after
 * those that serve only their own. Presets are the last resort.
 */
const ORDER: readonly (ProviderRole | undefined)[] = [undefined, 'default', 'any-model', 'presets'];

/** Chooses a provider of any module according to the current configuration. */
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
   * Returns the default model's provider. If it is not configured, returns another one with its own
   * default model, and finally the presets.
   */
  async current(): Promise<AiTarget> {
    const targets = this.targets();
    const settings = await this.configuration.current();
    for (const { provider, model } of targets) {
      const access = settings.provider(provider.name);
      if (provider.role === 'presets' || (!settings.aiMock && (await isConfigured(provider, access))))
        return { provider, model, access };
    }
    throw new Error('No AI provider with the role "presets" is registered');
  }

  named(name: string): AiTarget | undefined {
    return this.targets().find(({ provider }) => provider.name === name && provider.role !== 'presets');
  }

  async embedding(model: string): Promise<AiTarget | undefined> {
    const settings = await this.configuration.current();
    for (const provider of settings.aiMock ? [] : this.all()) {
      const access = settings.provider(provider.name);
      if (provider.embed && provider.serves(model) && (await isConfigured(provider, access)))
        return { provider, model, access };
    }
    return undefined;
  }

  /** Returns the candidates in order of preference: the default model, then those of the other providers. */
  private targets(): AiTarget[] {
    const all = this.all();
    const wanted =
      this.environment.aiDefaultModel ?? all.find(({ role }) => role === 'default')?.defaultModel;
    const first = wanted && all.find((provider) => provider.serves(wanted));
    const others = all
      .filter((provider) => provider !== first)
      .map((provider) => ({ provider, model: provider.defaultModel }));
    return first ? [{ provider: first, model: wanted }, ...others] : others;
  }

  /** Looked up on first use, when all modules are loaded. */
  private all(): readonly AiProvider[] {
    const found = () => placedUnder(AI_PROVIDER, this.discovery).map(({ value }) => value as AiProvider);
    this.found ??= ORDER.flatMap((role) => found().filter((provider) => provider.role === role));
    return this.found;
  }
}
