import 'reflect-metadata';
import type { INestApplication, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { configureApp } from './app.factory';
import { AppModule } from './app.module';
import type { ModuleReference } from './platform/common/module-providers';
import { startOrClose } from './platform/database/start-or-close';
import { settingsSchemasOf } from './platform/config/extra-settings';
import { readEnvironment } from './platform/config/environment.module';
import { FastExpressAdapter } from './platform/server/fast-express.adapter';
import { ServiceLogger } from './platform/server/service-logger';
import { stopOnSignals } from './platform/server/shutdown';

export interface StartOptions {
  /** Replaces the service's own logger. */
  readonly logger?: LoggerService;
  /** Called with the application before its modules are initialised and it listens; awaited. */
  readonly beforeListen?: (app: INestApplication) => unknown;
}

/**
 * Starts the service of this process with the settings in its environment. It listens, logs its address, and stops
 * cleanly on Ctrl-C or a supervisor's signal.
 * @param module the service, or `AppModule.register(...)` with additions
 * @throws errors that `explainStartError` explains, and errors of `beforeListen`; the application is closed before
 */
export async function startService(
  module: ModuleReference = AppModule,
  { logger: given, beforeListen }: StartOptions = {},
): Promise<INestApplication> {
  // Created before the application, so that the steps of a first start are logged while they run.
  const root = await module;
  const environment = readEnvironment(await settingsSchemasOf(root));
  const logger = given ?? ServiceLogger.for(environment);
  const options = { logger, abortOnError: false };
  const app = await startOrClose(
    () => NestFactory.create(root, new FastExpressAdapter(), options),
    async (made) => {
      const leaveSignals = stopOnSignals(configureApp(made));
      try {
        await beforeListen?.(made);
        await (environment.host
          ? made.listen(environment.port, environment.host)
          : made.listen(environment.port));
      } catch (error) {
        leaveSignals();
        throw error;
      }
    },
  );
  const base = `http://localhost:${new URL(await app.getUrl()).port || environment.port}/api`;
  logger.log(`Listening on ${base}`, 'Service');
  if (environment.apiDocs) logger.log(`API page: ${base}/docs`, 'Service');
  return app;
}
