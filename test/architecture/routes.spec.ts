import { RequestMethod, type Type } from '@nestjs/common';
import { MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import { PUBLIC_ROUTE } from '../../src/platform/http/route-decorators';
import { apiDocument } from '../../src/platform/server/api-docs';
import { expectError, UNAUTHORIZED } from '../support/answers';
import { bootApp, type TestApp } from '../support/app';
import { operationsOf } from '../support/openapi-arbitraries';

/** The routes that need no token, all of them. Whoever opens another one says so here. */
const PUBLIC = ['GET /api/ext/live', 'GET /api/health', 'POST /api/auth/login', 'POST /api/auth/register'];

interface Route {
  name: string;
  method: string;
  path: string;
  isPublic: boolean;
}

/** `a`, `/a/` and `` as parts of one path. */
const joined = (...parts: string[]) =>
  `/${parts.flatMap((part) => part.split('/').filter(Boolean)).join('/')}`;

function routesOf(app: TestApp['app']): Route[] {
  const reflector = new Reflector();
  const scanner = new MetadataScanner();
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) =>
    [...module.controllers.values()].map(({ metatype }) => metatype as Type<unknown>),
  );
  return controllers.flatMap((controller) => {
    const prototype = controller.prototype as Record<string, () => unknown>;
    return scanner.getAllMethodNames(prototype).flatMap((name): Route[] => {
      const handler = prototype[name]!;
      const method: RequestMethod | undefined = Reflect.getMetadata('method', handler);
      if (method === undefined) return [];
      const path = joined(
        'api',
        Reflect.getMetadata('path', controller) as string,
        Reflect.getMetadata('path', handler) as string,
      );
      return [
        {
          name: `${RequestMethod[method]} ${path}`,
          method: RequestMethod[method],
          path,
          isPublic: reflector.getAllAndOverride<boolean>(PUBLIC_ROUTE, [handler, controller]) ?? false,
        },
      ];
    });
  });
}

describe('Every route', () => {
  let app: TestApp;
  let routes: Route[];

  beforeAll(async () => {
    app = await bootApp();
    routes = routesOf(app.app);
  });
  afterAll(() => app.close());

  it('needs a token, but for an exact list', () => {
    expect(routes.length).toBeGreaterThan(20);
    expect(
      routes
        .filter(({ isPublic }) => isPublic)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(PUBLIC);
  });

  it('really refuses a request without one, before it looks at anything else', async () => {
    for (const { method, path, name } of routes) {
      if (PUBLIC.includes(name)) continue;
      const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
      const answer = await app.http[verb](path.replace(':id', 'no-uuid'))
        .set('Content-Type', 'application/json')
        .send('{');
      expectError(answer, 401, UNAUTHORIZED);
    }
  });

  it('is in the OpenAPI document, which says the same about the token', () => {
    const documented = operationsOf(apiDocument(app.app)).map(({ name, operation }) => ({
      name: name.replaceAll(/\{(\w+)\}/g, ':$1'),
      isPublic: operation.security.length === 0,
    }));
    const byName = (one: { name: string }, two: { name: string }) => one.name.localeCompare(two.name);
    expect(documented.sort(byName)).toEqual(
      routes.map(({ name, isPublic }) => ({ name, isPublic })).sort(byName),
    );
  });
});
