import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { CurrentUser } from '../common/access/current-user';
import { UnauthorizedError } from '../common/errors/service-error';
import { PUBLIC_ROUTE } from '../common/http/public.decorator';
import { RouteMetadata } from '../common/http/route-metadata';
import { JwtStrategy } from './jwt.strategy';

/** Every route needs a token unless it says `@Public()`. */
@Injectable()
export class JwtAuthGuard implements CanActivate {
  constructor(
    private readonly metadata: RouteMetadata,
    private readonly strategy: JwtStrategy,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const isPublic = this.metadata.getAllAndOverride<boolean>(PUBLIC_ROUTE, [
      context.getHandler(),
      context.getClass(),
    ]);
    return isPublic || this.admit(context.switchToHttp().getRequest());
  }

  private async admit(request: Request & { user?: CurrentUser }): Promise<boolean> {
    request.user = await this.strategy.authenticate(request);
    if (!request.user) throw new UnauthorizedError();
    return true;
  }
}
