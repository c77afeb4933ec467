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

/** Thrown when settings are invalid: names every fault at once, never a value. */
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
 * The service's settings, typed and checked (`settings.ts` describes each). Parsed once when an application
 * is created; nothing else reads `process.env`.
 */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- as above
export class Environment {
  /** Not a property: nothing that prints the settings shows other programs' variables. */
  readonly #variables: Readonly<Record<string, string>>;
  readonly #extra = new Map<unknown, unknown>();
  /** Names of settings: ours, those of extensions and of their AI providers. */
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
   * The settings of an extension, as its schema under `EXTRA_SETTINGS` makes them.
   * @throws EnvironmentError where they are invalid, which the start has told
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
   * Without a key a variable like `ASSETS_BASE_URL` may be another program's, until a provider has the name.
   * @param name of a provider
   * @throws EnvironmentError for an address that is none
   * @internal
   */
  requireProviderAddress(name: string): void {
    const variable = `${name.toUpperCase()}_BASE_URL`;
    for (const known of variablesOfProvider(name)) this.#names.add(known);
    const fault = this.#variables[variable] && providerAddressFault(this.#variables[variable]);
    if (fault) throw new EnvironmentError([`${variable} ${fault}`]);
  }

  /**
   * Tells of variables that are no setting but may be meant as one; complete once the AI providers are known.
   * @param inFile names that `.env` sets
   * @internal
   */
  misspelt(inFile: readonly string[]): string[] {
    return misspeltSettings(Object.keys(this.#variables), this.#names, inFile);
  }
}

/** The variables, and which of them are asked for: a schema may be made of anything. */
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
 * Reads the settings from `variables` (`process.env` in the application). A variable set to an empty
 * text counts as absent.
 * @param extra settings of extensions, checked with ours
 * @throws EnvironmentError naming every invalid variable
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
    // What is missing may only be misspelt. Which AI providers there are is not known yet.
    const others = Object.keys(set).filter((name) => !isOfProvider(name));
    throw new EnvironmentError([...faults, ...misspeltSettings(others, new Set(names))]);
  }
  return new Environment(own.data!, set, names);
}

const faultOf = ({ path, message }: { path: readonly PropertyKey[]; message: string }) =>
  path.length === 0 ? message : `${String(path.at(-1))} ${message}`;
