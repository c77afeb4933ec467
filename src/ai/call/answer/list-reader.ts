import { JsonScanner } from './json-scanner';

/** Text that may stand before an answer: none, or finished reasoning. Drafts and final answers come in fences. */
const BEGINNING = /(?:^|<\/[^<>]*>)$/;

/**
 * Reads the elements of one list out of an answer that arrives in pieces: the list is the value of `key` in
 * the root object, or the root itself when that is an array. Where something stands before the root that may
 * announce another one, or the root is no JSON, there are none: only the end of the text says what counts.
 */
export class ListReader {
  /** Behind the root's last bracket; absent until its elements have been given. */
  end: number | undefined;
  private scanner = new JsonScanner();
  /** The last of what stands before the root, without white space. */
  private before = '';
  private at = 0;
  /** How many brackets are open around an element; absent outside the list. */
  private listDepth: number | undefined;
  private element: string | undefined;
  private hasGiven = false;

  constructor(private readonly key: string) {}

  /** Takes the next piece and gives the texts of the elements that it completes. */
  push(piece: string): string[] {
    const done: string[] = [];
    for (let next = 0; next < piece.length && this.end === undefined; next++, this.at++) {
      if (this.take(piece[next]!)) done.push(this.element!);
    }
    return done;
  }

  /** @returns whether the character completes the element */
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

  /** The supposed root turned out to be a part of the text before it. */
  private leave(character: string): void {
    this.scanner = new JsonScanner();
    this.listDepth = undefined;
    this.before = character;
  }
}
