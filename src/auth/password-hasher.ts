import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { UnavailableError } from '../common/errors/service-error';
import { SpareCores } from './spare-cores';

const SALT_BYTES = 16;
const HASH_BYTES = 64;

const derive = promisify<string, Buffer, number, Buffer>(scrypt);

/** Compared with when a username is unknown, so that it takes as long as a wrong password. */
const NOBODY = `${'00'.repeat(SALT_BYTES)}:${'00'.repeat(HASH_BYTES)}`;

/**
 * Passwords as `<salt_hex>:<hash_hex>`: scrypt at Node's default cost (N 16384, r 8, p 1), 16-byte salt,
 * 64-byte output. A hash takes tens of milliseconds of a core, so only some run at once and only some may
 * wait: a flood of logins is refused before it starves everything else.
 */
@Injectable()
export class PasswordHasher {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    /** Hashes at once. Asked anew each time: a core is left to other requests while there are any. */
    private readonly cores: { count(): number } = new SpareCores(),
    /** Hashes that may wait for their turn. */
    private readonly queueLimit = 64,
  ) {}

  /** @throws UnavailableError when too many hashes are waiting already */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const hash = await this.run(password, salt);
    return `${salt.toString('hex')}:${hash.toString('hex')}`;
  }

  /**
   * Compares in constant time.
   * @param stored the user's hash, or nothing for an unknown user: takes as long and is never true
   * @throws UnavailableError when too many hashes are waiting already
   */
  async matches(password: string, stored: string | undefined): Promise<boolean> {
    const [salt, hash] = (stored ?? NOBODY).split(':').map((part) => Buffer.from(part, 'hex'));
    if (!salt || hash?.length !== HASH_BYTES) return false;
    const actual = await this.run(password, salt);
    return timingSafeEqual(actual, hash) && stored !== undefined;
  }

  private async run(password: string, salt: Buffer): Promise<Buffer> {
    await this.turn();
    try {
      return await derive(password, salt, HASH_BYTES);
    } finally {
      this.running--;
      this.admit();
    }
  }

  /** Resolves when the hash may run: who waits longest comes first, and nobody slips in between. */
  private async turn(): Promise<void> {
    if (this.waiting.length >= this.queueLimit) {
      throw new UnavailableError('登录请求过多,请稍后再试', { 'Retry-After': '2' });
    }
    await new Promise<void>((resolve) => {
      this.waiting.push(resolve);
      this.admit();
    });
  }

  private admit(): void {
    for (let free = this.cores.count() - this.running; free > 0 && this.waiting.length > 0; free--) {
      this.running++;
      this.waiting.shift()!();
    }
  }
}
