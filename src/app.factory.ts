import type { INestApplication } from '@nestjs/common';
import helmet from 'helmet';
import { Logger as PinoLogger } from 'nestjs-pino';
import { serveApiDocs } from './api-docs';
import { Environment } from './environment/environment';

/** Transport only: what a server in front of people needs beyond `AppModule`. main, tests and scripts share it. */
export function configureApp<T extends INestApplication>(app: T): T {
  const environment = app.get(Environment);
  app.useLogger(app.get(PinoLogger));
  app.use(
    helmet({
      // The service may be reached by plain HTTP in a laboratory's network.
      contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
      strictTransportSecurity: environment.isProduction ? undefined : false,
    }),
  );
  if (environment.corsOrigins.length > 0) {
    app.enableCors({
      origin: environment.corsOrigins.includes('*') ? '*' : environment.corsOrigins,
      exposedHeaders: [
        'Retry-After',
        'X-AI-Source',
        'X-RateLimit-Limit',
        'X-RateLimit-Remaining',
        'X-RateLimit-Reset',
      ],
    });
  }
  if (environment.apiDocs) serveApiDocs(app);
  app.enableShutdownHooks();
  return app;
}
