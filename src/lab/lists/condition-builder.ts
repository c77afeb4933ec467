import type { RowCondition, RowFilter } from '../../access/row-filter';

/** Parts of a condition that hold together, and the values of their parameters. */
export class ConditionBuilder {
  private readonly parts: string[] = [];
  private readonly values: unknown[] = [];

  /** @param firstParameter number of the first parameter: the statement's own come before it */
  constructor(
    private readonly filter: RowFilter,
    private readonly firstParameter: number,
  ) {}

  /** A value as a parameter. */
  bind(value: unknown): string {
    return `$${this.firstParameter + this.values.push(value) - 1}`;
  }

  /** Whether the reader may see the row. */
  readable(kind: 'ingredient' | 'project', row: string): string {
    const { sql, values } = this.filter.for(kind, row, this.firstParameter + this.values.length);
    this.values.push(...values);
    return sql;
  }

  /** Adds a part where its value is given. */
  where<Value>(value: Value | undefined, part: (value: Value) => string): this {
    if (value !== undefined) this.parts.push(part(value));
    return this;
  }

  build(): RowCondition {
    return { sql: this.parts.length > 0 ? `(${this.parts.join(' AND ')})` : '(true)', values: this.values };
  }
}
