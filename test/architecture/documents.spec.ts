import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileImportOf } from '../../src/common/import/file-import';
import { IngredientImportService } from '../../src/ingredients/import/ingredient-import.service';

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

describe('The guide to catalogue files', () => {
  /** How names of columns are compared. */
  const plain = (names: readonly string[]) =>
    [...new Set(names.map((name) => name.toLowerCase().replace(/[\s_-]/g, '')))].sort();

  it('names the columns by every name that an import knows them by, and by no other', () => {
    const text = readFileSync(join(ROOT, 'docs/catalogue-import.md'), 'utf8');
    const rows = [...text.matchAll(/^\| `(\w+)`[^|]*\|([^|]*)\|/gm)];
    const documented = rows.map(([, field, names]) => [
      field,
      plain(names!.split(',').map((name) => name.trim())),
    ]);
    const { columns } = fileImportOf(IngredientImportService)!;
    expect(documented).toEqual(columns.map(({ field, aliases }) => [field, plain([field, ...aliases])]));
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
