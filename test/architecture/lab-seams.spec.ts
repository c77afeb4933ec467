import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';

/*
 * The laboratory's modules are built on what extensions can import: they prove that it is enough.
 */

const ROOT = join(__dirname, '..', '..');
const LAB = join(ROOT, 'src', 'lab');

/** Inside the service only, and why. */
const EXCEPTIONS: readonly string[] = [
  // Which modules have routes is a setting of the service.
  'config/lab-module-names: LabModuleName',
];

const parsed = (path: string) =>
  ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);

const inSrc = (path: string) => relative(join(ROOT, 'src'), path).split(sep).join('/');

/** `file: name` of what a source names in imports, or exports, of other files. */
function namedIn(path: string, isWanted: typeof ts.isImportDeclaration | typeof ts.isExportDeclaration) {
  return parsed(path).statements.flatMap((statement) => {
    if (!isWanted(statement)) return [];
    const from = (statement.moduleSpecifier as ts.StringLiteral | undefined)?.text ?? '';
    if (!from.startsWith('.')) return [];
    const bindings = ts.isImportDeclaration(statement)
      ? statement.importClause?.namedBindings
      : statement.exportClause;
    const names = bindings && 'elements' in bindings ? bindings.elements : [];
    const file = inSrc(join(dirname(path), from));
    return names.map((name) => `${file}: ${(name.propertyName ?? name.name).text}`);
  });
}

const files = readdirSync(LAB, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.spec.ts'))
  .map((entry) => join(entry.parentPath, entry.name));

it('src/lab imports from the service only what src/index.ts exports', () => {
  const allowed = new Set(namedIn(join(ROOT, 'src', 'index.ts'), ts.isExportDeclaration));
  const used = files.flatMap((file) =>
    namedIn(file, ts.isImportDeclaration).filter((name) => !name.startsWith('lab/')),
  );
  expect(allowed.size).toBeGreaterThan(100);
  const internal = [...new Set(used)].filter((name) => !allowed.has(name));
  expect(internal.sort()).toEqual([...EXCEPTIONS].sort());
});
