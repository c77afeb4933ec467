import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/**
 * Creates the names of keys in Redis. They begin with a hash of the secret: deployments can share one Redis, and
 * the instances of one deployment find each other's keys. Names contain no data of users. What Redis must not see
 * is hashed with a key, because addresses and user ids are few enough to be guessed from a plain hash.
 */
export class RedisKeys {
  private readonly key: KeyObject;
  private readonly prefix: string;

  /** @param secret any text; the key is derived from it (HKDF-SHA256), so it may have other uses too */
  constructor(secret: string) {
    const derived = hkdfSync('sha256', secret, 'formula-development-service', 'redis', 32);
    this.key = createSecretKey(Buffer.from(derived));
    this.prefix = `formula:${this.hash('deployment').slice(0, 16)}:`;
  }

  /** Returns a key whose name contains no data. */
  named(name: string): string {
    return this.prefix + name;
  }

  /** Returns a key for a text that Redis must not see. */
  hashed(kind: string, text: string): string {
    return `${this.prefix}${kind}:${this.hash(text)}`;
  }

  /** Returns 64 hexadecimal digits. */
  private hash(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('hex');
  }
}
