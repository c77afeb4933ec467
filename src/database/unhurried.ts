/** The wire below one of `pg`'s clients, of either database. */
export interface Connection {
  stream: { destroy(error?: Error): void };
}

/** Connections whose statements may take their time at the moment: those of an import. */
export const unhurried = new WeakSet<Connection>();
