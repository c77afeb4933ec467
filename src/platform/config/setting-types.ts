import { isIP } from 'node:net';
import { z } from 'zod';

/* Types of settings: they validate the text and convert it. No message contains a value, because it may be a secret. */

const oneOf = (values: readonly string[]) => `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;

export const choice = <const Values extends readonly [string, ...string[]]>(...values: Values) =>
  z.enum(values, { error: oneOf(values) });

export const flag = () => choice('true', 'false').transform((value) => value === 'true');

/** An integer from `min` to `max`. */
export const integer = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,10}$/, { error })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error });
};

/** `off` is 0, `on` is 1, otherwise a number between them. */
export const share = () =>
  z
    .string()
    .refine(
      (value) => value === 'off' || value === 'on' || (/^0?\.\d{1,6}$/.test(value) && Number(value) > 0),
      {
        error: 'must be off, on or a share between 0 and 1, such as 0.01',
      },
    )
    .transform((value) => (value === 'off' ? 0 : value === 'on' ? 1 : Number(value)));

/** A URL with one of these protocols; each protocol ends with a colon. */
export const address = (...protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `must be an address starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });

/** The address of one PostgreSQL server, or of a proxy that connects to the primary. */
export const databaseAddress = () =>
  z
    .string()
    .refine((value) => !NAMES_SEVERAL_HOSTS.test(value), {
      error: 'must name one host: put a proxy that knows the primary before several (docs/OPERATIONS.md)',
      abort: true,
    })
    .pipe(address('postgres:', 'postgresql:'));

/** Several hosts as libpq accepts them: separated by a comma, in the host part or in a parameter. */
const NAMES_SEVERAL_HOSTS =
  /^postgres(?:ql)?:\/\/(?:(?:[^/?#]*@)?[^/?#@]*,[^/?#@]*(?:[/?#]|$)|.*[?&]host=[^&]*(?:,|%2c))/i;

/** An address of Redis: `redis://user:password@host:6379/0`, or `rediss://` with TLS. */
export const redisAddress = () =>
  address('redis:', 'rediss:').refine(
    (value) => {
      if (!URL.canParse(value)) return true;
      const { hostname, pathname, username, password } = new URL(value);
      return hostname !== '' && /^\/?\d{0,4}$/.test(pathname) && isEncoded(username + password);
    },
    { error: 'must have a host, at most the number of a database, and an encoded password' },
  );

/** The address of a trace collector. Without a path it is completed with the usual one. */
export const collectorAddress = () =>
  address('http:', 'https:')
    .refine(
      (value) => {
        if (!URL.canParse(value)) return true;
        const { username, password, search, hash } = new URL(value);
        return username + password + search + hash === '';
      },
      { error: 'must have no user, password, query or fragment' },
    )
    .transform((value) => {
      const url = new URL(value);
      if (url.pathname === '/') url.pathname = '/v1/traces';
      return url.href;
    });

const isEncoded = (text: string) => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

export const list = () =>
  z.string().transform((value) =>
    value
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean),
  );

/**
 * Values that Express accepts for `trust proxy`. Express itself would throw without naming the setting. Trusting
 * every address is refused, because a client could then choose its address, and so appear as any number of clients.
 */
export const trustProxy = () =>
  z
    .string()
    .refine((value) => value === 'false' || /^\d{1,4}$/.test(value) || value.split(',').every(isSubnet), {
      error: 'must be false, a number of hops, or addresses and subnets (not all of them)',
    })
    .transform((value) => {
      if (value === 'false') return false as const;
      return /^\d+$/.test(value) ? Number(value) : value;
    });

function isSubnet(entry: string): boolean {
  const [ip = '', bits, ...more] = entry.trim().split('/');
  if (bits === undefined) return ['loopback', 'linklocal', 'uniquelocal'].includes(ip) || isIP(ip) > 0;
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(ip)] ?? -1;
  return more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= most;
}
