/** A WHERE clause and its values, put together condition by condition. */
export class Conditions {
  private readonly parts: string[] = [];
  readonly values: unknown[] = [];

  /**
   * Rows must also meet this; without a value there is no such condition.
   * @param condition SQL, of the parameter that stands for the value
   */
  and(value: unknown, condition: (parameter: string) => string): this {
    if (value === undefined) return this;
    this.values.push(value);
    this.parts.push(condition(`$${this.values.length}`));
    return this;
  }

  /** Empty when every row will do. */
  get text(): string {
    return this.parts.length > 0 ? `WHERE ${this.parts.join(' AND ')}` : '';
  }
}
