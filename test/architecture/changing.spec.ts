import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** Every path in the text that starts at the root and names nothing that is yet to be made. */
function namedPaths(text: string): string[] {
  const made = /NAME|<|\$|supplier/;
  const paths = [...text.matchAll(/`((?:src|test|docs|scripts)\/[^`]+|\.[\w-]+\.cjs|README[\w.-]*\.md)`/g)];
  return [...new Set(paths.map(([, path]) => path!))].filter((path) => !made.test(path));
}

describe('The guide to changes', () => {
  const paths = namedPaths(readFileSync(join(ROOT, 'docs', 'changing.md'), 'utf8'));

  it('names files', () => {
    expect(paths.length).toBeGreaterThan(25);
  });

  it.each(paths)('names a file that exists: %s', (path) => {
    expect(existsSync(join(ROOT, path))).toBe(true);
  });
});
