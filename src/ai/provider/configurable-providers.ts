import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ExtensionError, placedUnder, requireMethods } from '../../common/extension-tokens';
import { fieldNames } from '../../common/validation/field-metadata';
import { Environment } from '../../config/environment';
import { fieldsOfProvider, UpdateConfigurationDto } from '../../runtime-config/dto/update-configuration.dto';
import { AI_PROVIDER, type AiProvider } from './ai-provider';

/** It stands in names of settings (`GAMMA_API_KEY`) and of fields (`gammaKey`), and in a header. */
const NAME = /^[a-z][a-z0-9_]{0,39}$/;

/** What `X-AI-Source` says of answers that no provider gave. */
const OTHER_SOURCES: readonly unknown[] = ['cache', 'fallback'];

/** The providers, beside those that the contract names, whose key and address can be stored at run time. */
@Injectable()
export class ConfigurableProviders implements OnModuleInit {
  private found: readonly AiProvider[] | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly environment: Environment,
  ) {}

  /**
   * @throws ExtensionError for a name that none can have or that two have, and for what lacks a method;
   *   EnvironmentError for an address of one that is none
   */
  onModuleInit(): void {
    for (const { name } of this.all()) this.environment.requireProviderAddress(name);
    placedUnder(AI_PROVIDER, this.discovery).forEach(checkProvider);
  }

  /** In the order of their modules; callable once modules are being initialised. */
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
 * Those of all providers that get fields of their own.
 * @param contract the fields of the configuration that are there without them
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
    // With both it is one that the contract names.
    return taken.length === 0 ? [instance] : [];
  });
}
