import type { RedisClient } from './redis-connection';
import type { RedisKeys } from './redis-keys';

/**
 * How long a position is kept, in milliseconds. Replicas that are read have what was written some seconds
 * ago: the rest is for a clock of Redis that is set forward.
 */
const KEPT_MS = 10 * 60_000;

/** The later one stays: they come from several instances, in any order, as texts that sort by their age. */
const KEEP = `
  local kept = redis.call('GET', KEYS[1])
  if kept and kept > ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return 1`;

/** It writes: a Redis that has become a replica, whose positions may be old, refuses. */
const FIND = `
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  return redis.call('GET', KEYS[1])`;

/** Up to where the database's log must be read for what each user has written. */
export class RedisPositions {
  private connectedAt: number | undefined;

  constructor(
    private readonly client: RedisClient,
    private readonly keys: RedisKeys,
    private readonly elapsed: () => number,
  ) {}

  /** There is a new connection: to a Redis that was started again, perhaps, and has lost what it kept. */
  connected(): void {
    this.connectedAt = this.elapsed();
  }

  /** For how long the connection has been the same one, in milliseconds. */
  get connectedFor(): number {
    return this.connectedAt === undefined ? 0 : this.elapsed() - this.connectedAt;
  }

  async keep(user: string, position: string): Promise<void> {
    await this.client.eval(KEEP, { keys: [this.keyOf(user)], arguments: [position, String(KEPT_MS)] });
  }

  /** @returns null where none is kept */
  async find(user: string): Promise<unknown> {
    return this.client.eval(FIND, { keys: [this.keyOf(user)], arguments: [String(KEPT_MS)] });
  }

  private keyOf(user: string): string {
    return this.keys.hashed('written', user);
  }
}
