import {
  type AiProviderAccess,
  type DatabaseLimits,
  type DatabaseLocation,
  present,
  settings,
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

/**
 * The service's settings, typed and checked. Parsed once when an application is created;
 * nothing else reads `process.env`.
 */
export class Environment {
  readonly isProduction!: boolean;
  /** TCP port; 0 lets the system choose. */
  readonly port!: number;
  readonly host?: string;
  readonly database!: DatabaseLocation;
  /** Connections of this instance to the database server. */
  readonly databasePoolSize!: number;
  readonly databaseLimits!: DatabaseLimits;
  /** Whether the service starts on a schema that a newer version has changed. */
  readonly databaseAllowsNewerSchema!: boolean;
  /** How long requests in progress may hold up the end of the service, in seconds. */
  readonly stopTimeoutSeconds!: number;
  /** As it is set; what an absent one becomes is decided in `signing-secret.ts`. */
  readonly jwtSecret?: string;
  readonly registrationOpen!: boolean;
  readonly configWriteRole!: 'engineer' | 'admin';
  readonly configEncryptionKey?: string;
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
  readonly aiMock!: boolean;
  readonly aiDefaultModel?: string;
  readonly aiEmbeddingModel?: string;
  readonly aiCacheTtlSeconds!: number;
  /** Whether a key of the environment may go to an address that was stored at run time. */
  readonly aiStoredAddressWithEnvKey!: boolean;
  /** Whether addresses stored at run time must not lead into this machine or its network. */
  readonly aiRefusePrivateAddresses!: boolean;
  /** What is set for each AI provider, by its name in lower case: `ALPHA_API_KEY` is `alpha.key`. */
  readonly aiProviders!: Readonly<Record<string, AiProviderAccess>>;

  constructor(values: Environment) {
    Object.assign(this, values);
  }
}

/**
 * Reads the settings from `variables` (`process.env` in the application). A variable set to an empty
 * text counts as absent.
 * @throws EnvironmentError naming every invalid variable
 */
export function parseEnvironment(variables: Record<string, string | undefined>): Environment {
  const { data, error } = settings.safeParse(present(variables));
  if (!data) throw new EnvironmentError(error.issues.map(faultOf));
  return new Environment(data);
}

const faultOf = ({ path, message }: { path: readonly PropertyKey[]; message: string }) =>
  `${String(path.at(-1))} ${message}`;
