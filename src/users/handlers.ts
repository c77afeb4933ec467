import { RequestMethod } from '@nestjs/common';
import { type DiscoveryService, MetadataScanner } from '@nestjs/core';

/** Metadata keys of Nest's route decorators, such as `@Get('path')`. */
const [METHOD_METADATA, PATH_METADATA] = ['method', 'path'];

/** A controller, or one of its methods. */
export type Target = object & { readonly name: string };

/** Yields all methods of all controllers. */
export function* handlersOf(
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
export function routeOf(handler: Target, controller: Target): string | undefined {
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
  if (method === undefined) return undefined;
  const path = [controller, handler]
    .map((target) => [Reflect.getMetadata(PATH_METADATA, target) as string | string[] | undefined].flat()[0])
    .filter((part) => part !== undefined && part !== '/')
    .join('/');
  return `${RequestMethod[method]} ${path}`;
}
