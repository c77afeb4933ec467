import { join } from 'node:path';

/** Loaded first (`node -r`), it lets a plain Node process run TypeScript. */
export const TYPESCRIPT = join(__dirname, '..', '..', 'scripts', 'typescript.cjs');
