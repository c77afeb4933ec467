import { createSecretKey, type KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { type CurrentUser, type Role, ROLES } from '../common/current-user';
import { RegisteredRoles } from '../common/registered-roles';
import { isUuid } from '../common/validation/uuid';
import { SigningSecret } from '../config/signing-secret';

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

/** Seconds that a token of ours lives. */
export const TOKEN_LIFETIME_SECONDS = 24 * 60 * 60;

/** Seconds by which the clock of another instance, which issued the token, may be ahead. */
const CLOCK_SKEW_SECONDS = 60;

type Roles = Pick<RegisteredRoles, 'has'>;

/**
 * The claims of a token, without its times. The role that counts is that of the user record. A role that is no
 * longer registered is left out, so that the token stays valid.
 */
export const claimsOf = (
  { id, username, role }: CurrentUser,
  tokenVersion: number,
  roles: Roles,
): { sub: string; username: string; role?: Role; ver: number } => ({
  sub: id,
  username,
  ...(roles.has(role) && { role }),
  ver: tokenVersion,
});

/** Whose token it is, and of which version: 0 where it names none. */
export interface TokenSubject {
  id: string;
  tokenVersion: number;
}

/**
 * Reads the payload of a token whose signature and times have been checked. Returns undefined for one that this
 * service cannot have issued: another program with the same secret may sign anything.
 * @param now in seconds since 1970
 */
export function subjectOf(payload: unknown, now: number, roles: Roles): TokenSubject | undefined {
  const {
    sub,
    username = '',
    role = ROLES[0],
    ver = 0,
    iat,
    exp,
  } = (payload ?? {}) as Record<string, unknown>;
  if (!isUuid(sub)) return undefined;
  if (typeof username !== 'string' || !roles.has(role)) return undefined;
  if (typeof ver !== 'number' || !Number.isInteger(ver) || ver < 0) return undefined;
  const end = exp ?? Number(iat) + TOKEN_LIFETIME_SECONDS;
  if (typeof end !== 'number' || !(end <= now + TOKEN_LIFETIME_SECONDS + CLOCK_SKEW_SECONDS))
    return undefined;
  return { id: sub, tokenVersion: ver };
}

/**
 * The token of a request's `Authorization` header, for the rate limit and the guard alike.
 *
 * passport-jwt's own extractor takes time that grows with the square of a header without a space: a tenth of
 * a second for 16 KB, for anybody.
 */
export function bearerToken({ headers }: Pick<IncomingMessage, 'headers'>): string | null {
  return /^bearer\s+(\S+)/i.exec(headers.authorization ?? '')?.[1] ?? null;
}
