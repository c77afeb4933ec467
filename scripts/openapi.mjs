/*
 * Writes docs/openapi.json from the code, or with --check says whether it still is what the code gives.
 * Boots the built application on a database in memory: no server, no settings of this machine, nothing left
 * behind.
 */
import { readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ensureBuilt, root } from './built.mjs';

const file = join(root, 'docs', 'openapi.json');

async function generate() {
  ensureBuilt();
  const require = createRequire(import.meta.url);
  require('reflect-metadata');
  const { Test } = require('@nestjs/testing');
  const { AppModule } = require('../dist/app.module.js');
  const { apiDocumentText } = require('../dist/platform/server/api-docs.js');
  const { Environment, parseEnvironment } = require('../dist/platform/config/environment.js');
  const module = await Test.createTestingModule({ imports: [AppModule] })
    .overrideProvider(Environment)
    .useValue(parseEnvironment({ NODE_ENV: 'test' }))
    .compile();
  const app = module.createNestApplication({ logger: false });
  await app.init();
  try {
    return apiDocumentText(app);
  } finally {
    await app.close();
  }
}

const text = await generate();
if (process.argv.includes('--check')) {
  let committed = '';
  try {
    committed = readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  if (committed !== text) {
    console.error('docs/openapi.json is not what the code gives: run `npm run openapi` and commit it.');
    process.exitCode = 1;
  }
} else {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(`Wrote ${file}`);
}
