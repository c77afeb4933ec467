/** The connection below one of `pg`'s clients, of either database. */
export interface Connection {
  stream: { destroy(error?: Error): void };
}

/** Connections whose statements currently have no time limit, such as those of an import. */
export const unhurried = new WeakSet<Connection>();
