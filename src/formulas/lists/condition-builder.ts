import type { RowCondition, RowFilter } from '../../platform/access/row-filter';

/** Builds a condition of parts joined by AND, and the values of their parameters. */
export class ConditionBuilder {
  private readonly parts: string[] = [];
  private readonly values: unknown[] = [];

  /** @param firstParameter number of the first parameter, after those of the statement itself */
  constructor(
    private readonly filter: RowFilter,
    private readonly firstParameter: number,
  ) {}

  /** Adds a value and returns its parameter. */
  bind(value: unknown): string {
    return `$${this.firstParameter + this.values.push(value) - 1}`;
  }

  /** Returns a condition that is true if the reader may see the row. */
  readable(kind: 'ingredient' | 'project', row: string): string {
    const { sql, values } = this.filter.for(kind, row, this.firstParameter + this.values.length);
    this.values.push(...values);
    return sql;
  }

  /** Adds a part if its value is given. */
  where<Value>(value: Value | undefined, part: (value: Value) => string): this {
    if (value !== undefined) this.parts.push(part(value));
    return this;
  }

  build(): RowCondition {
    return { sql: this.parts.length > 0 ? `(${this.parts.join(' AND ')})` : '(true)', values: this.values };
  }
}
