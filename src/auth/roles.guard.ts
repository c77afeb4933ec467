import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { CurrentUser, Role } from '../common/access/current-user';
import { ForbiddenError } from '../common/errors/service-error';
import { ROLES_OF_ROUTE } from '../common/http/roles.decorator';
import { RouteMetadata } from '../common/http/route-metadata';

/** Admits the roles that a route names with `@Roles`; the routes of the service name none. */
@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly metadata: RouteMetadata) {}

  /** @throws ForbiddenError */
  canActivate(context: ExecutionContext): boolean {
    const roles = this.metadata.getAllAndOverride<readonly Role[] | undefined>(ROLES_OF_ROUTE, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (roles === undefined) return true;
    const { user } = context.switchToHttp().getRequest<Request & { user?: CurrentUser }>();
    if (!user || !roles.includes(user.role)) throw new ForbiddenError();
    return true;
  }
}
