/** JSON that is already text (built by the database), so that nobody parses it only to write it again. */
export class JsonText<T = unknown> {
  constructor(readonly text: string) {}

  /** The same as a value, for callers inside the process. */
  parse(): T {
    return JSON.parse(this.text) as T;
  }

  /** In an object that is answered it is its value. */
  toJSON(): T {
    return this.parse();
  }
}

/** The JSON text of a record that may be JSON text already. */
export const jsonTextOf = (record: object): string =>
  record instanceof JsonText ? record.text : JSON.stringify(record);

/** A page of a list whose rows are JSON text already. */
export class JsonPage<T = unknown> {
  constructor(
    readonly rows: JsonText<T[]>,
    /** How many there are in all. */
    readonly total: number,
  ) {}
}
