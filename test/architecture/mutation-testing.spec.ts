import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

describe('stryker.config.mjs', () => {
  it('names files that exist, and the specs beside them', () => {
    const script = `
      const { default: config } = await import('./stryker.config.mjs');
      console.log(JSON.stringify([...config.mutate, ...config.jest.config.testMatch]));`;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT });
    const named = JSON.parse(output.toString()) as string[];
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((name) => !existsSync(name.replace('<rootDir>', ROOT)))).toEqual([]);
  });
});
