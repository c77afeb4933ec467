import * as pg from 'pg';
import { type ClientConnection } from './client-connection';

/**
 * `pg`, leading to the embedded database: clients, pools, results and errors are `pg`'s own, only what lies
 * below a client's queries is not a socket. For TypeORM's `driver` option, or in place of `import ... from
 * 'pg'`.
 */
export function driverFor(connection: () => ClientConnection): typeof pg {
  class Client extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      const settings = typeof config === 'string' ? { connectionString: config } : config;
      super({ ...settings, ssl: false, connection: connection() } as pg.ClientConfig);
    }
  }
  class Pool extends pg.Pool {
    constructor(config?: pg.PoolConfig) {
      super({ ...config, Client });
    }
  }
  return { ...pg, Client, Pool };
}
