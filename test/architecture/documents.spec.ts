import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { INGREDIENT_FILE } from '../../src/ingredients/ingredient-file';

const ROOT = join(__dirname, '..', '..');
const GUIDE = 'docs/changing.md';

function markdownIn(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder)).filter((file) => file.endsWith('.md'));
  return files.map((file) => `${folder}/${file}`);
}

const DOCUMENTS = [
  'README.md',
  'README.zh-CN.md',
  'CONTRIBUTING.md',
  ...['docs', 'docs/decisions'].flatMap(markdownIn),
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

  /** Each line's names of code, with the files of the line that exist. */
  const named = readFileSync(join(ROOT, GUIDE), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const spans = [...line.matchAll(/`([^`]+)`/g)].map(([, span]) => span!);
      const files = spans.filter(
        (span) => /^(src|test|docs|docker)[/]/.test(span) && existsSync(join(ROOT, span)),
      );
      const names = spans.flatMap((span) => /^(?!NAME)@?[A-Za-z]\w*(?=\(|$)/.exec(span)?.[0] ?? []);
      return files.length > 0 ? names.map((name) => [name, files] as const) : [];
    });
  const textsOf = (path: string): string[] =>
    statSync(join(ROOT, path)).isDirectory()
      ? readdirSync(join(ROOT, path)).flatMap((name) => textsOf(join(path, name)))
      : [readFileSync(join(ROOT, path), 'utf8')];

  it.each(named)('names code that its files have: %s', (name, files) => {
    expect(files.flatMap(textsOf).some((text) => text.includes(name))).toBe(true);
  });
});

it('the rule about fields in answers is the same for contributors and in the guide to changes', () => {
  const ruleOf = (document: string) =>
    /Answers lose no field[^\n]*/
      .exec(readFileSync(join(ROOT, document), 'utf8'))?.[0]
      .replace('(docs/', '(');
  expect(ruleOf(GUIDE)).toBeDefined();
  expect(ruleOf('CONTRIBUTING.md')).toBe(ruleOf(GUIDE));
});

describe('The pages about providers', () => {
  it.each(['docs/providers.md', 'docs/providers.zh.md'])(
    'show the class that a test registers: %s',
    (page) => {
      const spec = readFileSync(join(ROOT, 'test/e2e/ai-known-protocol.e2e-spec.ts'), 'utf8');
      const [, shown] = /#region deepseek\n([^]+?)\n\/\/ #endregion/.exec(spec)!;
      expect(readFileSync(join(ROOT, page), 'utf8')).toContain(`${shown}\n\`\`\``);
    },
  );
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
    const { columns } = INGREDIENT_FILE;
    expect(documented).toEqual(columns.map(({ field, aliases }) => [field, plain([field, ...aliases])]));
  });
});

/** Everything with relative links. */
const LINKED = [
  'CHANGELOG.md',
  'examples/enterprise-extension/README.md',
  ...DOCUMENTS,
  ...markdownIn('docs/extending'),
];

const textOf = (document: string) =>
  readFileSync(join(ROOT, document), 'utf8').replace(/```[\s\S]*?```/g, '');

/** As GitHub names them. */
function anchorsOf(document: string): Set<string> {
  const headings = [...textOf(document).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading!);
  const names = headings.map((heading) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
  return new Set(names);
}

/** Relative links that lead to no file, or to no heading of it. */
function deadLinks(document: string): string[] {
  const links = [...textOf(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path, anchor] = link.split('#') as [string, string?];
    const target = path === '' ? document : join(dirname(document), path);
    if (!existsSync(join(ROOT, target))) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(decodeURI(anchor));
  });
}

/** Paths that the package's archive holds besides package.json and LICENSE. */
const { files: PACKED } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: string[] };
const isPacked = (path: string) =>
  path === 'README.md' || PACKED.some((packed) => path === packed || path.startsWith(`${packed}/`));

describe('The documents', () => {
  it.each(LINKED.filter(isPacked))('%s links to files that are in the archive with it', (document) => {
    const links = [...textOf(document).matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(([, link]) => link!);
    const paths = links.map((link) => join(dirname(document), link).replace(/\/$/, ''));
    expect(paths.filter((path) => !isPacked(path) && path !== 'LICENSE')).toEqual([]);
  });

  it.each(LINKED)('%s links to files and headings that exist', (document) => {
    expect(deadLinks(document)).toEqual([]);
  });

  it.each(DOCUMENTS.flatMap((document) => namedPaths(document).map((path) => [document, path])))(
    '%s names a file that exists: %s',
    (_, path) => {
      expect(existsSync(join(ROOT, path))).toBe(true);
    },
  );
});
