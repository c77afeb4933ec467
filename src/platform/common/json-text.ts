/** JSON that is already text (built by the database), so that it is not parsed only to be serialised again. */
export class JsonText<T = unknown> {
  constructor(readonly text: string) {}

  /** Returns the parsed value, for callers inside the process. */
  parse(): T {
    return JSON.parse(this.text) as T;
  }

  /** Lets `JSON.stringify` write the value instead of this object. */
  toJSON(): T {
    return this.parse();
  }
}

/** Returns the JSON text of a record, which may be a `JsonText` already. */
export const jsonTextOf = (record: object): string =>
  record instanceof JsonText ? record.text : JSON.stringify(record);

/** A page of a list whose rows are JSON text already. */
export class JsonPage<T = unknown> {
  constructor(
    readonly rows: JsonText<T[]>,
    /** Number of rows in all pages. */
    readonly total: number,
  ) {}
}
