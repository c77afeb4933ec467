import { requestContext, type SentNames } from '../request-context';

/** Says which fields of the request's body nothing reads. */
export const IGNORED_FIELDS_HEADER = 'X-Ignored-Fields';

/** The same of the parameters of its query. */
export const IGNORED_PARAMETERS_HEADER = 'X-Ignored-Parameters';

/** So many names are told: headers have to stay short. */
export const MAX_IGNORED_NAMES = 10;

/** Longest name in a header, as it is written there. */
const MAX_NAME = 100;

/**
 * Names what is ignored of the request that is being handled in its answer, whatever that will be. A handler
 * may have several parameters for its body or query: what any of them reads is not ignored.
 * @param unread names that one of them does not read; never values
 */
export function nameIgnored(header: string, unread: ReadonlySet<string>): void {
  const names = namesOf(header);
  if (!names) return;
  const before = names.unread;
  names.unread = before ? new Set([...before].filter((name) => unread.has(name))) : unread;
  writeHeader(header, names);
}

/** The same of a parameter that reads one name, as `@Query('name')` does. */
export function nameRead(header: string, name: string): void {
  const names = namesOf(header);
  if (!names) return;
  names.read.add(name);
  writeHeader(header, names);
}

function namesOf(header: string): SentNames | undefined {
  const context = requestContext.getStore();
  if (!context) return undefined;
  context.sentNames ??= new Map<string, SentNames>();
  let names = context.sentNames.get(header);
  if (!names) context.sentNames.set(header, (names = { read: new Set() }));
  return names;
}

function writeHeader(header: string, { unread, read }: SentNames): void {
  const { response } = requestContext.getStore()!;
  if (!unread || response.headersSent) return;
  const ignored = read.size === 0 ? [...unread] : [...unread].filter((name) => !read.has(topOf(name)));
  const written = ignored.slice(0, MAX_IGNORED_NAMES).map(headerName).filter(Boolean);
  if (written.length > 0) response.setHeader(header, written.join(', '));
  else if (response.hasHeader(header)) response.removeHeader(header);
}

/** Of a path the field of the body that it is in. */
const topOf = (path: string): string => path.split('.', 1)[0]!;

/**
 * A name as it may stand in a header: what is no letter, digit or one of `.-_!~*'` is percent-encoded. One
 * that is too long ends with `...`.
 */
export function headerName(name: string): string {
  // Each character takes one place at least.
  const start = name.slice(0, MAX_NAME + 1).toWellFormed();
  const encoded = encodeURIComponent(start).replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'));
  if (encoded.length <= MAX_NAME) return encoded;
  return `${encoded.slice(0, MAX_NAME - 3).replace(/%[0-9A-F]?$/, '')}...`;
}
