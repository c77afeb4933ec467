import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import passport from 'passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import type { CurrentUser } from '../common/access/current-user';
import { isUuid } from '../common/validation/uuid';
import { SigningSecret } from '../environment/signing-secret';
import { UsersRepository } from '../users/users.repository';
import { signingKey, TOKEN_ALGORITHM, type TokenClaims } from './access-tokens';

/** A token is good when its signature is, it has not expired and its user still exists. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) implements OnApplicationShutdown {
  override name: string;

  constructor(
    secret: SigningSecret,
    private readonly users: UsersRepository,
  ) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      // jsonwebtoken takes a key object; passport-jwt's types do not know it.
      secretOrKey: signingKey(secret) as unknown as Buffer,
      algorithms: [TOKEN_ALGORITHM],
    });
    // Passport's register of strategies is global to the process. Under the common name `jwt` the last application
    // booted in it would check the tokens of all others, with its own secret and its own users.
    this.name = `jwt-${randomUUID()}`;
    passport.use(this);
  }

  /** After the last request, which may still need it. */
  onApplicationShutdown(): void {
    passport.unuse(this.name);
  }

  async validate(claims: TokenClaims): Promise<CurrentUser | false> {
    if (!isUuid(claims.sub)) return false;
    return (await this.users.findCurrent(claims.sub)) ?? false;
  }
}
