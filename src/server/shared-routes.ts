import { RequestMethod, type Type } from '@nestjs/common';
import { MetadataScanner, type ModulesContainer } from '@nestjs/core';
import { ExtensionError } from '../common/extension-tokens';

/** A handler, and the requests that it answers. */
interface Route {
  /** `FormulasController.get in FormulasModule`. */
  readonly handler: string;
  readonly method: RequestMethod;
  readonly path: string;
  /** Its path and the shorter ones that optional parts leave, each in segments. */
  readonly shapes: readonly (readonly string[])[];
  /** Routes of different versions or hosts do not meet. */
  readonly scope: string;
}

/**
 * Express answers by the first handler that matches. One that another handler covers is never asked, and its
 * checks with it: an extension's `GET formulas/:id` would answer without our access policy, or never.
 * @throws ExtensionError where a handler answers all that a later one is for; both are named
 */
export function refuseSharedRoutes(modules: ModulesContainer): void {
  const routes = routesOf(modules);
  routes.forEach((later, index) => {
    const earlier = routes.slice(0, index).find((route) => covers(route, later));
    if (!earlier) return;
    throw new ExtensionError(
      `${RequestMethod[later.method]} ${later.path} has two handlers: ${earlier.handler} answers, and ` +
        `${later.handler} is never asked. Give one of them another path; those of extensions begin with ext/.`,
    );
  });
}

/** All routes, in the order in which Nest registers them. */
function routesOf(modules: ModulesContainer): Route[] {
  const scanner = new MetadataScanner();
  return [...modules.values()].flatMap((module) => {
    const prefix =
      about<string>('__module_path__' + modules.applicationId, module.metatype) ??
      about<string>('__module_path__', module.metatype) ??
      '';
    return [...module.controllers.values()].flatMap(({ metatype }) => {
      const controller = metatype as Type;
      const prototype = controller.prototype as Record<string, () => unknown>;
      return scanner.getAllMethodNames(prototype).flatMap((name) => {
        const handler = prototype[name]!;
        const method = about<RequestMethod>('method', handler);
        if (method === undefined) return [];
        const scope = JSON.stringify([
          about('host', controller),
          about('__version__', handler) ?? about('__version__', controller),
        ]);
        const named = `${controller.name}.${name} in ${module.metatype.name}`;
        return pathsOf(controller).flatMap((first) =>
          pathsOf(handler).map((second) => {
            const path = ['', ...segmentsOf(`api/${prefix}/${first}/${second}`)].join('/');
            return { handler: named, method, path, shapes: withoutOptional(path).map(segmentsOf), scope };
          }),
        );
      });
    });
  });
}

/** What a decorator of Nest's says about a class or handler. */
const about = <T>(key: string, target: object): T | undefined =>
  Reflect.getMetadata(key, target) as T | undefined;

const pathsOf = (target: object): string[] => [about<string | string[]>('path', target) ?? ''].flat();

const segmentsOf = (path: string): string[] => path.split('/').filter(Boolean);

/** `/a{/:b}`: `/a/:b` and `/a`. */
function withoutOptional(path: string): string[] {
  const optional = /\{([^{}]*)\}/.exec(path);
  if (!optional) return [path];
  const [group, content = ''] = optional;
  return [content, ''].flatMap((part) => withoutOptional(path.replace(group, () => part)));
}

/** Whether every request of `later` is answered by `earlier`. */
function covers(earlier: Route, later: Route): boolean {
  const isMethod = earlier.method === later.method || earlier.method === RequestMethod.ALL;
  return (
    isMethod &&
    earlier.scope === later.scope &&
    later.shapes.every((shape) => earlier.shapes.some((wider) => matchesAll(wider, shape)))
  );
}

const PARAMETER = /^:[\p{ID_Continue}$]+$/u;

/** Whether a path of segments matches all that another one does. */
function matchesAll([first, ...rest]: readonly string[], narrower: readonly string[]): boolean {
  if (first === undefined) return narrower.length === 0;
  const [segment, ...others] = narrower;
  if (segment === undefined) return false;
  // A wildcard takes at least one segment.
  if (first.startsWith('*')) {
    return narrower.some((_, index) => matchesAll(rest, narrower.slice(index + 1)));
  }
  const isSame = PARAMETER.test(first) ? !segment.startsWith('*') : formOf(first) === formOf(segment);
  return isSame && matchesAll(rest, others);
}

/** Express compares letters regardless of case, and names of parameters tell nothing apart. */
const formOf = (segment: string): string =>
  segment
    .split(/(:[\p{ID_Continue}$]+)/u)
    .map((part) => (part.startsWith(':') ? ':' : part.toLowerCase()))
    .join('');
