import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import passport from 'passport';
import { type SecretOrKeyProvider, Strategy } from 'passport-jwt';
import type { CurrentUser } from '../platform/common/current-user';
import { RegisteredRoles } from '../platform/common/registered-roles';
import {
  AccessTokens,
  bearerToken,
  subjectOf,
  TOKEN_ALGORITHM,
  TOKEN_LIFETIME_SECONDS,
} from '../platform/authentication/access-tokens';
import { TOKEN_STRATEGY } from '../platform/authentication/auth-strategies';
import { UsersRepository } from './users.repository';

/**
 * Strategy with a unique name. passport's registry belongs to the process: under a common name, the last
 * application created would check the tokens of all others, with its own secret and users.
 */
class StrategyOfOneApplication extends Strategy {
  override readonly name = `${TOKEN_STRATEGY}-${randomUUID()}`;
}

/**
 * Accepts a token if its signature is valid, it has not expired, its user exists and is not disabled, and the
 * account's tokens have not been ended since, for example by a new password.
 */
@Injectable()
export class JwtStrategy extends PassportStrategy(StrategyOfOneApplication) implements OnApplicationShutdown {
  constructor(
    tokens: AccessTokens,
    private readonly users: UsersRepository,
    private readonly roles: RegisteredRoles,
  ) {
    const keyFor: SecretOrKeyProvider = (_request, token: string, done) => {
      const signed = tokens.signed(token);
      // jsonwebtoken throws at a signed `null`. It also accepts a key object, which passport-jwt's types do not
      // declare.
      if (signed) done(null, signed.key as unknown as Buffer);
      else done('not signed here');
    };
    super({
      jwtFromRequest: bearerToken,
      secretOrKeyProvider: keyFor,
      algorithms: [TOKEN_ALGORITHM],
      // Our tokens contain the time of issue, so a token without `exp` expires too.
      jsonWebTokenOptions: { maxAge: `${TOKEN_LIFETIME_SECONDS}s` },
    });
  }

  /** @throws UnavailableError if the database is unreachable */
  validate(payload: unknown): Promise<CurrentUser | false> | false {
    const subject = subjectOf(payload, Math.floor(Date.now() / 1000), this.roles.registered!);
    if (!subject) return false;
    return this.users.findCurrent(subject.id).then((user) => {
      if (user?.tokenVersion !== subject.tokenVersion) return false;
      return { id: user.id, username: user.username, role: user.role };
    });
  }

  /** Runs after the last request, which may still need the strategy. */
  onApplicationShutdown(): void {
    passport.unuse(this.name);
  }
}
