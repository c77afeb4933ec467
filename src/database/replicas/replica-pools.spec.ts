import type * as pg from 'pg';
import { REPLICA_READS, replicatedDriver } from './replica-pools';

/** A driver whose pools connect to nothing, and tell of it. */
const driver = (connects: string[], name: string) =>
  ({
    name,
    Pool: class {
      connect(callback?: (error: undefined, client: string) => void): Promise<string> | void {
        connects.push(name);
        if (!callback) return Promise.resolve(name);
        callback(undefined, name);
      }
    },
  }) as unknown as typeof pg;

describe('the driver of a primary and its replicas', () => {
  let connects: string[];
  let both: typeof pg;

  beforeEach(() => {
    connects = [];
    both = replicatedDriver(driver(connects, 'primary'), driver(connects, 'replica'));
  });
  const poolOf = (application_name: string) => new both.Pool({ application_name });
  const connected = (pool: pg.Pool) =>
    new Promise((resolve) => pool.connect((_, client, release) => resolve([client, release])));

  it('makes the connection of a primary at once', async () => {
    await connected(poolOf('formula-development-service'));
    expect(connects).toEqual(['primary']);
  });

  it('makes none of a replica before its first statement', async () => {
    const pool = poolOf(REPLICA_READS);
    expect(await connected(pool)).toEqual([undefined, expect.any(Function)]);
    expect(connects).toEqual([]);
    await connected(pool);
    await pool.connect();
    expect(connects).toEqual(['replica', 'replica']);
  });
});
