import type { ModuleMetadata } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { configureApp } from '../app.factory';
import { Environment } from '../platform/config/environment';
import { startOrClose } from '../platform/database/start-or-close';
import { FastExpressAdapter } from '../platform/server/fast-express.adapter';

/**
 * Starts a module that contains the service as in production, on a free port of this machine. If it cannot start,
 * it is closed.
 * @param adjust further changes to the testing module
 */
export async function listeningApp(
  module: ModuleMetadata,
  environment: Environment,
  adjust: (builder: TestingModuleBuilder) => TestingModuleBuilder,
): Promise<NestExpressApplication> {
  const builder = Test.createTestingModule(module).overrideProvider(Environment).useValue(environment);
  return startOrClose(
    async () => {
      const compiled = await adjust(builder).compile();
      return compiled.createNestApplication<NestExpressApplication>(new FastExpressAdapter());
    },
    (app) => configureApp(app).listen(0, '127.0.0.1'),
  );
}
