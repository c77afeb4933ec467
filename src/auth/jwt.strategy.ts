import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Strategy, type StrategyOptionsWithoutRequest, type VerifyCallback } from 'passport-jwt';
import type { CurrentUser } from '../common/access/current-user';
import { isUuid } from '../common/validation/uuid';
import { SigningSecret } from '../environment/signing-secret';
import { UsersRepository } from '../users/users.repository';
import { signingKey, TOKEN_ALGORITHM, TOKEN_LIFETIME, type TokenClaims } from './access-tokens';

/**
 * passport-jwt's own extractor takes time that grows with the square of a header without a space: a tenth of a second for 16 KB, for anybody.
 */
function bearerToken({ headers }: Request): string | null {
  return /^bearer\s+(\S+)/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

/** A token is good when its signature is, it has not expired and its user still exists. */
@Injectable()
export class JwtStrategy {
  private readonly options: StrategyOptionsWithoutRequest;

  constructor(
    secret: SigningSecret,
    private readonly users: UsersRepository,
  ) {
    this.options = {
      jwtFromRequest: bearerToken,
      // jsonwebtoken takes a key object; passport-jwt's types do not know it.
      secretOrKey: signingKey(secret) as unknown as Buffer,
      algorithms: [TOKEN_ALGORITHM],
      // A token of ours says when it was issued: one that names no end of its own ends all the same.
      jsonWebTokenOptions: { maxAge: TOKEN_LIFETIME },
    };
  }

  /**
   * The user of the request's token, nobody if it has no good one.
   * @throws UnavailableError when the database is out of reach
   */
  authenticate(request: Request): Promise<CurrentUser | undefined> {
    return new Promise((resolve, reject) => {
      new TokenCheck(this.options, this.verify, resolve, reject).authenticate(request);
    });
  }

  private readonly verify: VerifyCallback = ({ sub }: TokenClaims, done) => {
    if (!isUuid(sub)) return done(null, false);
    this.users.findCurrent(sub).then(
      (user) => done(null, user ?? false),
      (error: unknown) => done(error),
    );
  };
}

/**
 * passport-jwt's strategy for one request; it tells the outcome by calling a method of its own.
 *
 * passport's middleware would derive an object from one shared strategy for each request and hang functions on it:
 * V8 then keeps the garbage of every request until the next full collection, which costs a quarter of a short answer.
 */
class TokenCheck extends Strategy {
  constructor(
    options: StrategyOptionsWithoutRequest,
    verify: VerifyCallback,
    private readonly resolve: (user: CurrentUser | undefined) => void,
    private readonly reject: (error: unknown) => void,
  ) {
    super(options, verify);
  }

  override success(user: CurrentUser): void {
    this.resolve(user);
  }

  override fail(): void {
    this.resolve(undefined);
  }

  override error(error: unknown): void {
    this.reject(error);
  }
}
