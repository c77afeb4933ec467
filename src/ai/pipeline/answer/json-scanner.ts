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
