import '../src/node-version.cjs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ensureBuilt, root } from './built.mjs';

ensureBuilt();
createRequire(import.meta.url)(join(root, 'dist', 'cli', 'main.js'));
