import { type FaultText, type FieldFault, text } from '../texts/text';

/**
 * Deepest nesting of arrays and objects in a request. Recursive readers and PostgreSQL's JSON parser stay far
 * from their limits.
 */
export const MAX_DEPTH = 64;

/**
 * Most objects, arrays and scalars in a request. What a free-form field may hold at its full size
 * (`FREE_JSON_LIMIT`) and what the largest lists hold stay below it.
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
 * Whether a JSON text is sure to hold more than `MAX_VALUES` values: behind each comma that is in no text
 * comes one. Known without parsing, which costs thirty times as much.
 */
export function holdsTooManyValues(json: string): boolean {
  // Each takes two characters at least.
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

/** A value to look at, and where it stands. */
interface Place {
  value: unknown;
  key: string;
  parent?: Place;
  /** How many arrays and objects it is in. */
  depth: number;
}

/**
 * The first thing in a parsed body or query that is not taken: a text with a NUL character or an unpaired
 * surrogate (PostgreSQL has neither), a number beyond a double (JSON.parse makes it infinite), nesting deeper
 * than `MAX_DEPTH`, or more than `MAX_VALUES` values. Walks without recursion.
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
    // Backwards, so that the first fault in reading order is the one reported.
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

/** Dotted, or `body` for the whole. */
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
