import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { configureApp } from './app.factory';
import { AppModule } from './app.module';
import { explainStartError } from './start-errors';
import { readEnvironment } from './environment/environment.module';
import { ServiceLogger } from './service-logger';
import { stopOnSignals } from './stop-signals';

async function main(): Promise<void> {
  // Before the application, so that the log tells what a first start is doing while it does it.
  const environment = readEnvironment();
  const logger = ServiceLogger.for(environment);
  const app = configureApp(await NestFactory.create(AppModule, { logger, abortOnError: false }));
  stopOnSignals(app);
  await (environment.host ? app.listen(environment.port, environment.host) : app.listen(environment.port));
  const base = `http://localhost:${new URL(await app.getUrl()).port || environment.port}/api`;
  logger.log(`Listening on ${base}`, 'Service');
  if (environment.apiDocs) logger.log(`API page: ${base}/docs`, 'Service');
}

main().catch((error: unknown) => {
  process.stderr.write(`${explainStartError(error)}\n`);
  process.exit(1);
});
