/** A WHERE clause and its values, put together condition by condition. */
export class Conditions {
  private readonly parts: string[];
  readonly values: unknown[] = [];

  /** @param first SQL that rows must meet whatever else is asked */
  constructor(...first: string[]) {
    this.parts = first;
  }

  /** The parameter that stands for a value. */
  bind(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  /** Rows must also meet this. @param condition SQL */
  and(condition: string): this {
    this.parts.push(condition);
    return this;
  }

  /** Empty when every row will do. */
  get text(): string {
    return this.parts.length > 0 ? `WHERE ${this.parts.join(' AND ')}` : '';
  }
}
