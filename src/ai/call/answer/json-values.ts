import { JsonScanner } from './json-scanner';

/** So many values of a text are given, the last ones: hostile texts have hundreds of thousands. */
const MOST_VALUES = 20;

/** A string whose text is JSON. */
const ENCODED = /(?<!\\)"(?:\s|\\[nrt]|[[{])*\\"[^"\\]*(?:\\[^][^"\\]*)*"/y;

/** A bracket that begins JSON, not prose. */
const BEGUN = /^[[{]\s*["{[]/;
const BEGUN_OBJECT = /^\{\s*"[^"]*"\s*:/;

/** The JSON found in a text. */
export interface JsonValues {
  /**
   * JSON objects, arrays and encoded texts, in order, each as wide as it goes. One that breaks the grammar
   * ends where it does, and `JSON.parse` refuses it.
   */
  readonly values: string[];
  /** The text ends within another one. */
  readonly isCut: boolean;
}

/**
 * Finds JSON among whatever stands around it. Where a bracket turns out to begin none, what was complete
 * within it stays found. Each character is looked at a few times at most, whatever the text.
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
      // A quote in prose may have been taken for the beginning of a string: go on behind it.
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

/** Undefined where the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
