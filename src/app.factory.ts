import type { INestApplication } from '@nestjs/common';
import helmet from 'helmet';
import { IGNORED_FIELDS_HEADER, IGNORED_PARAMETERS_HEADER } from './common/http/ignored-names';
import { ERROR_CODE_HEADER } from './common/texts/text';
import { Environment } from './config/environment';
import { serveApiDocs } from './http/api-docs';
import { REQUEST_ID_HEADER } from './http/prepare-answer';
import { serveStartPage } from './http/start-page';

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
