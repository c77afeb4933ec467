'use strict';

/**
 * Lets a plain Node process run the sources as they are: `node -r ./test/support/typescript.cjs file.ts`.
 * For tests that need a process of their own, to kill it.
 */
const { transformFileSync } = require('@swc/core');

require.extensions['.ts'] = (module, filename) => {
  module._compile(transformFileSync(filename, { sourceMaps: 'inline' }).code, filename);
};
