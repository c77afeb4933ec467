'use strict';

/**
 * Lets a plain Node process run the sources as they are: `node -r ./scripts/typescript.cjs file.ts`. For
 * TypeORM's command line, and for tests that need a process of their own, to kill it.
 */
const { transformFileSync } = require('@swc/core');

const configFile = require.resolve('../.swcrc');

require.extensions['.ts'] = (module, filename) => {
  module._compile(transformFileSync(filename, { configFile, sourceMaps: 'inline' }).code, filename);
};

// A source comes before data of the same name, as it does in a build.
for (const ending of ['.json', '.node']) {
  const load = require.extensions[ending];
  delete require.extensions[ending];
  require.extensions[ending] = load;
}
