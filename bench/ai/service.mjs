/* The built service on a port that the system chooses; prints its address. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../../scripts/built.mjs';

const require = createRequire(import.meta.url);
const { NestFactory } = require('@nestjs/core');
const { AppModule } = require(join(root, 'dist', 'app.module.js'));
const { configureApp } = require(join(root, 'dist', 'app.factory.js'));
const adapterFile = join(root, 'dist', 'server', 'fast-express.adapter.js');
const { FastExpressAdapter } = require(adapterFile);

const app = configureApp(
  await NestFactory.create(AppModule, new FastExpressAdapter(), { logger: ['error'] }),
);
await app.listen(0, '127.0.0.1');
console.log(`http://127.0.0.1:${app.getHttpServer().address().port}`);
