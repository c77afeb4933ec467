import type { Client, ClientBase, Pool } from 'pg';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/** The pool of a data source. TypeORM has no public access to it. */
export const poolOf = ({ driver }: DataSource): Pool => (driver as PostgresDriver).master as Pool;

/** Closes a connection while it is in use: its statement fails, and the pool opens another connection. */
export const closeConnection = (client: ClientBase): void => void (client as Client).end();

/** The connection below one of `pg`'s clients, of either database. */
export interface Connection {
  stream: { destroy(error?: Error): void };
}

/** Connections whose statements currently have no time limit, such as those of an import. */
export const unhurried = new WeakSet<Connection>();
