import 'reflect-metadata';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { configureApp } from './app.factory';
import { AppModule } from './app.module';
import { readEnvironment } from './environment/environment.module';
import { PrototypeKeepingExpressAdapter } from './server/prototype-keeping-express.adapter';
import { ServiceLogger } from './server/service-logger';
import { stopOnSignals } from './server/stop-signals';

/**
 * Starts the service of this process by the settings in its environment: listens, says where, and stops
 * cleanly on Ctrl-C or a supervisor's signal.
 * @param module the service, or `AppModule.register(...)` with additions
 * @throws what `explainStartError` has words for
 */
export async function startService(
  module: Parameters<typeof NestFactory.create>[0] = AppModule,
): Promise<INestApplication> {
  // Before the application, so that the log tells what a first start is doing while it does it.
  const environment = readEnvironment();
  const logger = ServiceLogger.for(environment);
  const application = await NestFactory.create(module, new PrototypeKeepingExpressAdapter(), {
    logger,
    abortOnError: false,
  });
  const app = configureApp(application);
  stopOnSignals(app);
  await (environment.host ? app.listen(environment.port, environment.host) : app.listen(environment.port));
  const base = `http://localhost:${new URL(await app.getUrl()).port || environment.port}/api`;
  logger.log(`Listening on ${base}`, 'Service');
  if (environment.apiDocs) logger.log(`API page: ${base}/docs`, 'Service');
  return app;
}
