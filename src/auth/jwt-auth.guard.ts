import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { UnauthorizedError } from '../common/errors/service-error';
import { PUBLIC_ROUTE } from '../common/http/public.decorator';
import { JwtStrategy } from './jwt.strategy';

/** Every route needs a token unless it says `@Public()`. */
@Injectable()
export class JwtAuthGuard extends AuthGuard() {
  constructor(
    private readonly reflector: Reflector,
    strategy: JwtStrategy,
  ) {
    super({ defaultStrategy: strategy.name });
  }

  override canActivate(context: ExecutionContext) {
    const isPublic = this.reflector.getAllAndOverride<boolean>(PUBLIC_ROUTE, [
      context.getHandler(),
      context.getClass(),
    ]);
    return isPublic ? true : super.canActivate(context);
  }

  override handleRequest<User>(error: Error | null, user: User | false): User {
    // An error here is not about the token: the database may be out of reach.
    if (error) throw error;
    if (!user) throw new UnauthorizedError();
    return user;
  }
}
