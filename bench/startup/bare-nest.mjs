/*
 * The least that a Nest application can be on the packages the service loads: one module, one controller, no
 * database. PACKAGES holds their names, as JSON.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
require('reflect-metadata');
for (const name of JSON.parse(process.env.PACKAGES)) require(name);

const { Controller, Get, Module } = require('@nestjs/common');
const { NestFactory } = require('@nestjs/core');

class HealthController {
  check() {
    return { status: 'ok' };
  }
}
const check = Object.getOwnPropertyDescriptor(HealthController.prototype, 'check');
Get('health')(HealthController.prototype, 'check', check);
Controller('api')(HealthController);

class BareModule {}
Module({ controllers: [HealthController] })(BareModule);

const app = await NestFactory.create(BareModule, { logger: false });
await app.listen(Number(process.env.PORT));
