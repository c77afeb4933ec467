import { createRequire } from 'node:module';
import { ensureBuilt } from './built.mjs';

ensureBuilt();
const require = createRequire(import.meta.url);
require('./typescript.cjs');
require('../test/faults/run.ts');
