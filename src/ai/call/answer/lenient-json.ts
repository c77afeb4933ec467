/**
 * Reads the JSON value in a model's answer: the whole text, the inside of a code fence, or the outermost
 * object or array within prose. Undefined when there is none.
 */
export function readLenientJson(text: string): unknown {
  for (const candidate of candidates(text)) {
    try {
      return JSON.parse(candidate) as unknown;
    } catch {
      // The next candidate may do.
    }
  }
  return undefined;
}

function* candidates(text: string): Generator<string> {
  const trimmed = text.trim();
  yield trimmed;
  const fenced = insideFence(trimmed);
  if (fenced) yield fenced;
  const outermost = (open: string, close: string): string =>
    trimmed.slice(Math.max(0, trimmed.indexOf(open)), trimmed.lastIndexOf(close) + 1);
  const object = outermost('{', '}');
  const array = outermost('[', ']');
  // Whichever opens first is the root; the other would be a part of it.
  const objectFirst = trimmed.indexOf('{') < trimmed.indexOf('[');
  yield objectFirst ? object : array;
  yield objectFirst ? array : object;
}

const FENCE = '```';

/** What stands between the first two fences, without the name of a language. */
function insideFence(text: string): string | undefined {
  const open = text.indexOf(FENCE) + FENCE.length;
  const close = text.indexOf(FENCE, open);
  return close < 0 ? undefined : text.slice(open, close).replace(/^[a-zA-Z]*/, '');
}
