import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/**
 * Turns a key into a keyed hash before an extension's store sees it, because addresses and user ids are few enough
 * to be guessed from a plain hash. The result is the same in all instances that have the same secret.
 */
export class StoreKeys {
  private readonly key: KeyObject;

  /**
   * @param secret any text; the key is derived from it (HKDF-SHA256), so it may have other uses too
   * @param purpose name of the store, so that no two stores share keys
   */
  constructor(secret: string, purpose: string) {
    this.key = createSecretKey(
      Buffer.from(hkdfSync('sha256', secret, 'formula-development-service', purpose, 32)),
    );
  }

  /** Returns 64 hexadecimal digits. */
  of(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('hex');
  }
}
