import { readFileSync } from 'node:fs';
import { join } from 'node:path';

describe('nest-cli.json', () => {
  it('watches no assets: for those a build waits half a second, and a slow machine needs longer', () => {
    const { compilerOptions } = JSON.parse(readFileSync(join(__dirname, '../../nest-cli.json'), 'utf8')) as {
      compilerOptions: { assets: unknown[]; watchAssets?: boolean };
    };
    expect(compilerOptions.watchAssets).toBeUndefined();
    expect(compilerOptions.assets).toEqual(['**/*.mjs', '**/*.json', '**/*.eta']);
  });
});
