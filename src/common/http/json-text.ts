import { Header } from '@nestjs/common';
import { paginationOf } from './envelope';

/** JSON that is already text (built by the database), so that nobody parses it only to write it again. */
export class JsonText<T = unknown> {
  constructor(readonly text: string) {}

  /** The text of `{ data }` around it, as `record` does for objects. For handlers with `@AnswersJsonText()`. */
  asRecord(): string {
    return `{"data":${this.text}}`;
  }

  /** The same as an object, for callers inside the process. */
  parse(): T {
    return JSON.parse(this.text) as T;
  }
}

/** A page of a list whose rows are JSON text already. */
export class JsonPage<T = unknown> {
  constructor(
    readonly rows: JsonText<T[]>,
    /** How many there are in all. */
    readonly total: number,
  ) {}

  /** The text of `{ data, pagination }`, as `page` does for objects; for `@AnswersJsonText()` as well. */
  asPage(query: { page: number; limit: number }): string {
    return `{"data":${this.rows.text},"pagination":${JSON.stringify(paginationOf(this.total, query))}}`;
  }
}

/** The handler returns JSON as text. (Nest sends it as it is; an interceptor would cost every request.) */
export const AnswersJsonText = () => Header('Content-Type', 'application/json; charset=utf-8');
