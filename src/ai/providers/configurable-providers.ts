import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ExtensionError, placedUnder, requireMethods } from '../../platform/common/extension-tokens';
import { fieldNames } from '../../platform/validation/field-metadata';
import { Environment } from '../../platform/config/environment';
import { fieldsOfProvider, UpdateConfigurationDto } from '../../platform/runtime-config/configuration.dto';
import { AI_PROVIDER, type AiProvider } from './ai-provider';

/** Pattern of provider names, which are part of settings (`GAMMA_API_KEY`), fields (`gammaKey`) and a header. */
const NAME = /^[a-z][a-z0-9_]{0,39}$/;

/** Values of `X-AI-Source` for answers that come from no provider. */
const OTHER_SOURCES: readonly unknown[] = ['cache', 'fallback'];

/** The providers of extensions whose key and address can be configured at run time. Excludes the contract's own. */
@Injectable()
export class ConfigurableProviders implements OnModuleInit {
  private found: readonly AiProvider[] | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly environment: Environment,
  ) {}

  /**
   * @throws ExtensionError for an invalid or duplicate name and for a missing method or property
   * @throws EnvironmentError for an invalid address
   */
  onModuleInit(): void {
    for (const { name } of this.all()) this.environment.requireProviderAddress(name);
    placedUnder(AI_PROVIDER, this.discovery).forEach(checkProvider);
  }

  /** Returns the providers in the order of their modules. Available from `onModuleInit` on. */
  all(): readonly AiProvider[] {
    const contract = fieldNames(UpdateConfigurationDto);
    this.found ??= configurable(placedUnder(AI_PROVIDER, this.discovery), contract);
    return this.found;
  }
}

/** @throws ExtensionError for a provider that lacks a method or property */
function checkProvider({ value, place }: { value: unknown; place: string }): void {
  const { name, defaultModel, capabilities } = value as Partial<AiProvider>;
  const what = `The AI provider "${name}" in ${place}`;
  if (typeof defaultModel !== 'string' || typeof capabilities?.remote !== 'boolean') {
    throw new ExtensionError(`${what} must have a defaultModel and capabilities: { remote, streaming }.`);
  }
  const methods = ['serves', 'isConfigured', 'complete', ...(capabilities.streaming ? ['stream'] : [])];
  requireMethods(what, value, methods);
}

/**
 * Returns the providers that get configuration fields of their own.
 * @param contract the fields that the configuration has without them
 */
export function configurable(
  placed: readonly { value: unknown; place: string }[],
  contract: readonly string[],
): AiProvider[] {
  const modules = new Map<unknown, string>();
  return placed.flatMap(({ value, place }) => {
    const instance = value as AiProvider;
    const name = (value as { name?: unknown } | null | undefined)?.name;
    const refused = (why: string) =>
      new ExtensionError(`The AI provider "${String(name)}" in ${place} ${why}`);
    const other = modules.get(name);
    if (typeof name !== 'string' || !NAME.test(name)) throw refused(`needs a name that matches ${NAME}.`);
    if (other !== undefined) throw refused(`has the name of one in ${other}: each needs its own.`);
    if (OTHER_SOURCES.includes(name)) throw refused('has a name that X-AI-Source uses for something else.');
    modules.set(name, place);
    if (instance.role === 'presets') return [];
    const taken = fieldsOfProvider(name).filter((field) => contract.includes(field));
    if (taken.length === 1)
      throw refused(`needs the field ${taken[0]}, which the configuration has already.`);
    // If both fields are taken, the provider is one of the contract.
    return taken.length === 0 ? [instance] : [];
  });
}
