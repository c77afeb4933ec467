import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const GUIDE = 'docs/changing.md';
const DOCUMENTS = [
  'README.md',
  'README.zh-CN.md',
  'CONTRIBUTING.md',
  ...['docs', 'docs/decisions'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((file) => file.endsWith('.md'))
      .map((file) => `${folder}/${file}`),
  ),
];

/** Every path in the text that starts at the root and names nothing that is yet to be made. */
function namedPaths(document: string): string[] {
  const text = readFileSync(join(ROOT, document), 'utf8');
  const made = /NAME|<|\$|\*|\{|supplier| /;
  const paths = [...text.matchAll(/`((?:src|test|docs|scripts|bench)\/[^`]+|\.[\w-]+\.cjs)`/g)];
  return [...new Set(paths.map(([, path]) => path!))].filter((path) => !made.test(path));
}

describe('The guide to changes', () => {
  it('names files', () => {
    expect(namedPaths(GUIDE).length).toBeGreaterThan(25);
  });
});

describe('The documents', () => {
  it.each(DOCUMENTS.flatMap((document) => namedPaths(document).map((path) => [document, path])))(
    '%s names a file that exists: %s',
    (_, path) => {
      expect(existsSync(join(ROOT, path))).toBe(true);
    },
  );
});
