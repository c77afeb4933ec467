/*
 * Writes docs/errors.md from the catalogue of texts: npm run errors
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from './built.mjs';

const require = createRequire(import.meta.url);
require('./typescript.cjs');
const { errorsDocument } = require('./errors-document.ts');

const file = join(root, 'docs', 'errors.md');
writeFileSync(file, await format(errorsDocument(), { ...(await resolveConfig(file)), filepath: file }));
console.log(`Wrote ${file}`);
