import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
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
  private readonly key: KeyObject;

  constructor(
    private readonly jwt: JwtService,
    secret: SigningSecret,
  ) {
    this.key = signingKey(secret);
  }

  issue(user: CurrentUser): string {
    return this.jwt.sign({ sub: user.id, username: user.username, role: user.role });
  }

  /**
   * The user of a token with a good signature, expired or not; nothing for anything else. For the rate
   * limit only, which sees every request: the guard's full check comes after it. Whatever was signed with our secret
   * is a token of ours, so its payload is JSON.
   */
  signedSubject(authorization: string | undefined): string | undefined {
    const [, signed, payload, signature] =
      /^Bearer ([\w-]+\.([\w-]+))\.([\w-]+)$/i.exec(authorization ?? '') ?? [];
    if (!signed || !payload || !signature) return undefined;
    const expected = createHmac('sha256', this.key).update(signed).digest();
    const given = Buffer.from(signature, 'base64url');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as TokenClaims).sub;
  }
}
