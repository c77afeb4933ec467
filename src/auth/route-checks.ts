import { Injectable, type OnModuleInit, RequestMethod } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { Role } from '../common/current-user';
import { ExtensionError } from '../common/extension-tokens';
import { PUBLIC_ROUTE } from '../common/http/public.decorator';
import { ROLES_OF_ROUTE } from '../common/http/roles.decorator';
import { RegisteredRoles } from '../common/registered-roles';

/** Where Nest keeps what `@Get('path')` and its like say. */
const [METHOD_METADATA, PATH_METADATA] = ['method', 'path'];

type Target = object & { readonly name: string };

/** Refuses at start what a route's decorators say and nobody could keep. */
@Injectable()
export class RouteChecks implements OnModuleInit {
  constructor(
    private readonly roles: RegisteredRoles,
    private readonly discovery: DiscoveryService,
  ) {}

  /** @throws ExtensionError that names the route */
  onModuleInit(): void {
    const scanner = new MetadataScanner();
    for (const { metatype } of this.discovery.getControllers()) {
      if (typeof metatype !== 'function') continue;
      const prototype = metatype.prototype as Record<string, Target>;
      for (const name of scanner.getAllMethodNames(prototype)) {
        const fault = this.faultOf(prototype[name]!, metatype);
        if (fault)
          throw new ExtensionError(`${fault.replace('…', routeName(prototype[name]!, metatype, name))}.`);
      }
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

/** The throttler that `@Throttle` names and that does not exist, so that nothing would be limited. */
function unknownThrottler(target: Target): string | undefined {
  const keys = Reflect.getMetadataKeys(target) as readonly unknown[];
  const names = keys.map((key) => /^THROTTLER:LIMIT(.*)$/.exec(String(key))?.[1]);
  return names.find((name) => name !== undefined && name !== 'default');
}

/** `StabilityController.sign (POST ext/stability/:id)`. */
function routeName(handler: Target, controller: Target, name: string): string {
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
  const path = [controller, handler]
    .map((target) => [Reflect.getMetadata(PATH_METADATA, target) as string | string[] | undefined].flat()[0])
    .filter((part) => part !== undefined && part !== '/')
    .join('/');
  const route = method === undefined ? 'no route' : `${RequestMethod[method]} ${path}`;
  return `${controller.name}.${name} (${route})`;
}
