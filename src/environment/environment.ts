import {
  type AiProviderAccess,
  type DatabaseLimits,
  type DatabaseLocation,
  isOfProvider,
  ofProviders,
  present,
  providerAddressFault,
  SETTING_NAMES,
  settings,
  variablesOfProvider,
} from './settings';
import { misspeltSettings } from './misspelt-settings';

import type { SettingsSchema } from './extra-settings';

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

type SettingValues = Omit<Environment, 'extra' | 'requireProviderAddress' | 'misspelt'>;

/**
 * The service's settings, typed and checked. Parsed once when an application is created;
 * nothing else reads `process.env`.
 */
export class Environment {
  readonly isProduction!: boolean;
  /** TCP port; 0 lets the system choose. */
  readonly port!: number;
  readonly host?: string;
  /** How long a connection that waits for its next request is kept, in seconds. */
  readonly keepAliveSeconds!: number;
  readonly database!: DatabaseLocation;
  /** Connections of this instance to the database server. */
  readonly databasePoolSize!: number;
  readonly databaseLimits!: DatabaseLimits;
  /** The Redis in which instances share limits and AI answers. */
  readonly redisUrl?: string;
  /** How long the service goes on between the signal to stop and the end of listening, in seconds. */
  readonly stopDelaySeconds!: number;
  /** How long after the signal what is left is cut, in seconds. */
  readonly stopTimeoutSeconds!: number;
  /** As it is set; what an absent one becomes is decided in `signing-secret.ts`. */
  readonly jwtSecret?: string;
  /** Also good for reading tokens, never for signing: the one before the present, or the one that comes. */
  readonly jwtSecretPrevious?: string;
  readonly registrationOpen!: boolean;
  /** Created at start unless an account of that name exists. */
  readonly firstAdmin?: { readonly username: string; readonly password: string };
  readonly configWriteRole!: 'engineer' | 'admin';
  readonly configEncryptionKey?: string;
  /** Also tried where the present one does not open a stored value; seals nothing. */
  readonly configEncryptionKeyPrevious?: string;
  /**
   * For `db` commands: what stored provider keys are sealed with where they come from, if not with our
   * own.
   */
  readonly transferOldSecret?: string;
  /** For `db` commands: what they are sealed with where they go. */
  readonly transferNewSecret?: string;
  /** Requests per client and window. */
  readonly throttleLimit!: number;
  /** Length of the window in seconds. */
  readonly throttleTtlSeconds!: number;
  /** Express's `trust proxy`: nobody, a hop count, or addresses and subnets. */
  readonly trustProxy!: false | number | string;
  /** Requests of one client in progress at once; more wait their turn. */
  readonly clientConcurrency!: number;
  /** Allowed CORS origins; `*` allows all; empty means no CORS headers. */
  readonly corsOrigins!: string[];
  readonly apiDocs!: boolean;
  readonly logLevel!: string;
  /** Of so many answers, 0 to 1, the log has a line; of errors always, unless it is 0. */
  readonly accessLogShare!: number;
  /** TCP port on which metrics are given; 0 lets the system choose, absent there are none. */
  readonly metricsPort?: number;
  /** Address at which they are given; absent: all of them. */
  readonly metricsHost?: string;
  /** Where traces are sent to, as OTLP over HTTP; absent there are none. */
  readonly tracesUrl?: string;
  /** Of so many requests that come without a trace of their own, 0 to 1, one is begun. */
  readonly tracesShare!: number;
  readonly aiMock!: boolean;
  readonly aiDefaultModel?: string;
  readonly aiEmbeddingModel?: string;
  /** After which rows of the AI audit log are deleted; 0: never. */
  readonly aiAuditRetentionDays!: number;
  readonly aiCacheTtlSeconds!: number;
  /** Whether a key of the environment may go to an address that was stored at run time. */
  readonly aiStoredAddressWithEnvKey!: boolean;
  /** Whether addresses stored at run time must not lead into this machine or its network. */
  readonly aiRefusePrivateAddresses!: boolean;
  /** What is set for each AI provider, by its name in lower case: `ALPHA_API_KEY` is `alpha.key`. */
  readonly aiProviders!: Readonly<Record<string, AiProviderAccess>>;

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
