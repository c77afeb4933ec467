import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/**
 * What a store of an extension gets to see of a key: a keyed hash, because addresses and users' ids are few
 * enough to be guessed from a plain one. The same in all instances that have the same secret.
 */
export class StoreKeys {
  private readonly key: KeyObject;

  /**
   * @param secret any text; the key is derived from it (HKDF-SHA256), so it may be the secret of something
   *   else
   * @param purpose so that no two stores have a key in common
   */
  constructor(secret: string, purpose: string) {
    this.key = createSecretKey(
      Buffer.from(hkdfSync('sha256', secret, 'formula-development-service', purpose, 32)),
    );
  }

  /** 64 hexadecimal digits. */
  of(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('hex');
  }
}
