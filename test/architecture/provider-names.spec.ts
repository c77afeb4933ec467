import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const PROVIDERS = join(ROOT, 'src', 'ai', 'providers');

/** Where the interface itself names a provider, and why else. */
const EXEMPT: readonly RegExp[] = [
  /^src\/ai\/providers\/index\.ts$/, // the lines that register them
  /^src\/ai\/http\/dto\//, // the provider to test; values of X-AI-Source
  /^src\/platform\/runtime-config\/configuration\.dto\.ts$/, // fields of /api/config
  /^src\/platform\/config\//, // names of settings
  /^src\/index\.ts$/, // the base classes of their protocols
  /service-logger\.ts$/, // fields that no log may show
  /screening\/refused-rows\.ts$/, // Greek letters in names of acids
];

/** The mode in which presets are answered has its name from the interface. */
const MODE = /aiMock|AI_MOCK|mock mode/gi;

const names = readdirSync(PROVIDERS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'sdk')
  .map(({ name }) => name);

/** A name as a word or as a part of an identifier: alpha, 'alpha', alphaKey, hasAlpha, ALPHA_API_KEY. */
const NAMED = new RegExp(
  `(${names.flatMap((name) => [name, name.toUpperCase(), name[0]?.toUpperCase() + name.slice(1)]).join('|')})(?![a-z])`,
);

const files = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(ts|mjs|cjs)$/.test(entry.name) && !/\.spec\.ts$/.test(entry.name))
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))
  .filter((path) => !names.some((name) => path.startsWith(`src/ai/providers/${name}/`)));

describe('The name of an AI provider', () => {
  const naming = files.filter((path) => NAMED.test(readFileSync(join(ROOT, path), 'utf8').replace(MODE, '')));

  it('is known: the check looks for those that there are', () => {
    expect(names).toEqual(expect.arrayContaining(['alpha', 'beta', 'mock']));
    expect(files.length).toBeGreaterThan(200);
  });

  it('stands in its own folder, and where the interface names it', () => {
    expect(naming.filter((path) => !EXEMPT.some((exempt) => exempt.test(path)))).toEqual([]);
  });

  it.each(EXEMPT)('the exemption is needed: %s', (exempt) => {
    expect(naming.some((path) => exempt.test(path))).toBe(true);
  });
});
