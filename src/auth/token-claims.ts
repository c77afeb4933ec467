import { type CurrentUser, type Role, ROLES } from '../common/current-user';
import type { RegisteredRoles } from '../common/registered-roles';
import { isUuid } from '../common/validation/uuid';

/** Seconds that a token of ours lives. */
export const TOKEN_LIFETIME_SECONDS = 24 * 60 * 60;

/** Seconds by which the clock of another instance, which issued the token, may be ahead. */
const CLOCK_SKEW_SECONDS = 60;

type Roles = Pick<RegisteredRoles, 'has'>;

/**
 * What a token of ours says beside its times. The role that counts is the user record's; one that is not
 * registered any more is left out, so that the token is good all the same.
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
 * Reads the payload of a token whose signature and times have been checked. Nothing when it is none that this
 * service could have issued: whoever signs with our secret by other means may have put in anything.
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
