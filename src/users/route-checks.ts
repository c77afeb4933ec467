import { Injectable, type OnModuleInit, RequestMethod, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { Role } from '../platform/common/current-user';
import { ExtensionError } from '../platform/common/extension-tokens';
import { PUBLIC_ROUTE, ROLES_OF_ROUTE } from '../platform/http/route-decorators';
import { RegisteredRoles } from '../platform/common/registered-roles';
import { classWithoutFields } from '../platform/validation/request-instance';

/** Metadata keys of Nest's route decorators, such as `@Get('path')`. */
const [METHOD_METADATA, PATH_METADATA] = ['method', 'path'];

/** A controller, or one of its methods. */
export type Target = object & { readonly name: string };

/** Yields all methods of all controllers. */
function* handlersOf(
  discovery: DiscoveryService,
): Generator<{ handler: Target; controller: Target; name: string }> {
  const scanner = new MetadataScanner();
  for (const { metatype } of discovery.getControllers()) {
    if (typeof metatype !== 'function') continue;
    const prototype = metatype.prototype as Record<string, Target>;
    for (const name of scanner.getAllMethodNames(prototype)) {
      yield { handler: prototype[name]!, controller: metatype, name };
    }
  }
}

/** Returns a route such as `POST ext/stability/:id`; undefined for a method that handles no requests. */
function routeOf(handler: Target, controller: Target): string | undefined {
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
  if (method === undefined) return undefined;
  const path = [controller, handler]
    .map((target) => [Reflect.getMetadata(PATH_METADATA, target) as string | string[] | undefined].flat()[0])
    .filter((part) => part !== undefined && part !== '/')
    .join('/');
  return `${RequestMethod[method]} ${path}`;
}

/** Metadata key of the parameters of a handler, by `<type>:<index>`; 3 is `@Body()`, 4 `@Query()`. */
const PARAMETERS = '__routeArguments__';
const INPUTS: Readonly<Record<string, string>> = { 3: '@Body()', 4: '@Query()' };

/** Types that Nest passes on unchanged. */
const UNCHECKED: readonly unknown[] = [String, Boolean, Number, Array, Object, Buffer, Date];

/** Returns the fault of a request class without fields: every field of a request would be dropped. */
function inputFault(controller: Target, name: string): string | undefined {
  const parameters = Reflect.getMetadata(PARAMETERS, controller, name) as
    Readonly<Record<string, { index: number; data?: unknown }>> | undefined;
  const types = Reflect.getMetadata('design:paramtypes', (controller as Type).prototype as object, name) as
    Type<object>[] | undefined;
  if (!parameters) return undefined;
  for (const [key, { index, data }] of Object.entries(parameters)) {
    const input = INPUTS[key.split(':')[0]!];
    const type = types?.[index];
    if (input === undefined || data !== undefined || !type || UNCHECKED.includes(type)) continue;
    const empty = classWithoutFields(type);
    if (empty)
      return `${input} of … has the class ${empty.name} without a field decorator: its fields would be dropped`;
  }
  return undefined;
}

/**
 * Refuses to start if decorators of a route name an unknown role or throttler or contradict each other, or if the class
 * of its body or query declares no fields.
 */
@Injectable()
export class RouteChecks implements OnModuleInit {
  constructor(
    private readonly roles: RegisteredRoles,
    private readonly discovery: DiscoveryService,
  ) {}

  /** @throws ExtensionError naming the route */
  onModuleInit(): void {
    for (const { handler, controller, name } of handlersOf(this.discovery)) {
      const fault = this.faultOf(handler, controller) ?? inputFault(controller, name);
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
