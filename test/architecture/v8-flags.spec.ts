import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v8 from 'node:v8';

jest.mock('node:v8', () => ({ setFlagsFromString: jest.fn() }));

const SOURCE = join(__dirname, '..', '..', 'src');

/** What a file imports, in the order of its imports. */
const importsOf = (file: string): string[] =>
  [...readFileSync(join(SOURCE, file), 'utf8').matchAll(/^(?:import|export)\b[^'"]*['"]([^'"]+)['"]/gm)].map(
    ([, path]) => path!,
  );

const sources = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
);

describe('V8’s flags', () => {
  it.each([
    ['main.ts', '.'],
    ['cli/main.ts', '..'],
  ])('%s sets them before it imports anything but the check of the version', (entry, src) => {
    expect(importsOf(entry).slice(0, 2)).toEqual([`${src}/node-version.cjs`, `${src}/v8-flags`]);
  });

  it('are set by these entries only: whoever imports the service has a process of their own', () => {
    const importing = sources.filter((file) => importsOf(file).some((path) => path.endsWith('/v8-flags')));
    expect(importing.toSorted()).toEqual(['cli/main.ts', 'main.ts']);
  });

  it('no entry is imported by anything', () => {
    const importing = sources.filter((file) =>
      importsOf(file).some((path) => /^\.{1,2}\/(?:.*\/)?main$/.test(path)),
    );
    expect(importing).toEqual([]);
  });

  it('take allocation-site pretenuring away', () => {
    jest.requireActual('../../src/v8-flags');
    expect(jest.mocked(v8.setFlagsFromString).mock.calls).toEqual([['--no-allocation-site-pretenuring']]);
  });
});
