import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { CurrentUser, Role } from '../platform/common/current-user';
import { ForbiddenError } from '../platform/common/errors/service-error';
import { ROLES_OF_ROUTE } from '../platform/http/roles.decorator';

/** Admits the roles in a route's `@Roles`. The service's own routes have none. */
@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  /** @throws ForbiddenError */
  canActivate(context: ExecutionContext): boolean {
    const roles = this.reflector.getAllAndOverride<readonly Role[] | undefined>(ROLES_OF_ROUTE, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (roles === undefined) return true;
    const { user } = context.switchToHttp().getRequest<Request & { user?: CurrentUser }>();
    if (!user || !roles.includes(user.role)) throw new ForbiddenError();
    return true;
  }
}
