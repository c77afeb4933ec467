/*
 * Writes the examples of the documents from examples/enterprise-extension, or with --check says whether they
 * still are what stands there. A document names one in a comment, `<!-- example: FILE#REGION -->`; what
 * follows it up to the end of the code block is written here.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './built.mjs';

const EXAMPLE = join(root, 'examples', 'enterprise-extension');
const DOCUMENTS = [
  'docs/ai.md',
  'docs/extending.md',
  ...readdirSync(join(root, 'docs/extending')).map((name) => `docs/extending/${name}`),
];
const PLACE = /<!-- example: (\S+)#(\S+) -->\n(?:<!-- prettier-ignore -->\n```ts\n[\s\S]*?\n```\n)?/g;

/** The lines between `#region NAME` and its end, moved to the left. */
function region(file, name) {
  const lines = readFileSync(join(EXAMPLE, file), 'utf8').split('\n');
  const from = lines.findIndex((line) => line.trim() === `// #region ${name}`);
  const to = lines.findIndex((line, index) => index > from && line.trim() === '// #endregion');
  if (from < 0 || to < 0) throw new Error(`${file} of the example has no region ${name}`);
  const indent = lines[from].search(/\S/);
  return lines.slice(from + 1, to).map((line) => line.slice(indent));
}

const IMPORT = /^import (?:type )?\{([^}]*)\} from ('[^']+');$/gm;

/** The imports of the file that these lines use. */
function importsOf(file, lines) {
  const code = lines.join('\n');
  return [...readFileSync(join(EXAMPLE, file), 'utf8').matchAll(IMPORT)].flatMap(
    ([statement, names, from]) => {
      const used = names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && new RegExp(`\\b${name.replace('type ', '')}\\b`).test(code));
      const keyword = statement.startsWith('import type') ? 'import type' : 'import';
      const line = `${keyword} { ${used.join(', ')} } from ${from};`;
      if (used.length === 0 || line.length <= 110) return used.length === 0 ? [] : [line];
      return [`${keyword} {`, ...used.map((name) => `  ${name},`), `} from ${from};`];
    },
  );
}

/** A class or a constant has its imports; a method or a statement inside one has none. */
function snippet(file, name) {
  const lines = region(file, name);
  if (!/^(\/\*\*|@|export|const|function)/.test(lines[0])) return lines;
  const imports = importsOf(file, lines);
  return imports.length === 0 ? lines : [...imports, '', ...lines];
}

const written = (file, name) =>
  [
    `<!-- example: ${file}#${name} -->`,
    '<!-- prettier-ignore -->',
    '```ts',
    ...snippet(file, name),
    '```',
    '',
  ].join('\n');

const isCheck = process.argv.includes('--check');
for (const document of DOCUMENTS) {
  const path = join(root, document);
  const text = readFileSync(path, 'utf8');
  const current = text.replace(PLACE, (_, file, name) => written(file, name));
  if (current === text) continue;
  if (isCheck) {
    console.error(
      `The examples of ${document} are not what stands in examples/: run \`npm run examples\` and commit it.`,
    );
    process.exitCode = 1;
  } else {
    writeFileSync(path, current);
  }
}
