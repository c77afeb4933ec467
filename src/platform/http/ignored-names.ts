import { requestContext, type SentNames } from '../common/request-context';

/** Lists fields of the request's body that nothing reads. */
export const IGNORED_FIELDS_HEADER = 'X-Ignored-Fields';

/** Lists query parameters that nothing reads. */
export const IGNORED_PARAMETERS_HEADER = 'X-Ignored-Parameters';

/** Most names in a header, because headers must stay short. */
export const MAX_IGNORED_NAMES = 10;

/** Longest name in a header, after encoding. */
const MAX_NAME = 100;

/**
 * Lists the ignored names of the current request in a header of its answer. A handler may have several parameters
 * for its body or query. Names that any of them reads are not ignored.
 * @param unread names that one of these parameters does not read; never values
 */
export function nameIgnored(header: string, unread: ReadonlySet<string>): void {
  const names = namesOf(header);
  if (!names) return;
  const before = names.unread;
  names.unread = before ? new Set([...before].filter((name) => unread.has(name))) : unread;
  writeHeader(header, names);
}

/** Marks one name as read, for a parameter such as `@Query('name')`. */
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

/** Returns the top-level field of a path. */
const topOf = (path: string): string => path.split('.', 1)[0]!;

/**
 * Encodes a name for a header: all characters but letters, digits and `.-_!~*'` are percent-encoded. A name that is
 * too long is cut and ends with `...`.
 */
export function headerName(name: string): string {
  // Each character takes at least one character when encoded.
  const start = name.slice(0, MAX_NAME + 1).toWellFormed();
  const encoded = encodeURIComponent(start).replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'));
  if (encoded.length <= MAX_NAME) return encoded;
  return `${encoded.slice(0, MAX_NAME - 3).replace(/%[0-9A-F]?$/, '')}...`;
}
