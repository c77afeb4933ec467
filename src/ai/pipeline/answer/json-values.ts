import { JsonScanner } from './json-scanner';

/** Maximum number of values that are returned, from the end of the text. Hostile texts have hundreds of thousands. */
const MOST_VALUES = 20;

/** A string whose text is JSON. */
const ENCODED = /(?<!\\)"(?:\s|\\[nrt]|[[{])*\\"[^"\\]*(?:\\[^][^"\\]*)*"/y;

/** Brackets that begin JSON, not prose. */
const BEGUN = /^[[{]\s*["{[]/;
const BEGUN_OBJECT = /^\{\s*"[^"]*"\s*:/;

/** The JSON found in a text. */
export interface JsonValues {
  /**
   * JSON objects, arrays and encoded texts, in order, without those inside another value. A value that
   * violates the grammar ends there, and `JSON.parse` rejects it.
   */
  readonly values: string[];
  /** The text ends inside another value. */
  readonly isCut: boolean;
}

/**
 * Finds JSON in a text. If a bracket turns out not to begin JSON, the complete values inside it are
 * still found. Each character is read a few times at most.
 */
export function jsonValues(text: string): JsonValues {
  const complete: { at: number; end: number }[] = [];
  const add = (at: number, end: number): void => {
    complete.push({ at, end });
    if (complete.length > MOST_VALUES) complete.shift();
  };
  let scanner = new JsonScanner();
  for (let at = 0; at < text.length; at++) {
    const { open } = scanner;
    const depth = open.length;
    const outermost = open[0];
    const innermost = open.at(-1);
    if (!innermost && text[at] === '"') {
      ENCODED.lastIndex = at;
      const encoded = ENCODED.exec(text)?.[0];
      if (encoded) {
        add(at, at + encoded.length);
        at += encoded.length - 1;
      }
    }
    if (!innermost && text[at] !== '{' && text[at] !== '[') continue;
    if (!scanner.take(text[at]!, at)) {
      if (outermost && BEGUN_OBJECT.test(text.slice(outermost.at, at))) add(outermost.at, at);
      // A quote in prose may have been read as the beginning of a string, so continue after it.
      at = scanner.lastString ?? at - 1;
      scanner = new JsonScanner();
    } else if (innermost && open.length < depth) {
      while (complete.length > 0 && complete.at(-1)!.at > innermost.at) complete.pop();
      // An array inside something that turns out not to be JSON is not an answer.
      if (innermost.bracket === '{' || open.length === 0) add(innermost.at, at + 1);
      if (open.length === 0) scanner = new JsonScanner();
    }
  }
  const [root] = scanner.open;
  return {
    values: complete.map(({ at, end }) => text.slice(at, end)),
    isCut: root !== undefined && BEGUN.test(text.slice(root.at)),
  };
}

/** Returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
