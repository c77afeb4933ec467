import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import { completeDocument } from '../common/openapi/complete-document';
import { ErrorDto } from '../common/openapi/responses';

const PATH = 'api/docs';

/** Version of the interface, as the contract names it. */
const INTERFACE_VERSION = 'v0.1.0';

/** The OpenAPI document of the running application, extensions included. */
export function apiDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Formula Development Service')
    .setDescription(
      'The backend a cosmetics laboratory runs its formula work on. Sign in with POST /api/auth/register or ' +
        '/api/auth/login and send the token as `Authorization: Bearer <token>`. Every answer, errors included, carries ' +
        '`X-Request-Id`: the one of the request where it is 1 to 64 letters, digits, `-`, `_` and `.`, else a new one.',
    )
    .setVersion(INTERFACE_VERSION)
    .setOpenAPIVersion('3.0.3')
    .addServer('/')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' })
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    operationIdFactory: (controller, method) =>
      `${controller.charAt(0).toLowerCase()}${controller.slice(1).replace(/Controller$/, '')}_${method}`,
    extraModels: [ErrorDto],
  });
  return completeDocument(document);
}

/** The document as it is committed in docs/openapi.json. */
export const apiDocumentText = (app: INestApplication): string =>
  `${JSON.stringify(apiDocument(app), null, 2)}\n`;

/**
 * Serves the document at /api/docs-json and as a page at /api/docs, which brings its own scripts and styles.
 */
export function serveApiDocs(app: INestApplication): void {
  // The one HTML of the service: its own scripts, and styles that it sets as it runs; it may talk to the
  // service only.
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
  app.use(`/${PATH}`, (request: Request, response: Response, next: NextFunction) => {
    // The page is the same for everybody, and browsers may keep it.
    response.removeHeader('Cache-Control');
    pagePolicy(request, response, next);
  });
  SwaggerModule.setup(PATH, app, () => apiDocument(app), {
    jsonDocumentUrl: `${PATH}-json`,
    raw: ['json'],
    customSiteTitle: 'Formula Development Service',
    swaggerOptions: { persistAuthorization: true, displayRequestDuration: true },
  });
}
