import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Role } from '../platform/common/current-user';
import { ROLES_OF_ROUTE } from '../platform/http/roles.decorator';
import { handlersOf, routeOf } from './handlers';

/** The routes with `@Roles`, read in the same way as by `RolesGuard`. */
@Injectable()
export class RestrictedRoutes {
  constructor(private readonly discovery: DiscoveryService) {}

  /** Returns the routes that admit a role, such as `POST /api/ext/stability/:id`, sorted. */
  admitting(role: Role): string[] {
    const routes = [...handlersOf(this.discovery)].flatMap(({ handler, controller }) => {
      const roles = (Reflect.getMetadata(ROLES_OF_ROUTE, handler) ??
        Reflect.getMetadata(ROLES_OF_ROUTE, controller)) as readonly Role[] | undefined;
      const route = roles?.includes(role) ? routeOf(handler, controller) : undefined;
      return route === undefined ? [] : [route.replace(' ', ' /api/')];
    });
    return routes.sort();
  }
}
