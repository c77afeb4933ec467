import type { Environment } from '../config/environment';

const CENSORED = '[Redacted]';

/** Shorter secrets could occur in ordinary words. */
const SHORTEST_SECRET = 8;

/**
 * Patterns of secrets: tokens of requests, passwords in addresses, keys of providers. A pattern must not search the
 * same characters again from every position, because a line may contain a megabyte of a client's text.
 */
const LOOKS_SECRET = [
  [/\b(Bearer|Basic)\s+[\w.~+/-]+=*/gi, `$1 ${CENSORED}`],
  [/(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]+/g, CENSORED],
  [/(:\/\/[^\s/@"\\:]*:)[^\s/@"\\]+@/g, `$1${CENSORED}@`],
  [/([?&]\w{0,20}password=)[^\s&"\\]+/gi, `$1${CENSORED}`],
  [/\bsk-[\w-]{16,}/g, CENSORED],
] as const;

type Secrets = Pick<
  Environment,
  | 'aiProviders'
  | 'configEncryptionKey'
  | 'configEncryptionKeyPrevious'
  | 'database'
  | 'firstAdmin'
  | 'jwtSecret'
  | 'jwtSecretPrevious'
  | 'redisUrl'
  | 'transferNewSecret'
  | 'transferOldSecret'
>;

/**
 * Returns a function that removes secrets from a log line: those of the settings by value, others by pattern.
 * Fields that contain secrets are removed before; this finds secrets inside a text.
 */
export function redactor(environment: Secrets): (line: string) => string {
  // The values as they occur in a line of JSON.
  const values = secretsOf(environment).map((value) => JSON.stringify(value).slice(1, -1));
  return (line) => {
    let clean = line;
    for (const value of values) clean = clean.replaceAll(value, CENSORED);
    for (const [pattern, instead] of LOOKS_SECRET) clean = clean.replace(pattern, instead);
    return clean;
  };
}

function secretsOf(environment: Secrets): string[] {
  const { aiProviders, database, redisUrl } = environment;
  const server = database.kind === 'server' ? database.url : undefined;
  const passwords = [server, redisUrl].flatMap((address) => (address ? passwordsOf(new URL(address)) : []));
  const keys = Object.values(aiProviders).map(({ key }) => key);
  const all = [
    environment.jwtSecret,
    environment.jwtSecretPrevious,
    environment.configEncryptionKey,
    environment.configEncryptionKeyPrevious,
    environment.transferNewSecret,
    environment.transferOldSecret,
    environment.firstAdmin?.password,
    ...passwords,
    ...passwords.map(decoded),
    ...keys,
  ];
  const long = all.filter((value): value is string => (value?.length ?? 0) >= SHORTEST_SECRET);
  // Longer values first, because they may contain shorter ones.
  return [...new Set(long)].sort((one, other) => other.length - one.length);
}

/** `pg` also accepts the password as a query parameter. Returns it as written and as decoded. */
const passwordsOf = ({ password, search, searchParams }: URL): string[] => [
  password,
  ...[...search.matchAll(/[?&]password=([^&]*)/g)].map(([, written]) => written!),
  ...searchParams.getAll('password'),
];

/** Decodes a password as the driver does: an invalid escape stays as it is. */
function decoded(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}
