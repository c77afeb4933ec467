import { z } from 'zod';
import {
  address,
  choice,
  collectorAddress,
  databaseAddress,
  flag,
  integer,
  list,
  redisAddress,
  share,
  trustProxy,
} from './setting-types';

/** Development default of JWT_SECRET with a database server. Production refuses to start with it. */
export const DEVELOPMENT_JWT_SECRET = 'formula-development-secret';

/** Shortest secret in production, in bytes: the length of the keys that are derived from it. */
const SECRET_BYTES = 32;

/** Least characters of the first administrator's password, in production. */
const ADMIN_PASSWORD_LENGTH = 12;

/**
 * Location of the data: a PostgreSQL server (of several, the primary), or the embedded database on disk or (only in
 * tests) in memory.
 */
export type DatabaseLocation =
  { kind: 'server'; url: string } | { kind: 'directory'; dataDir: string } | { kind: 'memory' };

/** Limits of one statement, and of one wait for a lock, on a database server, in seconds. */
export interface DatabaseLimits {
  readonly statementSeconds: number;
  readonly lockSeconds: number;
}

/** An AI provider's access: a key, an address, or both. */
export interface AiProviderAccess {
  readonly key?: string;
  readonly baseUrl?: string;
}

/** Variables of an AI provider, with its name as a prefix. */
const PROVIDER_VARIABLE = /^([A-Z][A-Z0-9_]*)_(API_KEY|BASE_URL)$/;

/**
 * Providers whose address is a setting of this service even without a key. Similar variables of other names may
 * belong to other programs.
 */
const INTERFACE_PROVIDERS = ['ALPHA', 'BETA'];

const providerAddress = address('http:', 'https:');

/** Returns the fault of a provider's address; undefined if it is valid. */
export const providerAddressFault = (value: string): string | undefined =>
  providerAddress.safeParse(value).error?.issues[0]?.message;

const providerVariables = z
  .record(z.string(), z.string())
  .superRefine((variables, context) => {
    for (const [variable, value] of Object.entries(variables)) {
      const [, name = '', setting] = PROVIDER_VARIABLE.exec(variable) ?? [];
      const isOurs = INTERFACE_PROVIDERS.includes(name) || `${name}_API_KEY` in variables;
      const message = isOurs && setting === 'BASE_URL' && providerAddressFault(value);
      if (message) context.addIssue({ code: 'custom', path: [variable], message });
    }
  })
  .transform((variables) => {
    const providers: Record<string, AiProviderAccess> = {};
    for (const [variable, value] of Object.entries(variables)) {
      const [, name = '', setting] = PROVIDER_VARIABLE.exec(variable) ?? [];
      if (setting === 'BASE_URL' && providerAddressFault(value)) continue;
      const provider = name.toLowerCase();
      providers[provider] = {
        ...providers[provider],
        ...(setting === 'API_KEY' ? { key: value } : { baseUrl: value }),
      };
    }
    return providers;
  });

