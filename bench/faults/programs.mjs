/* What is started and broken here is described once, for tests too. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
require('../../scripts/typescript.cjs');

export const { freePort } = require('../../test/support/programs.ts');
export const { PostgresServer } = require('../../test/support/postgres-server.ts');
export const { startPgBouncer } = require('../../test/support/pgbouncer.ts');
export const { startTcpProxy } = require('../../test/support/tcp-proxy.ts');
