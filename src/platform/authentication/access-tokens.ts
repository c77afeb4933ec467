import { createSecretKey, type KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { type CurrentUser, type Role, ROLES } from '../common/current-user';
import { RegisteredRoles } from '../common/registered-roles';
import { isUuid } from '../validation/uuid';
import { SigningSecret } from '../config/signing-secret';

export const TOKEN_ALGORITHM = 'HS256';

const AT_ANY_TIME = { ignoreExpiration: true, ignoreNotBefore: true };

/** Most tokens whose verification is cached, and their longest length: our tokens have 250 to 1300 characters. */
const KEPT_TOKENS = 1000;
const LONGEST_KEPT = 2000;

/**
 * The secret as a key object. jsonwebtoken would first try a string as a public key, which costs more than the rest
 * of the check.
 */
export const signingKey = (secret: SigningSecret): KeyObject => keyOf(secret.value);

const keyOf = (secret: string): KeyObject => createSecretKey(Buffer.from(secret));

/** User id in a token with a valid signature, and the key that signed it. */
export interface Signed {
  readonly subject: string;
  readonly key: KeyObject;
}

/** Issues and reads access tokens. */
@Injectable()
export class AccessTokens {
  private readonly known = new Map<string, Signed | undefined>();
  /** The current key first. */
  private readonly keys: readonly KeyObject[];

  constructor(
    private readonly jwt: JwtService,
    private readonly roles: RegisteredRoles,
    secret: SigningSecret,
  ) {
    const { value, previous } = secret;
    this.keys = [value, ...(previous === undefined ? [] : [previous])].map(keyOf);
  }

  /** @param tokenVersion version of the account; the token becomes invalid when it changes */
  issue(user: CurrentUser, tokenVersion: number): string {
    return this.jwt.sign(claimsOf(user, tokenVersion, this.roles));
  }

  /**
   * Returns the user id in a token with a valid signature, even if expired; undefined for anything else. The rate
   * limit calls it for every request, and then the guard. The result never changes, so each token is verified once.
   */
  signedSubject(token: string | null): string | undefined {
    return this.signed(token)?.subject;
  }

  /** Returns the user id and the key. Tokens signed with the previous secret stay valid while that is configured. */
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
        // Try the next key, if there is one.
      }
    }
    return undefined;
  }
}

/** Lifetime of a token, in seconds. */
export const TOKEN_LIFETIME_SECONDS = 24 * 60 * 60;

/** Seconds by which the clock of the instance that issued the token may be ahead. */
const CLOCK_SKEW_SECONDS = 60;

type Roles = Pick<ReadonlySet<unknown>, 'has'>;

/**
 * Returns the claims of a token, without its times. The role in the token is informative: the stored role counts. A
 * role that is no longer registered is left out, so that the token stays valid.
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

/** User id and token version from a token; the version is 0 if the token contains none. */
export interface TokenSubject {
  id: string;
  tokenVersion: number;
}

/**
 * Reads the payload of a token whose signature and times have been checked. Returns undefined for a payload that
 * this service cannot have issued, because another program with the same secret may sign anything.
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
 * Returns the token in a request's `Authorization` header, for the rate limit and the guard.
 *
 * The time of passport-jwt's own extractor grows with the square of a header without a space: a tenth of a second
 * for 16 KB, and any client can send that.
 */
export function bearerToken({ headers }: Pick<IncomingMessage, 'headers'>): string | null {
  return /^bearer\s+(\S+)/i.exec(headers.authorization ?? '')?.[1] ?? null;
}