/** Every variable that the service reads, and its conversion. */
export const settings = z
  .object({
    NODE_ENV: z.string().optional(),
    PORT: integer(0, 65_535).default(3001),
    HOST: z.string().optional(),
    KEEP_ALIVE_TIMEOUT: integer(1, 3600).default(65),
    DATABASE_URL: databaseAddress().optional(),
    DATABASE_POOL_SIZE: integer(1, 1000).default(20),
    DATABASE_STATEMENT_TIMEOUT: integer(1, 3600).default(15),
    DATABASE_LOCK_TIMEOUT: integer(1, 3600).default(3),
    STOP_DELAY: integer(0, 3600).default(0),
    REDIS_URL: redisAddress().optional(),
    STOP_TIMEOUT: integer(1, 3600).default(25),
    DATA_DIR: z.string().optional(),
    JWT_SECRET: z.string().optional(),
    JWT_SECRET_PREVIOUS: z.string().optional(),
    REGISTRATION: choice('open', 'closed').default('open'),
    ADMIN_USERNAME: z.string().optional(),
    ADMIN_PASSWORD: z.string().optional(),
    CONFIG_WRITE_ROLE: choice('engineer', 'admin').optional(),
    IMPORT_ROLE: choice('engineer', 'admin').optional(),
    CONFIG_ENCRYPTION_KEY: z.string().optional(),
    CONFIG_ENCRYPTION_KEY_PREVIOUS: z.string().optional(),
    DB_OLD_SECRET: z.string().optional(),
    DB_NEW_SECRET: z.string().optional(),
    THROTTLE_LIMIT: integer(1, 1_000_000_000).default(100),
    THROTTLE_TTL: integer(1, 86_400).default(60),
    CLIENT_CONCURRENCY: integer(1, 10_000).default(8),
    TRUST_PROXY: trustProxy().default(false),
    CORS_ORIGIN: list().default([]),
    API_DOCS: flag().optional(),
    EVERYDAY_NAMES: choice('on', 'off').default('on'),
    TRASH_DAYS: integer(0, 36_500).default(30),
    LOG_LEVEL: choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').optional(),
    ACCESS_LOG: share().default(0),
    METRICS_PORT: integer(0, 65_535).optional(),
    METRICS_HOST: z.string().optional(),
    TRACES_URL: collectorAddress().optional(),
    TRACES_SHARE: share().default(1),
    AI_MOCK: flag().default(true),
    AI_DEFAULT_MODEL: z.string().optional(),
    AI_EMBEDDING_MODEL: z.string().optional(),
    AI_AUDIT_RETENTION_DAYS: integer(0, 36_500).default(0),
    AI_CACHE_TTL: integer(0, 31_536_000).default(3600),
    AI_STORED_ADDRESS_WITH_ENV_KEY: flag().default(false),
    AI_REFUSE_PRIVATE_ADDRESSES: flag().default(false),
    providers: providerVariables,
  })
  .superRefine(
    ({ NODE_ENV, DATABASE_URL, STOP_DELAY, STOP_TIMEOUT, PORT, METRICS_PORT, ...others }, context) => {
      const fault = (variable: string, message: string) =>
        context.addIssue({ code: 'custom', path: [variable], message });
      // A value that is invalid itself is not a number, so this comparison is false.
      if (STOP_DELAY > 0 && STOP_DELAY >= STOP_TIMEOUT) {
        fault('STOP_DELAY', 'must be less than STOP_TIMEOUT, which contains it');
      }
      if (METRICS_PORT !== 0 && METRICS_PORT === PORT)
        fault('METRICS_PORT', 'must be another port than PORT');
      const { ADMIN_USERNAME, ADMIN_PASSWORD } = others;
      if (ADMIN_USERNAME && !ADMIN_PASSWORD) fault('ADMIN_PASSWORD', 'must be set where ADMIN_USERNAME is');
      if (ADMIN_PASSWORD && !ADMIN_USERNAME) fault('ADMIN_USERNAME', 'must be set where ADMIN_PASSWORD is');
      const { JWT_SECRET, CONFIG_ENCRYPTION_KEY, JWT_SECRET_PREVIOUS } = others;
      if (JWT_SECRET_PREVIOUS === DEVELOPMENT_JWT_SECRET) {
        fault('JWT_SECRET_PREVIOUS', 'is the development default, by which everybody could sign tokens');
      }
      if (NODE_ENV !== 'production') return;
      const tooShort = `must have at least ${SECRET_BYTES} bytes in production`;
      if (JWT_SECRET === DEVELOPMENT_JWT_SECRET) {
        fault('JWT_SECRET', 'is the development default: set a secret of your own in production');
      } else if (JWT_SECRET && Buffer.byteLength(JWT_SECRET) < SECRET_BYTES) fault('JWT_SECRET', tooShort);
      if (ADMIN_PASSWORD && ADMIN_PASSWORD.length < ADMIN_PASSWORD_LENGTH) {
        fault('ADMIN_PASSWORD', `must have at least ${ADMIN_PASSWORD_LENGTH} characters in production`);
      }
      if (DATABASE_URL && !JWT_SECRET) fault('JWT_SECRET', 'must be set in production');
      const { CONFIG_ENCRYPTION_KEY_PREVIOUS } = others;
      const further = { JWT_SECRET_PREVIOUS, CONFIG_ENCRYPTION_KEY, CONFIG_ENCRYPTION_KEY_PREVIOUS };
      for (const [variable, secret] of Object.entries(further)) {
        if (secret && Buffer.byteLength(secret) < SECRET_BYTES) fault(variable, tooShort);
      }
    },
    // Runs even if a single variable is invalid, so that all faults are reported at once.
    { when: () => true },
  )
  .transform((variables) => {
    const isProduction = variables.NODE_ENV === 'production';
    const isTest = variables.NODE_ENV === 'test';
    return {
      isProduction,
      /** TCP port; 0 lets the system choose. */
      port: variables.PORT,
      host: variables.HOST,
      /** Time that an idle connection stays open for its next request, in seconds. */
      keepAliveSeconds: variables.KEEP_ALIVE_TIMEOUT,
      database: location(variables, isTest),
      /** Connections of this instance to the database server. */
      databasePoolSize: variables.DATABASE_POOL_SIZE,
      databaseLimits: {
        statementSeconds: variables.DATABASE_STATEMENT_TIMEOUT,
        lockSeconds: variables.DATABASE_LOCK_TIMEOUT,
      },
      /** Time between the signal to stop and the end of listening, in seconds. */
      stopDelaySeconds: variables.STOP_DELAY,
      /** Redis in which instances share limits and AI answers. */
      redisUrl: variables.REDIS_URL,
      /** Time after the signal to stop after which remaining connections are cut, in seconds. */
      stopTimeoutSeconds: variables.STOP_TIMEOUT,
      /** As configured; `signing-secret.ts` decides about the default. */
      jwtSecret: variables.JWT_SECRET,
      /** A further secret for verifying tokens, never for signing: the previous or the next one. */
      jwtSecretPrevious: variables.JWT_SECRET_PREVIOUS,
      registrationOpen: variables.REGISTRATION === 'open',
      /** Created at start unless an account of that name exists. */
      firstAdmin: variables.ADMIN_USERNAME
        ? { username: variables.ADMIN_USERNAME, password: variables.ADMIN_PASSWORD ?? '' }
        : undefined,
      configWriteRole: variables.CONFIG_WRITE_ROLE ?? (isProduction ? 'admin' : 'engineer'),
      configEncryptionKey: variables.CONFIG_ENCRYPTION_KEY,
      /** A further key for decrypting stored values, never for encrypting. */
      configEncryptionKeyPrevious: variables.CONFIG_ENCRYPTION_KEY_PREVIOUS,
      /**
       * For `db` commands: the secret of the stored provider keys in the source, if it differs from the service's
       * own.
       */
      transferOldSecret: variables.DB_OLD_SECRET,
      /** For `db` commands: the secret of the stored provider keys in the target. */
      transferNewSecret: variables.DB_NEW_SECRET,
      /** Requests per client and window. */
      throttleLimit: variables.THROTTLE_LIMIT,
      /** Length of the window in seconds. */
      throttleTtlSeconds: variables.THROTTLE_TTL,
      /** Concurrent requests of one client; further ones wait. */
      clientConcurrency: variables.CLIENT_CONCURRENCY,
      /** Express's `trust proxy`: false, a hop count, or addresses and subnets. */
      trustProxy: variables.TRUST_PROXY,
      /** Allowed CORS origins; `*` allows all; empty means no CORS headers. */
      corsOrigins: variables.CORS_ORIGIN,
      apiDocs: variables.API_DOCS ?? !isProduction,
      /** True if the built-in everyday names of ingredients are used when ingredients are found by name. */
      everydayNames: variables.EVERYDAY_NAMES === 'on',
      /** Modules of the laboratory that have routes. */
      /** Days for which a deleted formula can be restored; 0: not at all. */
      trashDays: variables.TRASH_DAYS,
      importRole: variables.IMPORT_ROLE,
      logLevel: variables.LOG_LEVEL ?? (isTest ? 'silent' : 'info'),
      /** Share of answers that are logged, 0 to 1. Errors are always logged, unless it is 0. */
      accessLogShare: variables.ACCESS_LOG,
      /** TCP port of the metrics; 0 lets the system choose, absent: no metrics. */
      metricsPort: variables.METRICS_PORT,
      /** Address on which metrics are served; absent: all addresses. */
      metricsHost: variables.METRICS_HOST ?? variables.HOST,
      /** Address to which traces are sent, as OTLP over HTTP; absent: no traces. */
      tracesUrl: variables.TRACES_URL,
      /** Share of requests without a trace of their own for which one is recorded, 0 to 1. */
      tracesShare: variables.TRACES_SHARE,
      aiMock: variables.AI_MOCK,
      aiDefaultModel: variables.AI_DEFAULT_MODEL,
      aiEmbeddingModel: variables.AI_EMBEDDING_MODEL,
      /** Days after which rows of the AI audit log are deleted; 0: never. */
      aiAuditRetentionDays: variables.AI_AUDIT_RETENTION_DAYS,
      aiCacheTtlSeconds: variables.AI_CACHE_TTL,
      /** True if a key from the environment may be sent to an address that was stored at run time. */
      aiStoredAddressWithEnvKey: variables.AI_STORED_ADDRESS_WITH_ENV_KEY,
      /** True if addresses stored at run time must not point to this machine or its network. */
      aiRefusePrivateAddresses: variables.AI_REFUSE_PRIVATE_ADDRESSES,
      /** Settings of each AI provider, by its name in lower case: `ALPHA_API_KEY` is `alpha.key`. */
      aiProviders: variables.providers,
    };
  });

