import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { UnavailableError } from '../common/errors/service-error';
import { text } from '../common/texts/text';
import { type Caller, IN_PROCESS } from '../shares/caller';
import { FairTurns } from '../shares/fair-turns';
import { SpareCores } from './spare-cores';

const SALT_BYTES = 16;
const HASH_BYTES = 64;

const derive = promisify<string, Buffer, number, Buffer>(scrypt);

/**
 * Stored for an account that has no password, and compared with when a username is unknown: it takes as long
 * as a wrong password, and none is right.
 */
export const NO_PASSWORD = `${'00'.repeat(SALT_BYTES)}:${'00'.repeat(HASH_BYTES)}`;

/** Hashes that may wait for their turn: more than one address may have in progress. */
const QUEUE = 1000;

/**
 * Passwords as `<salt_hex>:<hash_hex>`: scrypt at Node's default cost (N 16384, r 8, p 1), 16-byte salt,
 * 64-byte output. A hash takes tens of milliseconds of a core, so only some run at once, in fair turns
 * between clients, and only some may wait: a flood of logins is refused before it starves everything else.
 */
@Injectable()
export class PasswordHasher {
  private readonly turns: FairTurns;

  /**
   * @param cores hashes at once. Asked anew each time: a core is left to other requests while there are any
   * @param queue hashes that may wait for their turn
   */
  constructor(cores: { count(): number } = new SpareCores(), queue = QUEUE) {
    const full = () => new UnavailableError(text('auth.busy'), { 'Retry-After': '2' });
    this.turns = new FairTurns({ limit: () => cores.count(), queue, full });
  }

  /** Hashes that run, and that wait for their turn. */
  get load(): { readonly running: number; readonly waiting: number } {
    return this.turns.load;
  }

  /** @throws UnavailableError when too many hashes are waiting already, or its turn does not come in time */
  async hash(password: string, caller = IN_PROCESS): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const hash = await this.run(password, salt, caller);
    return `${salt.toString('hex')}:${hash.toString('hex')}`;
  }

  /**
   * Compares in constant time.
   * @param stored the user's hash; `NO_PASSWORD`, and nothing for an unknown user, takes as long and is never
   *   true
   * @throws UnavailableError when too many hashes are waiting already, or its turn does not come in time
   */
  async matches(password: string, stored: string | undefined, caller = IN_PROCESS): Promise<boolean> {
    const compared = stored ?? NO_PASSWORD;
    const [salt, hash] = compared.split(':').map((part) => Buffer.from(part, 'hex'));
    if (!salt || hash?.length !== HASH_BYTES) return false;
    const actual = await this.run(password, salt, caller);
    return timingSafeEqual(actual, hash) && compared !== NO_PASSWORD;
  }

  private run(password: string, salt: Buffer, caller: Caller): Promise<Buffer> {
    return this.turns.run(caller, () => derive(password, salt, HASH_BYTES));
  }
}
