/*
 * TypeORM's command line on ormconfig.ts: npm run typeorm -- migration:show
 * TypeScript is compiled as it is loaded, by the compiler that the tests use.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './built.mjs';

const require = createRequire(import.meta.url);
require('./typescript.cjs');

const [command, ...rest] = process.argv.slice(2);
process.argv.splice(2, Infinity, ...(command ? [command, '-d', join(root, 'ormconfig.ts'), ...rest] : []));
require('typeorm/cli.js');