/** The converted settings, by the names that the code uses. */
export type SettingValues = Readonly<z.output<typeof settings>>;

/** Names of all variables that the service reads, except those of further AI providers. */
export const SETTING_NAMES: readonly string[] = [
  ...Object.keys(settings.in.shape).filter((name) => name !== 'providers'),
  ...INTERFACE_PROVIDERS.flatMap(variablesOfProvider),
];

/** Returns the variables of a provider's key and address. */
export function variablesOfProvider(name: string): string[] {
  return [`${name.toUpperCase()}_API_KEY`, `${name.toUpperCase()}_BASE_URL`];
}

export const isOfProvider = (variable: string): boolean => PROVIDER_VARIABLE.test(variable);

function location(
  { DATABASE_URL, DATA_DIR }: { DATABASE_URL?: string; DATA_DIR?: string },
  isTest: boolean,
): DatabaseLocation {
  if (DATABASE_URL) return { kind: 'server', url: DATABASE_URL };
  if (!DATA_DIR && isTest) return { kind: 'memory' };
  return { kind: 'directory', dataDir: DATA_DIR ?? './data' };
}

/** A password is used exactly as it is set. */
const UNTRIMMED = 'ADMIN_PASSWORD';

/** Returns the variables without surrounding white space; empty ones are left out. */
export function present(variables: Record<string, string | undefined>): Record<string, string> {
  const set = Object.entries(variables).flatMap(([name, value]) => {
    const text = value?.trim();
    return text ? [[name, name === UNTRIMMED ? value! : text] as const] : [];
  });
  return Object.fromEntries(set);
}

/** Returns the variables of AI providers. */
export const ofProviders = (variables: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => isOfProvider(name)));
