import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type OnModuleInit,
  RequestMethod,
} from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { Request } from 'express';
import type { CurrentUser, Role } from '../common/access/current-user';
import { RegisteredRoles } from '../common/access/registered-roles';
import { ForbiddenError } from '../common/errors/service-error';
import { ExtensionError } from '../common/extension-tokens';
import { PUBLIC_ROUTE } from '../common/http/public.decorator';
import { ROLES_OF_ROUTE } from '../common/http/roles.decorator';
import { RouteMetadata } from '../common/http/route-metadata';

/** Where Nest keeps what `@Get('path')` and its like say. */
const [METHOD, PATH] = ['method', 'path'];

type Handler = (...args: unknown[]) => unknown;

/** Holds users to the roles that a route names with `@Roles`; the routes of the service name none. */
@Injectable()
export class RolesGuard implements CanActivate, OnModuleInit {
  constructor(
    private readonly metadata: RouteMetadata,
    private readonly roles: RegisteredRoles,
    private readonly discovery: DiscoveryService,
  ) {}

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

  /**
   * Nobody would ever pass, or, on a public route, nobody be asked.
   * @throws ExtensionError naming the route
   */
  onModuleInit(): void {
    const scanner = new MetadataScanner();
    for (const { metatype } of this.discovery.getControllers()) {
      if (typeof metatype !== 'function') continue;
      const prototype = metatype.prototype as Record<string, Handler>;
      for (const name of scanner.getAllMethodNames(prototype)) {
        const [handler, controller] = [prototype[name]!, metatype];
        const fault = this.faultOf(handler, controller);
        if (fault !== undefined) {
          throw new ExtensionError(`@Roles on ${nameOf(handler, controller, name)} ${fault}.`);
        }
      }
    }
  }

  private faultOf(handler: Handler, controller: object): string | undefined {
    const said = <T>(key: string) =>
      this.metadata.getAllAndOverride<T | undefined>(key, [handler, controller as Handler]);
    const roles = said<readonly Role[]>(ROLES_OF_ROUTE);
    if (roles === undefined) return undefined;
    if (roles.length === 0) return 'names no role';
    const unknown = roles.filter((role) => !this.roles.has(role));
    if (unknown.length > 0) return `names ${unknown.join(', ')}, which no module registers under EXTRA_ROLES`;
    return said<boolean>(PUBLIC_ROUTE) ? 'asks nobody: the route is public' : undefined;
  }
}

/** `StabilityController.sign (POST ext/stability/:id)`. */
function nameOf(handler: Handler, controller: { name: string }, name: string): string {
  const method = Reflect.getMetadata(METHOD, handler) as RequestMethod | undefined;
  const path = [controller, handler]
    .map((target) => [Reflect.getMetadata(PATH, target) as string | string[] | undefined].flat()[0])
    .filter((part) => part !== undefined && part !== '/')
    .join('/');
  const route = method === undefined ? 'no route' : `${RequestMethod[method]} ${path}`;
  return `${controller.name}.${name} (${route})`;
}
