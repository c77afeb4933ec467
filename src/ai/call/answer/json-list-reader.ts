/**
 * Reads the elements of one list out of JSON that arrives in pieces: the list is the value of `key` in the
 * root object, or the root itself when that is an array. Text before the root (a code fence, a sentence) is
 * skipped.
 *
 * Each character is looked at once; only the element being read is kept.
 */
export class JsonListReader {
  /** Nesting of what is being read; 1 is inside the root. */
  private depth = 0;
  private inString = false;
  private escaped = false;
  private rootIsArray = false;
  /** The string being read or read last right inside the root: before a colon it is a property's name. */
  private text = '';
  private currentKey = '';
  private inList = false;
  private element: string | undefined;
  private finished = false;

  constructor(private readonly key: string) {}

  /** Whether the root has been closed: whatever the connection does now, the answer is whole. */
  get complete(): boolean {
    return this.finished;
  }

  /** Takes the next piece and gives the texts of the elements that it completes. */
  push(piece: string): string[] {
    const done: string[] = [];
    for (const character of piece) {
      if (this.finished) break;
      const element = this.take(character);
      if (element !== undefined) done.push(element);
    }
    return done;
  }

  private take(character: string): string | undefined {
    if (this.element !== undefined) this.element += character;
    if (this.inString) {
      this.takeInString(character);
      return undefined;
    }
    switch (character) {
      case '"':
        if (this.depth > 0) this.openString();
        return undefined;
      case '{':
      case '[':
        this.open(character);
        return undefined;
      case '}':
      case ']':
        return this.depth > 0 ? this.close() : undefined;
      case ':':
        if (this.depth === 1) this.currentKey = this.text;
        return undefined;
      default:
        return undefined;
    }
  }

  private takeInString(character: string): void {
    if (this.escaped) this.escaped = false;
    else if (character === '\\') this.escaped = true;
    else if (character === '"') {
      this.inString = false;
      return;
    }
    if (this.depth === 1) this.text += character;
  }

  private openString(): void {
    this.inString = true;
    if (this.depth === 1) this.text = '';
  }

  private open(bracket: string): void {
    this.depth += 1;
    if (this.depth === 1) {
      this.rootIsArray = bracket === '[';
      this.inList = this.rootIsArray;
    } else if (this.inList && this.depth === this.listDepth + 1) {
      this.element = bracket;
    } else if (this.depth === 2 && bracket === '[' && this.currentKey === this.key) {
      this.inList = true;
    }
  }

  private close(): string | undefined {
    this.depth -= 1;
    if (this.inList && this.depth === this.listDepth) {
      const element = this.element;
      this.element = undefined;
      return element;
    }
    if (this.inList && this.depth < this.listDepth) this.inList = false;
    if (this.depth === 0) this.finished = true;
    return undefined;
  }

  private get listDepth(): number {
    return this.rootIsArray ? 1 : 2;
  }
}
