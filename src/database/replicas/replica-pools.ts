import type * as pg from 'pg';

/** What a replica shows of the connections of its pool; TypeORM makes the pools, and is told by it apart. */
export const REPLICA_READS = 'formula-replica-reads';

type Connected = Parameters<pg.Pool['connect']>[0];

/**
 * The driver of a primary, and of replicas for the pools with their name. TypeORM makes a connection of each
 * pool before it is ready: a replica's is left to its first statement, so that none that is away is missed at
 * the start.
 */
export function replicatedDriver(primary: typeof pg, replica: typeof pg): typeof pg {
  class ReplicaPool extends replica.Pool {
    private isMade = false;

    override connect(): Promise<pg.PoolClient>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<pg.PoolClient> | void {
      if (this.isMade || !callback) return callback ? super.connect(callback) : super.connect();
      this.isMade = true;
      callback(undefined, undefined, () => undefined);
    }
  }

  function Pool(config?: pg.PoolConfig): pg.Pool {
    return config?.application_name === REPLICA_READS ? new ReplicaPool(config) : new primary.Pool(config);
  }

  return { ...primary, Pool: Pool as unknown as typeof pg.Pool };
}
