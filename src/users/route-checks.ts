import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Role } from '../platform/common/current-user';
import { ExtensionError } from '../platform/common/extension-tokens';
import { PUBLIC_ROUTE } from '../platform/http/public.decorator';
import { ROLES_OF_ROUTE } from '../platform/http/roles.decorator';
import { RegisteredRoles } from '../platform/common/registered-roles';
import { handlersOf, routeOf, type Target } from './handlers';

/** Refuses to start if decorators of a route name an unknown role or throttler, or contradict each other. */
@Injectable()
export class RouteChecks implements OnModuleInit {
  constructor(
    private readonly roles: RegisteredRoles,
    private readonly discovery: DiscoveryService,
  ) {}

  /** @throws ExtensionError naming the route */
  onModuleInit(): void {
    for (const { handler, controller, name } of handlersOf(this.discovery)) {
      const fault = this.faultOf(handler, controller);
      if (fault) throw new ExtensionError(`${fault.replace('…', routeName(handler, controller, name))}.`);
    }
  }

  private faultOf(handler: Target, controller: Target): string | undefined {
    const unknownRate = [handler, controller].map(unknownThrottler).find((name) => name !== undefined);
    if (unknownRate !== undefined) return `@Throttle on … names '${unknownRate}': there is only 'default'`;
    const metadata = <T>(key: string) =>
      (Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller)) as T | undefined;
    const roles = metadata<readonly Role[]>(ROLES_OF_ROUTE);
    if (roles === undefined) return undefined;
    if (roles.length === 0) return '@Roles on … names no role';
    const unknown = roles.filter((role) => !this.roles.has(role));
    if (unknown.length > 0)
      return `@Roles on … names ${unknown.join(', ')}, which no module registers under EXTRA_ROLES`;
    return metadata<boolean>(PUBLIC_ROUTE) ? '@Roles on … asks nobody: the route is public' : undefined;
  }
}

/** Returns the name of a throttler in `@Throttle` that does not exist. Such a decorator would limit nothing. */
function unknownThrottler(target: Target): string | undefined {
  const keys = Reflect.getMetadataKeys(target) as readonly unknown[];
  const names = keys.map((key) => /^THROTTLER:LIMIT(.*)$/.exec(String(key))?.[1]);
  return names.find((name) => name !== undefined && name !== 'default');
}

/** For example `StabilityController.sign (POST ext/stability/:id)`. */
const routeName = (handler: Target, controller: Target, name: string): string =>
  `${controller.name}.${name} (${routeOf(handler, controller) ?? 'no route'})`;
