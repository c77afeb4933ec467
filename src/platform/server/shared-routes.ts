import { RequestMethod, type Type } from '@nestjs/common';
import { MetadataScanner, type ModulesContainer } from '@nestjs/core';
import { type Request, type Response, Router } from 'express';
import { ExtensionError } from '../common/extension-tokens';

/** Nest exports the container of its modules, not their class. */
type NestModule = NonNullable<ReturnType<ModulesContainer['get']>>;

/** A handler and the requests that it answers. */
interface Route {
  /** For example `FormulasController.get in FormulasModule`. */
  readonly handler: string;
  readonly method: RequestMethod;
  readonly path: string;
  /** Routes of different versions or hosts never conflict. */
  readonly scope: string;
}

/**
 * Express calls the first handler that matches a request. A handler that an earlier one covers is never called, and
 * neither are its checks: an extension's `GET formulas/:id` could replace ours without our access policy.
 * @throws ExtensionError if an earlier handler answers all requests of a later one; the message names both
 */
export function refuseSharedRoutes(modules: ModulesContainer): void {
  const routes = routesOf(modules.values(), modules.applicationId);
  routes.forEach((later, index) => {
    const earlier = routes.slice(0, index).find((route) => covers(route, later));
    if (!earlier) return;
    throw new ExtensionError(
      `${RequestMethod[later.method]} ${later.path} has two handlers: ${earlier.handler} answers, and ` +
        `${later.handler} is never asked. Give one of them another path; those of extensions begin with ext/.`,
    );
  });
}

/**
 * A later version of the service may have any path that does not begin with `ext/`. A host application that imports
 * the service may have other routes.
 * @param token token of the list of the service's own modules
 * @throws ExtensionError for a route of an extension outside `ext/`
 */
export function refuseRoutesOutsideExt(modules: ModulesContainer, token: symbol): void {
  const service = [...modules.values()].find(({ providers }) => providers.has(token));
  const own = service?.getProviderByKey<readonly unknown[]>(token).instance ?? [];
  const extensions = new Set<NestModule>();
  const add = (imports: Iterable<NestModule>) => {
    for (const module of imports)
      if (!own.includes(module.metatype) && !extensions.has(module))
        add(extensions.add(module) && module.imports);
  };
  add(service?.imports ?? []);
  for (const { method, path, handler } of routesOf(extensions, modules.applicationId)) {
    if (/^\/api\/ext(\/|$)/i.test(path)) continue;
    throw new ExtensionError(
      `${RequestMethod[method]} ${path} (${handler}) must begin with /api/ext/: write @Controller('ext/…').`,
    );
  }
}

/** Returns the routes of modules in the order in which Nest registers them. */
function routesOf(modules: Iterable<NestModule>, applicationId: string): Route[] {
  return [...modules].flatMap((module) => {
    const prefix =
      metadata<string>('__module_path__' + applicationId, module.metatype) ??
      metadata<string>('__module_path__', module.metatype) ??
      '';
    return [...module.controllers.values()].flatMap(({ metatype }) =>
      routesOfController(metatype as Type, prefix, module.metatype.name),
    );
  });
}

function routesOfController(controller: Type, prefix: string, moduleName: string): Route[] {
  const prototype = controller.prototype as Record<string, () => unknown>;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const handler = prototype[name]!;
    const method = metadata<RequestMethod>('method', handler);
    if (method === undefined) return [];
    const version = metadata('__version__', handler) ?? metadata('__version__', controller);
    const scope = JSON.stringify([metadata('host', controller), version]);
    const paths = pathsOf(controller).flatMap((first) =>
      pathsOf(handler).map((second) => `/api/${prefix}/${first}/${second}`),
    );
    return paths.map((path) => ({
      handler: `${controller.name}.${name} in ${moduleName}`,
      method,
      path: path.replace(/\/+/g, '/').replace(/\/$/, ''),
      scope,
    }));
  });
}

/** Returns the value that a Nest decorator has set on a class or handler. */
const metadata = <T>(key: string, target: object): T | undefined =>
  Reflect.getMetadata(key, target) as T | undefined;

const pathsOf = (target: object): string[] => [metadata<string | string[]>('path', target) ?? ''].flat();

/** Returns true if `earlier` answers every request of `later`. */
function covers(earlier: Route, later: Route): boolean {
  const isMethod = earlier.method === later.method || earlier.method === RequestMethod.ALL;
  if (!isMethod || earlier.scope !== later.scope) return false;
  return samplesOf(later.path).every((url) => {
    let isAnswered = false;
    const router = Router().all(earlier.path, () => (isAnswered = true));
    router({ method: 'GET', url } as Request, {} as Response, () => undefined);
    return isAnswered;
  });
}

/** Returns sample paths of a pattern: with and without optional parts, with short and long wildcards. */
function samplesOf(pattern: string): string[] {
  const optional = /\{([^{}]*)\}/.exec(pattern);
  if (optional) {
    const [group, content = ''] = optional;
    return [content, ''].flatMap((part) => samplesOf(pattern.replace(group, () => part)));
  }
  if (!pattern.includes('*')) return [pattern];
  return ['sample', 'sample/sample/sample'].map((part) => pattern.replace(/\*[^/]+/g, part));
}
