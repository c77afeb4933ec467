// Asks for the lowest versions that the peer dependencies allow, in the package.json of this directory.
import { readFileSync, writeFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
for (const [name, range] of Object.entries(manifest.peerDependencies)) {
  manifest.peerDependencies[name] = /\d+[.]\d+[.]\d+/.exec(range)[0];
}
writeFileSync('package.json', JSON.stringify(manifest, null, 2));
