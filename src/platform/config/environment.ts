import type { SettingsSchema } from './extra-settings';
import { misspeltSettings } from './misspelt-settings';
import {
  isOfProvider,
  ofProviders,
  present,
  providerAddressFault,
  SETTING_NAMES,
  settings,
  type SettingValues,
  variablesOfProvider,
} from './settings';

export {
  type AiProviderAccess,
  type DatabaseLimits,
  type DatabaseLocation,
  DEVELOPMENT_JWT_SECRET,
} from './settings';

/** Settings are invalid. The message lists all faults at once and never contains a value. */
export class EnvironmentError extends Error {
  constructor(readonly faults: string[]) {
    super(`Invalid settings:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'EnvironmentError';
  }
}

// The constructor assigns all values.
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-empty-object-type */
export interface Environment extends SettingValues {}

/**
 * The service's settings, typed and validated (`settings.ts` describes each). Parsed once when an application is
 * created. No other code reads `process.env`.
 */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- as above
export class Environment {
  /** Private at run time, so that printing the settings never shows variables of other programs. */
  readonly #variables: Readonly<Record<string, string>>;
  readonly #extra = new Map<unknown, unknown>();
  /** Names of settings: the service's own, those of extensions and of their AI providers. */
  readonly #names: Set<string>;

  constructor(
    values: SettingValues,
    variables: Readonly<Record<string, string>> = {},
    names: readonly string[] = SETTING_NAMES,
  ) {
    Object.assign(this, values);
    this.#variables = variables;
    this.#names = new Set(names);
  }

  /**
   * Returns the settings of an extension, parsed by its schema under `EXTRA_SETTINGS`.
   * @throws EnvironmentError if they are invalid, which was already reported at start
   */
  extra<T>(schema: SettingsSchema<T>): T {
    if (!this.#extra.has(schema)) {
      const { success, data, error } = schema.safeParse(this.#variables);
      if (!success) throw new EnvironmentError((error?.issues ?? []).map(faultOf));
      this.#extra.set(schema, data);
    }
    return this.#extra.get(schema) as T;
  }

  /**
   * Checks the address of an AI provider. Before a provider is registered, a variable such as `ASSETS_BASE_URL`
   * without a key may belong to another program.
   * @param name name of the provider
   * @throws EnvironmentError for an invalid address
   * @internal
   */
  requireProviderAddress(name: string): void {
    const variable = `${name.toUpperCase()}_BASE_URL`;
    for (const known of variablesOfProvider(name)) this.#names.add(known);
    const fault = this.#variables[variable] && providerAddressFault(this.#variables[variable]);
    if (fault) throw new EnvironmentError([`${variable} ${fault}`]);
  }

  /**
   * Returns warnings about variables that are probably misspelt settings; complete once the AI providers are known.
   * @param inFile names of variables in `.env`
   * @internal
   */
  misspelt(inFile: readonly string[]): string[] {
    return misspeltSettings(Object.keys(this.#variables), this.#names, inFile);
  }
}

/** Returns the variables, and records the names that a schema reads: a schema can have any form. */
function observed(set: Readonly<Record<string, string>>) {
  const names = new Set<string>();
  const note = (name: string | symbol) => typeof name === 'string' && names.add(name);
  const variables = new Proxy(set, {
    get(target, name) {
      note(name);
      return Reflect.get(target, name) as unknown;
    },
    has(target, name) {
      note(name);
      return Reflect.has(target, name);
    },
  });
  return { variables, names };
}

/**
 * Reads the settings from `variables` (`process.env` in the application). A variable with an empty text counts as
 * absent.
 * @param extra settings of extensions, validated together with the service's own
 * @throws EnvironmentError listing every invalid variable
 */
export function parseEnvironment(
  variables: Record<string, string | undefined>,
  extra: readonly SettingsSchema[] = [],
): Environment {
  const set = present(variables);
  const asked = observed(set);
  const own = settings.safeParse({ ...set, providers: ofProviders(set) });
  const faults = [own, ...extra.map((schema) => schema.safeParse(asked.variables))].flatMap(({ error }) =>
    (error?.issues ?? []).map(faultOf),
  );
  const names = [...SETTING_NAMES, ...asked.names];
  if (faults.length > 0) {
    // A missing setting may only be misspelt. The names of AI providers are not known yet.
    const others = Object.keys(set).filter((name) => !isOfProvider(name));
    throw new EnvironmentError([...faults, ...misspeltSettings(others, new Set(names))]);
  }
  return new Environment(own.data!, set, names);
}

const faultOf = ({ path, message }: { path: readonly PropertyKey[]; message: string }) =>
  path.length === 0 ? message : `${String(path.at(-1))} ${message}`;
