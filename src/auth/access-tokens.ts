import { createSecretKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { CurrentUser } from '../common/access/current-user';
import { RegisteredRoles } from '../common/access/registered-roles';
import { SigningSecret } from '../environment/signing-secret';
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
export const signingKey = (secret: SigningSecret): KeyObject => createSecretKey(Buffer.from(secret.value));

/** Issues and reads access tokens. */
@Injectable()
export class AccessTokens {
  private readonly subjects = new Map<string, string | undefined>();

  constructor(
    private readonly jwt: JwtService,
    private readonly roles: RegisteredRoles,
  ) {}

  /** @param tokenVersion the account's; the token ends when that moves on */
  issue(user: CurrentUser, tokenVersion: number): string {
    return this.jwt.sign(claimsOf(user, tokenVersion, this.roles));
  }

  /**
   * The user of a token with a good signature, expired or not; nothing for anything else. The rate limit asks
   * for every request, then the guard: a signature is good or bad for ever, so each token is verified once.
   */
  signedSubject(token: string | null): string | undefined {
    if (token === null) return undefined;
    if (this.subjects.has(token)) return this.subjects.get(token);
    const subject = this.verifiedSubject(token);
    if (token.length > LONGEST_KEPT) return subject;
    if (this.subjects.size >= KEPT_TOKENS) this.subjects.clear();
    this.subjects.set(token, subject);
    return subject;
  }

  private verifiedSubject(token: string): string | undefined {
    try {
      const { sub } = this.jwt.verify<{ sub?: unknown }>(token, AT_ANY_TIME);
      return typeof sub === 'string' && sub !== '' ? sub : undefined;
    } catch {
      return undefined;
    }
  }
}
