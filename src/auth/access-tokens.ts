import { createSecretKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { CurrentUser } from '../common/access/current-user';
import { SigningSecret } from '../environment/signing-secret';

/** What a token says. The role is informative: the one that counts is the user record's. */
export interface TokenClaims {
  sub: string;
  username: string;
  role: string;
  iat: number;
  exp: number;
}

export const TOKEN_LIFETIME = '24h';
export const TOKEN_ALGORITHM = 'HS256';

/** Most tokens whose signatures are remembered, and the longest: ours have about 250 characters. */
const KEPT_TOKENS = 1000;
const LONGEST_KEPT = 1000;

/**
 * The secret as a key object: given as a string, jsonwebtoken first tries it as a public key, which costs more
 * than the rest of the check together.
 */
export const signingKey = (secret: SigningSecret): KeyObject => createSecretKey(Buffer.from(secret.value));

/** Issues and reads access tokens. */
@Injectable()
export class AccessTokens {
  private readonly subjects = new Map<string, string | undefined>();

  constructor(private readonly jwt: JwtService) {}

  issue(user: CurrentUser): string {
    return this.jwt.sign({ sub: user.id, username: user.username, role: user.role });
  }

  /**
   * The user of a token with a good signature, expired or not; nothing for anything else. The rate limit asks for
   * every request, then the guard: a signature that was good or bad once is so for ever, and is checked once.
   */
  signedSubject(token: string | null): string | undefined {
    if (token === null || token.length > LONGEST_KEPT) return this.verifiedSubject(token);
    if (this.subjects.has(token)) return this.subjects.get(token);
    if (this.subjects.size >= KEPT_TOKENS) this.subjects.clear();
    const subject = this.verifiedSubject(token);
    this.subjects.set(token, subject);
    return subject;
  }

  private verifiedSubject(token: string | null): string | undefined {
    if (token === null) return undefined;
    try {
      const ageless = { ignoreExpiration: true, ignoreNotBefore: true };
      const { sub } = this.jwt.verify<{ sub?: unknown }>(token, ageless);
      return typeof sub === 'string' ? sub : undefined;
    } catch {
      return undefined;
    }
  }
}
