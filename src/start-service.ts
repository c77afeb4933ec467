import 'reflect-metadata';
import type { INestApplication, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { configureApp } from './app.factory';
import { AppModule } from './app.module';
import { listedValuesOf, type ModuleReference } from './common/module-providers';
import { refuseSecondCopies } from './common/shared-packages';
import { EXTRA_SETTINGS, type SettingsSchema } from './environment/extra-settings';
import { readEnvironment } from './environment/environment.module';
import { PrototypeKeepingExpressAdapter } from './server/prototype-keeping-express.adapter';
import { ServiceLogger } from './server/service-logger';
import { stopOnSignals } from './server/stop-signals';

export interface StartOptions {
  /** In place of the service's own. */
  readonly logger?: LoggerService;
  /** Called with the application before its modules are initialised and it listens; awaited. */
  readonly beforeListen?: (app: INestApplication) => unknown;
}

/**
 * Starts the service of this process by the settings in its environment: listens, says where, and stops
 * cleanly on Ctrl-C or a supervisor's signal.
 * @param module the service, or `AppModule.register(...)` with additions
 * @throws what `explainStartError` has words for; what `beforeListen` throws, the application then closed
 */
export async function startService(
  module: ModuleReference = AppModule,
  { logger: given, beforeListen }: StartOptions = {},
): Promise<INestApplication> {
  refuseSecondCopies();
  // Before the application, so that the log tells what a first start is doing while it does it.
  const root = await module;
  const environment = readEnvironment(await listedValuesOf<SettingsSchema>(root, EXTRA_SETTINGS));
  const logger = given ?? ServiceLogger.for(environment);
  const application = await NestFactory.create(root, new PrototypeKeepingExpressAdapter(), {
    logger,
    abortOnError: false,
  });
  const app = configureApp(application);
  stopOnSignals(app);
  try {
    await beforeListen?.(app);
  } catch (error) {
    await app.close();
    throw error;
  }
  await (environment.host ? app.listen(environment.port, environment.host) : app.listen(environment.port));
  const base = `http://localhost:${new URL(await app.getUrl()).port || environment.port}/api`;
  logger.log(`Listening on ${base}`, 'Service');
  if (environment.apiDocs) logger.log(`API page: ${base}/docs`, 'Service');
  return app;
}
