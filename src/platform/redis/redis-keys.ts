import { StoreKeys } from '../common/store-keys';

/**
 * Creates the names of keys in Redis. They begin with a hash of the secret: deployments can share one Redis, and
 * the instances of one deployment find each other's keys. Names contain no data of users.
 */
export class RedisKeys {
  private readonly keys: StoreKeys;
  private readonly prefix: string;

  constructor(secret: string) {
    this.keys = new StoreKeys(secret, 'redis');
    this.prefix = `formula:${this.keys.of('deployment').slice(0, 16)}:`;
  }

  /** Returns a key whose name contains no data. */
  named(name: string): string {
    return this.prefix + name;
  }

  /** Returns a key for a text that Redis must not see. */
  hashed(kind: string, text: string): string {
    return `${this.prefix}${kind}:${this.keys.of(text)}`;
  }
}
