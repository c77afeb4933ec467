import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard, AuthModuleOptions } from '@nestjs/passport';
import type { Request } from 'express';
import type { CurrentUser } from '../common/access/current-user';
import { UnauthorizedError } from '../common/errors/service-error';
import { isPublic } from '../common/http/public.decorator';
import { RouteMetadata } from '../common/http/route-metadata';
import { setCurrentUser } from '../common/request-context';

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
    return isPublic(this.metadata, context) || this.admit(context);
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
    const { user } = context.switchToHttp().getRequest<Request & { user?: CurrentUser }>();
    if (!user) throw new UnauthorizedError();
    setCurrentUser(user);
    return true;
  }
}
