// Asks for the `lowest` or `newest` versions of the peer dependencies, in the package.json of this directory.
import { readFileSync, writeFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
for (const [name, range] of Object.entries(manifest.peerDependencies)) {
  const asked = process.argv[2] === 'lowest' ? /\d+[.]\d+[.]\d+/.exec(range)[0] : range.split(' || ').at(-1);
  // As dependencies: npm keeps what is installed of a peer where something else wants it so.
  if (name in manifest.devDependencies) manifest.devDependencies[name] = asked;
  else manifest.dependencies[name] = asked;
}
delete manifest.peerDependencies;
writeFileSync('package.json', JSON.stringify(manifest, null, 2));
