import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard, AuthModuleOptions } from '@nestjs/passport';
import type { Request } from 'express';
import { UnauthorizedError } from '../common/errors/service-error';
import { PUBLIC_ROUTE } from '../common/http/public.decorator';
import { RouteMetadata } from '../common/http/route-metadata';

/** Every route needs a user, by one of the strategies of `AUTH_STRATEGIES`, unless it says `@Public()`. */
@Injectable()
export class JwtAuthGuard extends AuthGuard() {
  constructor(
    private readonly metadata: RouteMetadata,
    options: AuthModuleOptions,
  ) {
    super(options);
  }

  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const isPublic = this.metadata.getAllAndOverride<boolean>(PUBLIC_ROUTE, [
      context.getHandler(),
      context.getClass(),
    ]);
    return isPublic || this.admit(context);
  }

  /** An error here is not about who asks: the database may be out of reach. */
  override handleRequest<User>(error: Error | null, user: User | false): User {
    if (error) throw error;
    if (!user) throw new UnauthorizedError();
    return user;
  }

  private async admit(context: ExecutionContext): Promise<boolean> {
    await super.canActivate(context);
    // passport goes on when a strategy passes without a decision; here somebody must have been recognised.
    if (!context.switchToHttp().getRequest<Request>().user) throw new UnauthorizedError();
    return true;
  }
}
