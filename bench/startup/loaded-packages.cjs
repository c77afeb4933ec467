/*
 * Loaded before the service: when it ends, writes which packages its own files required, to the file
 * PACKAGES_FILE names.
 */
const { writeFileSync } = require('node:fs');
const Module = require('node:module');
const { sep } = require('node:path');

const packages = new Set();
const load = Module._load;
Module._load = function (request, parent, ...rest) {
  const isOurs =
    parent?.filename?.includes(`${sep}dist${sep}`) && !parent.filename.includes(`${sep}node_modules${sep}`);
  if (isOurs && !request.startsWith('.') && !request.startsWith('/') && !Module.isBuiltin(request))
    packages.add(request);
  return load.call(this, request, parent, ...rest);
};
process.once('exit', () => writeFileSync(process.env.PACKAGES_FILE, JSON.stringify([...packages])));
