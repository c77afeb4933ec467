import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnvironment } from '../../src/platform/config/environment';
import { settings } from '../../src/platform/config/settings';

const ROOT = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Names and defaults of the table of settings. */
const tableOf = (document: string) =>
  [...read(document).matchAll(/^\| `([A-Z_]+)` +\| (.*?) +\|/gm)].map(([, name, value]) => ({
    name: name!,
    value: value!,
  }));
const namesOf = (document: string) =>
  tableOf(document)
    .map(({ name }) => name)
    .sort();

/** What the default of a setting without one is called. */
const wordsOf = (document: string) =>
  Object.fromEntries(tableOf(document).map(({ name, value }) => [name, value.replaceAll(/\(.*?\)/g, '')]));

describe('Settings', () => {
  const { shape } = settings.in;
  /** Their names begin with the provider's: one pattern in the code. */
  const providers = ['ALPHA', 'BETA'].flatMap((name) => [`${name}_API_KEY`, `${name}_BASE_URL`]);
  const known = [...Object.keys(shape).filter((name) => name !== 'providers'), ...providers].sort();

  it('are all in docs/OPERATIONS.md, and no other is', () => {
    expect(known).toContain('STOP_TIMEOUT');
    expect(namesOf('docs/OPERATIONS.md')).toEqual(known);
  });

  describe('.env.example', () => {
    const lines = read('.env.example').split('\n');
    const shown = lines.flatMap((line) => /^#([A-Z_]+)=(.*)$/.exec(line)?.slice(1, 3) ?? []);

    it('has all of them, in the order of docs/OPERATIONS.md, with their defaults', () => {
      const defaults = tableOf('docs/OPERATIONS.md').flatMap(({ name, value }) => {
        const [, given = ''] = /^`([^`]*)`/.exec(value) ?? [];
        // The default of one setting may be the value of another.
        return [name, known.includes(given) ? '' : given];
      });
      expect(shown).toEqual(defaults);
    });

    it('sets nothing', () => {
      expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
    });

    it('is taken as it is, with every default in force', () => {
      const values = Object.fromEntries(
        lines.flatMap((line) => {
          const [, name, value] = /^#([A-Z_]+)=(.+)$/.exec(line) ?? [];
          return name === undefined ? [] : [[name, value!]];
        }),
      );
      expect(Object.keys(values).length).toBeGreaterThan(20);
      expect(parseEnvironment(values)).toEqual(parseEnvironment({}));
    });
  });

  it.each(['README.md', 'README.zh-CN.md'])('%s shows ten that exist', (document) => {
    expect(namesOf(document)).toHaveLength(10);
    expect(known).toEqual(expect.arrayContaining(namesOf(document)));
  });

  it('have the same defaults in both English documents', () => {
    expect(wordsOf('docs/OPERATIONS.md')).toMatchObject(wordsOf('README.md'));
  });
});

describe('The times of what is around the service', () => {
  const defaults = Object.fromEntries(tableOf('docs/OPERATIONS.md').map(({ name, value }) => [name, value]));
  const number = (name: string) => Number(/`(\d+)`/.exec(defaults[name]!)![1]);
  const seconds = (path: string, pattern: RegExp) => Number(pattern.exec(read(path))![1]);

  it('nginx leaves a connection before the service closes it', () => {
    expect(seconds('docker/nginx.conf', /keepalive_timeout (\d+)s;/)).toBeLessThan(
      number('KEEP_ALIVE_TIMEOUT'),
    );
  });

  it('nginx asks an instance that is back before the next one is gone', () => {
    // nginx counts whole seconds: it may be one more.
    const away = seconds('docker/nginx.conf', / fail_timeout=(\d+)s;/) + 1;
    expect(seconds('docker/compose.yaml', /STOP_DELAY: \$\{STOP_DELAY:-(\d+)\}/)).toBeGreaterThanOrEqual(
      away,
    );
  });

  it('nobody kills before the service has ended by itself', () => {
    // Two seconds after the limit the process ends in any case.
    const longest = number('STOP_TIMEOUT') + 2;
    expect(seconds('docker/compose.yaml', /stop_grace_period: (\d+)s/)).toBeGreaterThan(longest);
    expect(seconds('docker/formula-service.service', /^TimeoutStopSec=(\d+)$/m)).toBeGreaterThan(longest);
    expect(seconds('docker/compose.yaml', /STOP_DELAY: \$\{STOP_DELAY:-(\d+)\}/)).toBeLessThan(longest);
  });
});
