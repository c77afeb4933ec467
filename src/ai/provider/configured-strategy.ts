import { Injectable, Logger } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { placedUnder } from '../../common/extension-tokens';
import { within } from '../../common/within';
import { Environment } from '../../config/environment';
import { type ProviderAccess, RuntimeConfiguration } from '../../runtime-config/runtime-configuration';
import { AI_PROVIDER, type AiProvider, type ProviderRole } from './ai-provider';
import { AiStrategy, type AiTarget } from './ai-strategy';

/** How long a provider may take to say whether it could be called, in milliseconds. */
export const CONFIGURED_PATIENCE_MS = 5_000;

const logger = new Logger('AI');

/** Whether a provider could be called now. One that does not say it in time, or fails to, could not. */
export async function isConfigured(provider: AiProvider, access: ProviderAccess): Promise<boolean> {
  try {
    return await within(
      CONFIGURED_PATIENCE_MS,
      () => new Silence(),
      async () => provider.isConfigured(access),
    );
  } catch (error) {
    // No message: it may hold the key.
    const reason = error instanceof Error ? error.constructor.name : typeof error;
    logger.error(`The AI provider "${provider.name}" does not say whether it is configured (${reason})`);
    return false;
  }
}

class Silence extends Error {}

/**
 * In this order providers say whether a model is theirs; one that serves any model would take the
 * others'. Presets stand in where none of them is configured.
 */
const ORDER: readonly (ProviderRole | undefined)[] = [undefined, 'default', 'any-model', 'presets'];

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

  /** The candidates, the preferred first: the default model, then the others' own models. */
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

  /** Found when they are first needed: by then all modules are there. */
  private all(): readonly AiProvider[] {
    const found = () => placedUnder(AI_PROVIDER, this.discovery).map(({ value }) => value as AiProvider);
    this.found ??= ORDER.flatMap((role) => found().filter((provider) => provider.role === role));
    return this.found;
  }
}
