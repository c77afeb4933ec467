import { isIP } from 'node:net';
import { z } from 'zod';

/** Development default of JWT_SECRET with a database server. Production refuses to start with it. */
export const DEVELOPMENT_JWT_SECRET = 'formula-development-secret';

/** Thrown when settings are invalid: names every fault at once, never a value. */
export class EnvironmentError extends Error {
  constructor(readonly faults: string[]) {
    super(`Invalid settings:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'EnvironmentError';
  }
}

const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default(fallback ? 'true' : 'false')
    .transform((value) => value === 'true');

const integer = (fallback: number, min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, { error: `must be a whole number from ${min} to ${max}` })
    .default(String(fallback))
    .transform(Number)
    .refine((value) => value >= min && value <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    });

const url = (protocols: string[]) =>
  z.string().refine(
    (value) => {
      try {
        return protocols.includes(new URL(value).protocol);
      } catch {
        return false;
      }
    },
    { error: `must be an address starting with ${protocols.map((p) => `${p}//`).join(' or ')}` },
  );

const webAddress = url(['http:', 'https:']);

/** The settings that every AI provider has under its own name: `<NAME>_API_KEY` and `<NAME>_BASE_URL`. */
const PROVIDER_SETTING = /^([A-Z][A-Z0-9_]*)_(API_KEY|BASE_URL)$/;

/** What Express takes for `trust proxy`; it would throw at a wrong one without naming the setting. */
const isTrustProxy = (value: string): boolean =>
  /^(true|false|\d{1,4})$/.test(value) ||
  value.split(',').every((entry) => {
    const [address = '', bits, ...more] = entry.trim().split('/');
    if (bits === undefined)
      return ['loopback', 'linklocal', 'uniquelocal'].includes(address) || isIP(address) > 0;
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
    return more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
  });

const role = z.enum(['engineer', 'admin'], { error: 'must be engineer or admin' });

const settings = z.object({
  NODE_ENV: z.string().default('development'),
  PORT: integer(3001, 0, 65_535),
  HOST: z.string().optional(),
  DATABASE_URL: url(['postgres:', 'postgresql:']).optional(),
  DATABASE_POOL_SIZE: integer(10, 1, 1000),
  DATA_DIR: z.string().optional(),
  JWT_SECRET: z.string().optional(),
  REGISTRATION: z.enum(['open', 'closed'], { error: 'must be open or closed' }).default('open'),
  CONFIG_WRITE_ROLE: role.optional(),
  CONFIG_ENCRYPTION_KEY: z.string().optional(),
  THROTTLE_LIMIT: integer(100, 1, 1_000_000_000),
  THROTTLE_TTL: integer(60, 1, 86_400),
  TRUST_PROXY: z
    .string()
    .refine(isTrustProxy, { error: 'must be true, false, a number of hops, or addresses and subnets' })
    .optional(),
  CORS_ORIGIN: z.string().optional(),
  API_DOCS: z.enum(['true', 'false'], { error: 'must be true or false' }).optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be fatal, error, warn, info, debug, trace or silent',
    })
    .optional(),
  AI_MOCK: flag(true),
  AI_DEFAULT_MODEL: z.string().optional(),
  AI_EMBEDDING_MODEL: z.string().optional(),
  AI_CACHE_TTL: integer(3600, 0, 31_536_000),
  ALPHA_API_KEY: z.string().optional(),
  BETA_API_KEY: z.string().optional(),
  ALPHA_BASE_URL: webAddress.optional(),
  BETA_BASE_URL: webAddress.optional(),
});

/** Where the data lives: a PostgreSQL server, or the embedded one on disk or (tests only) in memory. */
export type DatabaseLocation =
  { kind: 'server'; url: string } | { kind: 'directory'; dataDir: string } | { kind: 'memory' };

/** An AI provider's access: a key, an address, or both. */
export interface AiProviderAccess {
  readonly key?: string;
  readonly baseUrl?: string;
}

/**
 * The service's settings, typed and checked. Parsed once when an application is created;
 * nothing else reads `process.env`.
 */
export class Environment {
  readonly nodeEnv!: string;
  readonly isProduction!: boolean;
  readonly isTest!: boolean;
  /** TCP port; 0 lets the system choose. */
  readonly port!: number;
  readonly host?: string;
  readonly database!: DatabaseLocation;
  /** Connections of this instance to the database server. */
  readonly databasePoolSize!: number;
  /** As given; what an absent one becomes is decided in `signing-secret.ts`. */
  readonly jwtSecret?: string;
  readonly registrationOpen!: boolean;
  readonly configWriteRole!: 'engineer' | 'admin';
  readonly configEncryptionKey?: string;
  /** Requests per client and window. */
  readonly throttleLimit!: number;
  /** Length of the window in seconds. */
  readonly throttleTtlSeconds!: number;
  /** Express's `trust proxy`: a hop count, `true`, or addresses and subnets. */
  readonly trustProxy!: boolean | number | string;
  /** Allowed CORS origins; `*` allows all; empty means no CORS headers. */
  readonly corsOrigins!: string[];
  readonly apiDocs!: boolean;
  readonly logLevel!: string;
  readonly aiMock!: boolean;
  readonly aiDefaultModel?: string;
  readonly aiEmbeddingModel?: string;
  readonly aiCacheTtlSeconds!: number;
  readonly alphaApiKey?: string;
  readonly betaApiKey?: string;
  readonly alphaBaseUrl?: string;
  readonly betaBaseUrl?: string;
  /** What is set for each AI provider, by its name in lower case: `ALPHA_API_KEY` is `alpha.key`. */
  readonly aiProviders!: Readonly<Record<string, AiProviderAccess>>;

  constructor(values: Environment) {
    Object.assign(this, values);
  }
}

function trustProxy(value: string | undefined): boolean | number | string {
  if (value === undefined || value === 'false') return false;
  if (value === 'true') return true;
  return /^\d+$/.test(value) ? Number(value) : value;
}

function location(databaseUrl?: string, dataDir?: string, isTest = false): DatabaseLocation {
  if (databaseUrl) return { kind: 'server', url: databaseUrl };
  if (!dataDir && isTest) return { kind: 'memory' };
  return { kind: 'directory', dataDir: dataDir ?? './data' };
}

/** Collects every provider's settings; faults are added to `faults`. */
function aiProviders(
  variables: Record<string, string | undefined>,
  faults: string[],
): Record<string, AiProviderAccess> {
  const providers: Record<string, AiProviderAccess> = {};
  for (const variable of Object.keys(variables).toSorted()) {
    const [, name = '', setting] = PROVIDER_SETTING.exec(variable) ?? [];
    const value = variables[variable]?.trim();
    if (!setting || !value) continue;
    const field = setting === 'API_KEY' ? 'key' : 'baseUrl';
    const fault = field === 'baseUrl' && webAddress.safeParse(value).error?.issues[0]?.message;
    if (fault) faults.push(`${variable} ${fault}`);
    providers[name.toLowerCase()] = { ...providers[name.toLowerCase()], [field]: value };
  }
  return providers;
}

/**
 * Reads the settings from `variables` (`process.env` in the application). A variable set to an empty
 * text counts as absent.
 * @throws EnvironmentError naming every invalid variable
 */
export function parseEnvironment(variables: Record<string, string | undefined>): Environment {
  const present = Object.fromEntries(
    Object.keys(settings.shape)
      .map((name) => [name, variables[name]?.trim()] as const)
      .filter(([, value]) => value),
  );
  const parsed = settings.safeParse(present);
  const faults = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`);
  const providers = aiProviders(variables, faults);
  const isProduction = present.NODE_ENV === 'production';
  if (isProduction && present.JWT_SECRET === DEVELOPMENT_JWT_SECRET) {
    faults.push('JWT_SECRET is the development default: set a secret of your own in production');
  }
  if (isProduction && present.DATABASE_URL && !present.JWT_SECRET) {
    faults.push('JWT_SECRET must be set in production');
  }
  if (!parsed.success || faults.length > 0) throw new EnvironmentError([...new Set(faults)]);

  const values = parsed.data;
  const isTest = values.NODE_ENV === 'test';
  return new Environment({
    nodeEnv: values.NODE_ENV,
    isProduction,
    isTest,
    port: values.PORT,
    host: values.HOST,
    database: location(values.DATABASE_URL, values.DATA_DIR, isTest),
    databasePoolSize: values.DATABASE_POOL_SIZE,
    jwtSecret: values.JWT_SECRET,
    registrationOpen: values.REGISTRATION === 'open',
    configWriteRole: values.CONFIG_WRITE_ROLE ?? (isProduction ? 'admin' : 'engineer'),
    configEncryptionKey: values.CONFIG_ENCRYPTION_KEY,
    throttleLimit: values.THROTTLE_LIMIT,
    throttleTtlSeconds: values.THROTTLE_TTL,
    trustProxy: trustProxy(values.TRUST_PROXY),
    corsOrigins: (values.CORS_ORIGIN ?? '')
      .split(',')
      .map((origin) => origin.trim())
      .filter(Boolean),
    apiDocs: values.API_DOCS === undefined ? !isProduction : values.API_DOCS === 'true',
    logLevel: values.LOG_LEVEL ?? (isTest ? 'silent' : 'info'),
    aiMock: values.AI_MOCK,
    aiDefaultModel: values.AI_DEFAULT_MODEL,
    aiEmbeddingModel: values.AI_EMBEDDING_MODEL,
    aiCacheTtlSeconds: values.AI_CACHE_TTL,
    alphaApiKey: values.ALPHA_API_KEY,
    betaApiKey: values.BETA_API_KEY,
    alphaBaseUrl: values.ALPHA_BASE_URL,
    betaBaseUrl: values.BETA_BASE_URL,
    aiProviders: providers,
  });
}
