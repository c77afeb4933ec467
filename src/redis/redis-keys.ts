import { StoreKeys } from '../common/store-keys';

/**
 * Names of keys in Redis. They begin with a hash of the secret: deployments may share one Redis, and
 * instances of one find each other's. What follows shows nobody.
 */
export class RedisKeys {
  private readonly keys: StoreKeys;
  private readonly prefix: string;

  constructor(secret: string) {
    this.keys = new StoreKeys(secret, 'redis');
    this.prefix = `formula:${this.keys.of('deployment').slice(0, 16)}:`;
  }

  /** A key whose name says nothing of anybody. */
  named(name: string): string {
    return this.prefix + name;
  }

  /** A key that stands for a text which Redis does not get to see. */
  hashed(kind: string, text: string): string {
    return `${this.prefix}${kind}:${this.keys.of(text)}`;
  }
}
