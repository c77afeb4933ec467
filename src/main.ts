import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { configureApp } from './app.factory';
import { AppModule } from './app.module';
import { explainStartError } from './start-errors';
import { Environment } from './environment/environment';

async function main(): Promise<void> {
  const app = configureApp(await NestFactory.create(AppModule, { bufferLogs: true, abortOnError: false }));
  const environment = app.get(Environment);
  await (environment.host ? app.listen(environment.port, environment.host) : app.listen(environment.port));
  const logger = new Logger('Service');
  const base = `http://localhost:${new URL(await app.getUrl()).port || environment.port}/api`;
  logger.log(`Listening on ${base}`);
  if (environment.apiDocs) logger.log(`API page: ${base}/docs`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explainStartError(error)}\n`);
  process.exit(1);
});
