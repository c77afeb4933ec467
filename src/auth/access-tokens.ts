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

/**
 * The secret as a key object: given as a string, jsonwebtoken first tries it as a public key, which costs more
 * than the rest of the check together.
 */
export const signingKey = (secret: SigningSecret): KeyObject => createSecretKey(Buffer.from(secret.value));

/** Issues and reads access tokens. */
@Injectable()
export class AccessTokens {
  constructor(private readonly jwt: JwtService) {}

  issue(user: CurrentUser): string {
    return this.jwt.sign({ sub: user.id, username: user.username, role: user.role });
  }

  /** The user of a token with a good signature, expired or not; nothing for anything else. For the rate limit only. */
  signedSubject(authorization: string | undefined): string | undefined {
    const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
    if (!token) return undefined;
    try {
      return this.jwt.verify<TokenClaims>(token, { ignoreExpiration: true }).sub;
    } catch {
      return undefined;
    }
  }
}
