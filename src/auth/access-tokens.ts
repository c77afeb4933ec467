import { createSecretKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { CurrentUser } from '../common/current-user';
import { RegisteredRoles } from '../common/registered-roles';
import { SigningSecret } from '../config/signing-secret';
import { claimsOf } from './token-claims';

export const TOKEN_ALGORITHM = 'HS256';

const AT_ANY_TIME = { ignoreExpiration: true, ignoreNotBefore: true };

/** Most tokens whose signatures are remembered, and the longest: ours have 250 to 1300 characters. */
const KEPT_TOKENS = 1000;
const LONGEST_KEPT = 2000;

/**
 * The secret as a key object: as a string, jsonwebtoken first tries it as a public key, which costs more
 * than the rest of the check together.
 */
export const signingKey = (secret: SigningSecret): KeyObject => keyOf(secret.value);

const keyOf = (secret: string): KeyObject => createSecretKey(Buffer.from(secret));

/** Whose token it is, and the key that it was signed with. */
export interface Signed {
  readonly subject: string;
  readonly key: KeyObject;
}

/** Issues and reads access tokens. */
@Injectable()
export class AccessTokens {
  private readonly known = new Map<string, Signed | undefined>();
  /** The present one first. */
  private readonly keys: readonly KeyObject[];

  constructor(
    private readonly jwt: JwtService,
    private readonly roles: RegisteredRoles,
    secret: SigningSecret,
  ) {
    const { value, previous } = secret;
    this.keys = [value, ...(previous === undefined ? [] : [previous])].map(keyOf);
  }

  /** @param tokenVersion the account's; the token ends when that moves on */
  issue(user: CurrentUser, tokenVersion: number): string {
    return this.jwt.sign(claimsOf(user, tokenVersion, this.roles));
  }

  /**
   * The user of a token with a good signature, expired or not; nothing for anything else. The rate limit asks
   * for every request, then the guard: a signature is good or bad for ever, so each token is verified once.
   */
  signedSubject(token: string | null): string | undefined {
    return this.signed(token)?.subject;
  }

  /** The same, with the key: tokens signed with the previous secret are good as long as that is set. */
  signed(token: string | null): Signed | undefined {
    if (token === null) return undefined;
    if (this.known.has(token)) return this.known.get(token);
    const signed = this.verified(token);
    if (token.length > LONGEST_KEPT) return signed;
    if (this.known.size >= KEPT_TOKENS) this.known.clear();
    this.known.set(token, signed);
    return signed;
  }

  private verified(token: string): Signed | undefined {
    for (const key of this.keys) {
      try {
        const options = { ...AT_ANY_TIME, secret: key as unknown as Buffer };
        const { sub } = this.jwt.verify<{ sub?: unknown }>(token, options);
        return typeof sub === 'string' && sub !== '' ? { subject: sub, key } : undefined;
      } catch {
        // The next key, if there is one.
      }
    }
    return undefined;
  }
}
