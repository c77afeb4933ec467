import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import helmet from 'helmet';
import type { NextFunction, Request, Response } from 'express';

const PATH = 'api/docs';

/** Version of the interface, as the contract names it. */
const INTERFACE_VERSION = 'v0.1.0';

/** The OpenAPI document of the running application, extensions included. */
export function apiDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Formula Development Service')
    .setDescription(
      'The backend a cosmetics laboratory runs its formula work on. Sign in with POST /api/auth/register or ' +
        '/api/auth/login and send the token as `Authorization: Bearer <token>`.',
    )
    .setVersion(INTERFACE_VERSION)
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' })
    .build();
  return SwaggerModule.createDocument(app, config, {
    operationIdFactory: (controller, method) =>
      `${controller.replace(/Controller$/, '').toLowerCase()}_${method}`,
  });
}

/** Serves the document at /api/docs-json and as a page at /api/docs, which brings its own scripts and styles. */
export function serveApiDocs(app: INestApplication): void {
  // The page's scripts are inline; nothing else in the service answers with HTML.
  const pagePolicy = helmet({
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        upgradeInsecureRequests: null,
      },
    },
  });
  app.use(`/${PATH}`, (request: Request, response: Response, next: NextFunction) =>
    pagePolicy(request, response, next),
  );
  SwaggerModule.setup(PATH, app, () => apiDocument(app), {
    jsonDocumentUrl: `${PATH}-json`,
    raw: ['json'],
    swaggerOptions: { persistAuthorization: true, displayRequestDuration: true },
  });
}
