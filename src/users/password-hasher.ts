import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { ConcurrencyLimiter } from '../platform/request-limits/concurrency-limiter';

const SALT_BYTES = 16;
const HASH_BYTES = 64;

const derive = promisify<string, Buffer, number, Buffer>(scrypt);

/**
 * Stored for an account without a password, and used for unknown usernames. Comparing with it takes as long as with
 * a real hash, and no password matches.
 */
export const NO_PASSWORD = `${'00'.repeat(SALT_BYTES)}:${'00'.repeat(HASH_BYTES)}`;

/**
 * Stores passwords as `<salt_hex>:<hash_hex>`: scrypt at Node's default cost (N 16384, r 8, p 1), 16-byte salt,
 * 64-byte output. A hash takes tens of milliseconds of a core, so few run at once.
 */
@Injectable()
export class PasswordHasher {
  constructor(private readonly limiter: ConcurrencyLimiter) {}

  /** @throws UnavailableError if the hash cannot begin in time */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const hash = await this.derive(password, salt);
    return `${salt.toString('hex')}:${hash.toString('hex')}`;
  }

  /**
   * Compares in constant time.
   * @param stored the user's hash, or undefined for an unknown user; that and `NO_PASSWORD` take as long and never
   *   match
   * @throws UnavailableError if the hash cannot begin in time
   */
  async matches(password: string, stored: string | undefined): Promise<boolean> {
    const compared = stored ?? NO_PASSWORD;
    const [salt, hash] = compared.split(':').map((part) => Buffer.from(part, 'hex'));
    if (!salt || hash?.length !== HASH_BYTES) return false;
    const actual = await this.derive(password, salt);
    return timingSafeEqual(actual, hash) && compared !== NO_PASSWORD;
  }

  private derive(password: string, salt: Buffer): Promise<Buffer> {
    return this.limiter.run('password', () => derive(password, salt, HASH_BYTES));
  }
}
