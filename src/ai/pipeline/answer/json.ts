/** An object or array that is not closed yet. */
interface OpenValue {
  readonly bracket: string;
  /** Position of its bracket. */
  readonly at: number;
}

const LITERAL_CHARACTER = /[\w+.-]/;
const LITERAL = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** Reads JSON character by character, starting with the bracket of an object or array. */
export class JsonScanner {
  /** The open objects and arrays, the outermost first. */
  readonly open: OpenValue[] = [];
  /** The most recent property name, as written. */
  key = '';
  /** Position of the most recent string; absent if an object or array was closed after it. */
  lastString: number | undefined;
  private expected: 'value' | 'key' | 'colon' | 'comma' = 'value';
  private inString = false;
  private escaped = false;
  private literal = '';

  /**
   * @returns false if the character is not allowed here. It is read as well as possible, so that the caller
   *   can continue. A comma after the last element is allowed, because `JSON.parse` checks the text later.
   */
  take(character: string, at: number): boolean {
    if (this.inString) return this.takeInString(character);
    if (LITERAL_CHARACTER.test(character)) {
      this.literal += character;
      return this.expected === 'value';
    }
    if (this.literal === '') return this.takeMark(character, at);
    const isLiteral = LITERAL.test(this.literal);
    this.literal = '';
    this.expected = 'comma';
    return this.takeMark(character, at) && isLiteral;
  }

  private takeInString(character: string): true {
    if (!this.escaped && character === '"') this.inString = false;
    else if (this.expected === 'colon') this.key += character;
    this.escaped = !this.escaped && character === '\\';
    return true;
  }

  private takeMark(character: string, at: number): boolean {
    const { expected, open } = this;
    switch (character) {
      case '"':
        this.inString = true;
        this.lastString = at;
        this.expected = expected === 'key' ? 'colon' : 'comma';
        if (expected === 'key') this.key = '';
        return expected === 'key' || expected === 'value';
      case '{':
      case '[':
        open.push({ bracket: character, at });
        this.expected = character === '{' ? 'key' : 'value';
        return expected === 'value';
      case '}':
      case ']': {
        const isObject = open.pop()?.bracket === '{';
        this.expected = 'comma';
        this.lastString = undefined;
        return (
          isObject === (character === '}') &&
          (expected === 'comma' || expected === (isObject ? 'key' : 'value'))
        );
      }
      case ',':
        this.expected = open.at(-1)?.bracket === '{' ? 'key' : 'value';
        return expected === 'comma';
      case ':':
        this.expected = 'value';
        return expected === 'colon';
      default:
        return /[ \t\r\n]/.test(character);
    }
  }
}

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
    // Only the last 20 values of the text are returned. Hostile texts have hundreds of thousands.
    if (complete.length > 20) complete.shift();
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

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Text that may precede an answer: none, or completed reasoning. An answer in a code fence may be a draft. */
const BEGINNING = /(?:^|<\/[^<>]*>)$/;

/**
 * Reads the elements of a list from an answer that arrives in chunks. The list is the value of `key` in
 * the root object, or the root itself if it is an array. There are no elements if the text before the root
 * may announce another root, or if the root is not JSON, because only the complete text can decide then.
 */
export class ListReader {
  /** Position after the root's last bracket; absent until the elements have been returned. */
  end: number | undefined;
  private scanner = new JsonScanner();
  /** The end of the text before the root, without white space. */
  private before = '';
  private at = 0;
  /** Number of open brackets around an element; absent outside the list. */
  private listDepth: number | undefined;
  private element: string | undefined;
  private hasGiven = false;

  constructor(private readonly key: string) {}

  /** Reads the next chunk and returns the texts of the elements that it completes. */
  push(piece: string): string[] {
    const done: string[] = [];
    for (let next = 0; next < piece.length && this.end === undefined; next++, this.at++) {
      if (this.take(piece[next]!)) done.push(this.element!);
    }
    return done;
  }

  /** @returns true if the character completes the element */
  private take(character: string): boolean {
    const { open } = this.scanner;
    const depth = open.length;
    const isRoot = depth === 0 && /[[{]/.test(character) && BEGINNING.test(this.before);
    if (depth === 0 && !isRoot) {
      if (!/\s/.test(character)) this.before = (this.before + character).slice(-100);
      return false;
    }
    const fits = this.scanner.take(character, this.at);
    if (!fits && !this.hasGiven) {
      this.leave(character);
      return false;
    }
    if (this.listDepth !== undefined && depth > this.listDepth) this.element += character;
    if (open.length > depth) this.enter(character, open.length);
    if (open.length >= depth) return false;
    if (open.length === this.listDepth) return (this.hasGiven = true);
    if (this.listDepth !== undefined && open.length < this.listDepth) this.listDepth = undefined;
    if (open.length === 0 && this.hasGiven) this.end = this.at + 1;
    else if (open.length === 0) this.leave(character);
    return false;
  }

  private enter(bracket: string, depth: number): void {
    if (this.listDepth !== undefined) {
      if (depth === this.listDepth + 1) this.element = bracket;
      return;
    }
    const isList = bracket === '[' && (depth === 1 || (depth === 2 && this.isNamed));
    if (isList) this.listDepth = depth;
  }

  private get isNamed(): boolean {
    return this.scanner.open[0]?.bracket === '{' && this.scanner.key === this.key;
  }

  /** The supposed root was part of the text before the answer. */
  private leave(character: string): void {
    this.scanner = new JsonScanner();
    this.listDepth = undefined;
    this.before = character;
  }
}
