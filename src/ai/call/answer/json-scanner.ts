/** An object or array that is not closed yet. */
interface OpenValue {
  readonly bracket: string;
  /** Where its bracket stands. */
  readonly at: number;
}

const LITERAL_CHARACTER = /[\w+.-]/;
const LITERAL = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** Follows JSON character by character, from the bracket with which an object or array begins. */
export class JsonScanner {
  /** What is open, the outermost first. */
  readonly open: OpenValue[] = [];
  /** The name of a property that was read last, as it is written. */
  key = '';
  /** Where the last string begins; absent when an object or array has been closed since. */
  lastString: number | undefined;
  private expected: 'value' | 'key' | 'colon' | 'comma' = 'value';
  private inString = false;
  private escaped = false;
  private literal = '';

  /**
   * @returns whether the character may stand there. One that may not is read as well as it can be, so that
   *   the caller may go on. A comma behind the last element may: `JSON.parse` has the last word.
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
