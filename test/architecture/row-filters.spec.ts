import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';
import { RECORD_TABLES } from '../../src/platform/access/row-filter';

const ROOT = join(__dirname, '..', '..');

/** Statements that read restricted tables without a row filter: how many of each file, and why. */
const UNFILTERED: Readonly<Record<string, number>> = {
  // The service's own work on all formulas.
  'src/ai/capabilities/embed-texts/embeddings.repository.ts': 3,
  'src/cli/demo/demo.repository.ts': 2,
  // Parts of a statement that filters the formulas and projects it answers with; one of candidates, which it has found.
  'src/ai/capabilities/search-keywords/formula-search.repository.ts': 5,
  // The names of a new version's ingredients, which the service has checked.
  'src/formulas/formula.sql.ts': 1,
  'src/formulas/bulk-writes.repository.ts': 2,
  // Locks and a deletion, after the policy has been asked.
  'src/formulas/formulas.repository.ts': 2,
  'src/ingredients/ingredients.repository.ts': 3,
  // A copy of what is deleted, after the policy has been asked, and what foreign keys would refuse.
  'src/formulas/trash/trash.repository.ts': 4,
  'src/colors/color-formulas.repository.ts': 1,
};

const READS = new RegExp(String.raw`\b(?:FROM|JOIN) (?:${Object.values(RECORD_TABLES).join('|')})\b`);
const FILTERED = /readable|\$\{where\}/i;

/** The literals of a source that read a restricted table and have no row filter. */
function unfilteredIn(text: string): string[] {
  const found: string[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      if (READS.test(node.getText()) && !FILTERED.test(node.getText())) found.push(node.getText());
      return;
    }
    ts.forEachChild(node, look);
  };
  look(ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest, true));
  return found;
}

const files = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.spec.ts'))
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))
  .filter((path) => !/^src\/platform\/database\/(?:migrations|transfer|backup)\//.test(path));

describe('Every statement that reads records has a row filter', () => {
  it('but for these', () => {
    const unfiltered = files
      .map((path) => [path, unfilteredIn(readFileSync(join(ROOT, path), 'utf8')).length] as const)
      .filter(([, count]) => count > 0);
    expect(Object.fromEntries(unfiltered)).toEqual(UNFILTERED);
  });

  it.each([
    ['const read = `SELECT id FROM formulas WHERE id = $1`;', 1],
    ["const read = 'SELECT count(*) FROM ingredients';", 1],
    ['const read = `SELECT f.id FROM formulas f WHERE ${readable.sql}`;', 0],
    ['const read = `SELECT id FROM formula_versions`;', 0],
  ])('a read without one is found: %s', (source, count) => {
    expect(unfilteredIn(source)).toHaveLength(count);
  });
});
