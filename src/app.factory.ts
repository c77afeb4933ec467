import type { INestApplication } from '@nestjs/common';
import helmet from 'helmet';
import { IGNORED_FIELDS_HEADER, IGNORED_PARAMETERS_HEADER } from './platform/http/request-content';
import { ERROR_CODE_HEADER } from './platform/texts/text';
import { Environment } from './platform/config/environment';
import { serveApiDocs } from './platform/server/api-docs';
import { REQUEST_ID_HEADER } from './platform/server/prepare-answer';
import { serveStartPage } from './platform/server/start-page';

/** Configures the HTTP transport beyond `AppModule`, as a public server needs it. For main, tests and scripts. */
export function configureApp<T extends INestApplication>(app: T): T {
  const environment = app.get(Environment);
  app.use(
    helmet({
      // Answers are data and must not be rendered as pages. (The API page sets its own policy.)
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
      // Browsers ignore it over plain HTTP, as in the network of a laboratory.
      strictTransportSecurity: environment.isProduction ? undefined : false,
      // These headers concern pages, which the policy above rules out, and each costs time on every answer.
      dnsPrefetchControl: false,
      ieNoOpen: false,
      originAgentCluster: false,
      permittedCrossDomainPolicies: false,
      xssFilter: false,
    }),
  );
  if (environment.corsOrigins.length > 0) {
    app.enableCors({
      origin: environment.corsOrigins.includes('*') ? '*' : environment.corsOrigins,
      exposedHeaders: [
        'Retry-After',
        'X-AI-Source',
        'X-AI-Notes',
        'X-Duplicate-Of',
        'X-Unread-Lines',
        IGNORED_FIELDS_HEADER,
        IGNORED_PARAMETERS_HEADER,
        'ETag',
        'Content-Disposition',
        'X-Percent-Total',
        REQUEST_ID_HEADER,
        ERROR_CODE_HEADER,
        'X-RateLimit-Limit',
        'X-RateLimit-Remaining',
        'X-RateLimit-Reset',
      ],
    });
  }
  if (environment.apiDocs) serveApiDocs(app);
  if (!environment.isProduction) serveStartPage(app);
  return app;
}
