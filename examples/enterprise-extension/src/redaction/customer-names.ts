/** The names that no AI provider may see: without quotation marks and angle brackets, which are escaped. */
export class CustomerNames {
  private readonly pattern: RegExp | undefined;

  constructor(names: readonly string[]) {
    // The longest first: of "Acme Paris" nothing may stay.
    const longestFirst = [...names].sort((a, b) => b.length - a.length);
    const alternatives = longestFirst.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
    this.pattern = alternatives === '' ? undefined : new RegExp(alternatives, 'giu');
  }

  takenOutOf(text: string): string {
    return this.pattern ? text.replace(this.pattern, 'a customer') : text;
  }
}
