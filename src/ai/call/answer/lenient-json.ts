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
  if (trimmed === '') return;
  yield trimmed;
  const fence = /```[a-zA-Z]*\s*\n?([\s\S]*?)```/.exec(trimmed);
  if (fence?.[1]) yield fence[1].trim();
  const outermost = (open: string, close: string): string =>
    trimmed.slice(Math.max(0, trimmed.indexOf(open)), trimmed.lastIndexOf(close) + 1);
  const object = outermost('{', '}');
  const array = outermost('[', ']');
  // Whichever opens first is the root; the other would be a part of it.
  const objectFirst =
    !trimmed.includes('[') || (trimmed.includes('{') && trimmed.indexOf('{') < trimmed.indexOf('['));
  yield objectFirst ? object : array;
  yield objectFirst ? array : object;
}
