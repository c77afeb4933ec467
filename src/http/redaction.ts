import type { Environment } from '../config/environment';

const CENSORED = '[Redacted]';

/** Shorter ones would be found in ordinary words. */
const SHORTEST_SECRET = 8;

/**
 * What looks like one, whoever wrote it: tokens of requests, passwords in addresses, keys of providers. None
 * may begin within what it has looked through in vain: a line may be a megabyte of somebody's.
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
 * Takes secrets out of a log line, wherever they stand: those of the settings by their value, others by their
 * looks. Fields that hold some are left out before; this is for what stands in the middle of a text.
 */
export function redactor(environment: Secrets): (line: string) => string {
  // As they stand in a line of JSON.
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
  // Whole ones before those that are a part of them.
  return [...new Set(long)].sort((one, other) => other.length - one.length);
}

/** `pg` takes it as a parameter, too: as it is written, and as that is read. */
const passwordsOf = ({ password, search, searchParams }: URL): string[] => [
  password,
  ...[...search.matchAll(/[?&]password=([^&]*)/g)].map(([, written]) => written!),
  ...searchParams.getAll('password'),
];

/** As the driver takes it: what is no code stands for itself. */
function decoded(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}
