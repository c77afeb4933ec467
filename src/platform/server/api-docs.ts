import type { HttpServer, INestApplication, Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import {
  DocumentBuilder,
  type OpenAPIObject,
  type SwaggerDocumentOptions,
  SwaggerModule,
} from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import { AuthStrategies } from '../authentication/auth-strategies';
import type { Role } from '../common/current-user';
import { completeDocument } from '../openapi/complete-document';
import { mergeModule } from '../openapi/merge-documents';
import { ErrorDto } from '../openapi/responses';
import { RegisteredRoles } from '../common/registered-roles';
import { RequestClasses } from '../validation/request-instance';
import { ConcurrencyGuard } from '../request-limits/concurrency.guard';
import { ClientThrottlerGuard } from '../request-limits/client-throttler.guard';

const PATH = 'api/docs';

/** Version of the interface in the contract. */
const INTERFACE_VERSION = 'v0.1.0';

/** Injection token of the list of the service's own modules. All other modules come from extensions. */
export const OWN_MODULES = Symbol('OWN_MODULES');

/**
 * Builds the OpenAPI document of an initialised application. Each module of an extension is documented separately
 * and then merged, because its classes may have the same names as ours.
 */
export function apiDocument(app: INestApplication): OpenAPIObject {
  const { securitySchemes } = app.get(AuthStrategies, { strict: false });
  const builder = new DocumentBuilder()
    .setTitle('Formula Development Service')
    .setDescription(
      'The backend a cosmetics laboratory runs its formula work on. Sign in with POST /api/auth/register or ' +
        '/api/auth/login and send the token as `Authorization: Bearer <token>`. Every answer, errors included, carries ' +
        '`X-Request-Id`: the one of the request where it is 1 to 64 letters, digits, `-`, `_` and `.`, else a new one. ' +
        'Messages are Chinese; requests with `X-Language: en` get them in English.',
    )
    .setVersion(INTERFACE_VERSION)
    .setOpenAPIVersion('3.0.3')
    .addServer('/')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' });
  for (const [name, scheme] of securitySchemes) builder.addSecurity(name, scheme);
  const config = builder.build();
  const ours = app.get<readonly unknown[]>(OWN_MODULES, { strict: false });
  const { replaced } = app.get(RequestClasses, { strict: false });
  const options: SwaggerDocumentOptions = {
    operationIdFactory: (controller, method) => `${withoutSuffix(controller, 'Controller')}_${method}`,
    autoTagControllers: false,
  };
  const withControllers = [...app.get(ModulesContainer).values()].filter(
    ({ controllers }) => controllers.size > 0,
  );
  const modules = [...new Set(withControllers.map(({ metatype }) => metatype))];
  const documented = (include: Type[], furtherModels: Type[] = []) =>
    SwaggerModule.createDocument(app, config, {
      ...options,
      include,
      extraModels: [ErrorDto, ...furtherModels],
    });
  const document = documented(
    modules.filter((module) => ours.includes(module)),
    [...replaced.values()],
  );
  for (const [{ name }, further] of replaced) replaceSchema(document, name, further.name);
  showRoles(document, app.get(RegisteredRoles, { strict: false }).names);
  for (const module of modules.filter((other) => !ours.includes(other))) {
    mergeModule(document, documented([module]), withoutSuffix(module.name, 'Module'));
  }
  return completeDocument(document, ['bearer', ...securitySchemes.keys()]);
}

/** `withoutSuffix('StabilityModule', 'Module')` returns `stability`. */
const withoutSuffix = (name: string, suffix: string): string =>
  `${name.charAt(0).toLowerCase()}${name.slice(1)}`.replace(new RegExp(`(?<=.)${suffix}$`), '');

/** Adds the roles that extensions register to the roles of accounts in the document. */
function showRoles({ components }: OpenAPIObject, names: readonly Role[]): void {
  for (const name of ['AccountDto', 'SessionDto']) {
    const schema = components?.schemas?.[name] as { properties?: { role?: { enum?: Role[] } } } | undefined;
    if (schema?.properties?.role) schema.properties.role.enum = [...names];
  }
}

/** Replaces the schema of a class with that of the class that has this application's additional fields. */
function replaceSchema({ components }: OpenAPIObject, name: string, further: string): void {
  const schemas = components?.schemas ?? {};
  if (name in schemas) schemas[name] = schemas[further]!;
  delete schemas[further];
}

/** Returns the document as it is committed in docs/openapi.json. */
export const apiDocumentText = (app: INestApplication): string =>
  `${JSON.stringify(apiDocument(app), null, 2)}\n`;

/**
 * Serves the document at /api/docs-json and as a page with its own scripts and styles at /api/docs. Neither is a
 * Nest route, so the middleware here does what guards do for other requests.
 */
export function serveApiDocs(app: INestApplication): void {
  // The API page runs its own scripts, sets styles at run time, and may connect to this service only.
  const pagePolicy = helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  });
  const [throttler, concurrency] = [app.get(ClientThrottlerGuard), app.get(ConcurrencyGuard)];
  app.use([`/${PATH}`, `/${PATH}-json`], async (request: Request, response: Response, next: NextFunction) => {
    await throttler.countUnrouted(request, response);
    await concurrency.admit(response);
    next();
  });
  app.use(`/${PATH}`, (request: Request, response: Response, next: NextFunction) => {
    // The page is the same for everybody, so browsers may cache it.
    response.removeHeader('Cache-Control');
    pagePolicy(request, response, next);
  });
  let document: OpenAPIObject | undefined;
  let json: string | undefined;
  const getDocument = () => (document ??= apiDocument(app));
  (app.getHttpAdapter() as HttpServer<Request, Response>).get(`/${PATH}-json`, (_, response) => {
    response.type('json').send((json ??= JSON.stringify(getDocument())));
  });
  SwaggerModule.setup(PATH, app, getDocument, {
    raw: false,
    customSiteTitle: 'Formula Development Service',
    swaggerOptions: { persistAuthorization: true, displayRequestDuration: true },
  });
}
