import { requestContext, type SentNames } from '../common/request-context';
import { type FaultText, type FieldFault, text } from '../texts/text';

/**
 * Deepest nesting of arrays and objects in a request. It is far below the limits of recursive code and of
 * PostgreSQL's JSON parser.
 */
export const MAX_DEPTH = 64;

/**
 * Most objects, arrays and scalars in a request. The largest free-form field (`FREE_JSON_LIMIT`) and the longest
 * lists stay below it.
 */
export const MAX_VALUES = 50_000;

export const TOO_MANY_VALUES: FieldFault = {
  field: 'body',
  message: text('field.too-many-values', { max: MAX_VALUES }),
};

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/**
 * Returns true if a JSON text certainly contains more than `MAX_VALUES` values: every comma outside a string
 * precedes a value. Parsing the text would cost thirty times as much.
 */
export function holdsTooManyValues(json: string): boolean {
  // Each value takes at least two characters.
  if (json.length < 2 * MAX_VALUES) return false;
  let values = 1;
  let isInText = false;
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) isInText = !isInText;
    else if (isInText) at += unit === BACKSLASH ? 1 : 0;
    else if (unit === COMMA && ++values > MAX_VALUES) return true;
  }
  return false;
}

/** A value to check, and its position. */
interface Place {
  value: unknown;
  key: string;
  parent?: Place;
  /** Number of arrays and objects around it. */
  depth: number;
}

/**
 * Returns the first fault in a parsed body or query: a text with a NUL character or an unpaired surrogate
 * (PostgreSQL stores neither), a number beyond a double (JSON.parse makes it infinite), nesting deeper than
 * `MAX_DEPTH`, or more than `MAX_VALUES` values. Works without recursion.
 */
export function contentFault(root: unknown): FieldFault | undefined {
  const pending: Place[] = [{ value: root, key: '', depth: 0 }];
  let values = 1;
  for (let place = pending.pop(); place; place = pending.pop()) {
    const { value, depth } = place;
    const message = scalarFault(value);
    if (message) return { field: pathOf(place), message };
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= MAX_DEPTH) {
      return { field: pathOf(place).split('.')[0]!, message: text('field.too-deep', { max: MAX_DEPTH }) };
    }
    const keys = Object.keys(value);
    values += keys.length;
    if (values > MAX_VALUES) return TOO_MANY_VALUES;
    // Backwards, so that the first fault in reading order is reported.
    for (let i = keys.length - 1; i >= 0; i--) {
      const key = keys[i]!;
      const keyFault = scalarFault(key);
      if (keyFault) return { field: pathOf(place), message: keyFault };
      const child = (value as Record<string, unknown>)[key];
      if ((typeof child === 'object' && child !== null) || scalarFault(child)) {
        pending.push({ value: child, key, parent: place, depth: depth + 1 });
      }
    }
  }
  return undefined;
}

/** Returns the dotted path, or `body` for the root. */
function pathOf(place: Place): string {
  const keys: string[] = [];
  for (let at = place; at.parent; at = at.parent) keys.push(at.key);
  return keys.reverse().join('.') || 'body';
}

function scalarFault(value: unknown): FaultText | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : text('field.not-finite');
  if (typeof value !== 'string') return undefined;
  if (value.includes('\u0000')) return text('field.null-character');
  if (!value.isWellFormed()) return text('field.not-unicode');
  return undefined;
}

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
