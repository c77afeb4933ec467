import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import passport from 'passport';
import { type SecretOrKeyProvider, Strategy } from 'passport-jwt';
import type { CurrentUser } from '../common/current-user';
import { RegisteredRoles } from '../common/registered-roles';
import {
  AccessTokens,
  bearerToken,
  subjectOf,
  TOKEN_ALGORITHM,
  TOKEN_LIFETIME_SECONDS,
} from './access-tokens';
import { TOKEN_STRATEGY } from './auth-strategies';
import { UsersRepository } from './users/users.repository';

/**
 * passport's register of strategies is the process's. Under one common name the last application created in
 * it would check the tokens of all others, with its own secret and its own users.
 */
class StrategyOfOneApplication extends Strategy {
  override readonly name = `${TOKEN_STRATEGY}-${randomUUID()}`;
}

/**
 * A token is good when its signature is, it has not expired, its user still exists and may sign in, and the
 * password has not been changed since.
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
      // jsonwebtoken throws at a signed `null`, and takes a key object, which passport-jwt's types do not
      // know.
      if (signed) done(null, signed.key as unknown as Buffer);
      else done('not signed here');
    };
    super({
      jwtFromRequest: bearerToken,
      secretOrKeyProvider: keyFor,
      algorithms: [TOKEN_ALGORITHM],
      // A token of ours says when it was issued: one that names no end of its own ends all the same.
      jsonWebTokenOptions: { maxAge: `${TOKEN_LIFETIME_SECONDS}s` },
    });
  }

  /** @throws UnavailableError when the database is out of reach */
  validate(payload: unknown): Promise<CurrentUser | false> | false {
    const subject = subjectOf(payload, Math.floor(Date.now() / 1000), this.roles);
    if (!subject) return false;
    return this.users.findCurrent(subject.id).then((user) => {
      if (user?.tokenVersion !== subject.tokenVersion) return false;
      return { id: user.id, username: user.username, role: user.role };
    });
  }

  /** After the last request, which may still need it. */
  onApplicationShutdown(): void {
    passport.unuse(this.name);
  }
}
