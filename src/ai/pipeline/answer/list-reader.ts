import { JsonScanner } from './json-scanner';

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
