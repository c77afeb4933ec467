import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEVELOPMENT_JWT_SECRET, EnvironmentError, parseEnvironment } from './environment';
import { resolveSigningSecret } from './signing-secret';

const resolve = (variables: Record<string, string>) => resolveSigningSecret(parseEnvironment(variables));

describe('signing secret', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'formula-secret-'));
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('is JWT_SECRET where that is set', () => {
    expect(resolve({ JWT_SECRET: 'mine' })).toEqual({ value: 'mine', isDevelopmentDefault: false });
    expect(resolve({ JWT_SECRET: DEVELOPMENT_JWT_SECRET }).isDevelopmentDefault).toBe(true);
  });

  it('is the development default with a server', () => {
    expect(resolve({ DATABASE_URL: 'postgres://h/d' })).toEqual({
      value: DEVELOPMENT_JWT_SECRET,
      isDevelopmentDefault: true,
    });
  });

  it('is made once in the data directory, for its owner only, and found again', () => {
    const DATA_DIR = join(directory, 'new', 'data');
    const first = resolve({ DATA_DIR });
    // 32 bytes.
    expect(first.value).toMatch(/^[\w-]{43}$/);
    for (const made of [join(directory, 'new'), DATA_DIR]) expect(statSync(made).mode & 0o777).toBe(0o700);
    expect(first.isDevelopmentDefault).toBe(false);
    const file = join(DATA_DIR, 'jwt-secret');
    expect(readFileSync(file, 'utf8')).toBe(first.value);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(resolve({ DATA_DIR })).toEqual(first);
  });

  it('is another one for every directory and every database in memory', () => {
    const values = [
      resolve({ DATA_DIR: join(directory, 'a') }),
      resolve({ DATA_DIR: join(directory, 'b') }),
      resolve({ NODE_ENV: 'test' }),
      resolve({ NODE_ENV: 'test' }),
    ].map(({ value }) => value);
    expect(new Set(values).size).toBe(4);
    expect(resolve({ NODE_ENV: 'test' }).isDevelopmentDefault).toBe(false);
  });

  it('is what is written in its file, without the line break an editor leaves', () => {
    writeFileSync(join(directory, 'jwt-secret'), `${'s'.repeat(32)}\n`);
    expect(resolve({ DATA_DIR: directory }).value).toBe('s'.repeat(32));
  });

  it('a file that holds too short a secret is refused', () => {
    writeFileSync(join(directory, 'jwt-secret'), 's'.repeat(31));
    expect(() => resolve({ DATA_DIR: directory })).toThrow(
      new EnvironmentError([
        `${join(directory, 'jwt-secret')} holds no secret: delete it to have a new one made`,
      ]),
    );
  });

  it('an emptied file is refused, not taken for a secret', () => {
    writeFileSync(join(directory, 'jwt-secret'), '\n');
    expect(() => resolve({ DATA_DIR: directory })).toThrow(EnvironmentError);
  });

  it('a directory that cannot be used is named as the fault', () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    const secret = join(directory, 'jwt-secret');
    mkdirSync(secret);
    for (const DATA_DIR of [join(file, 'data'), directory]) {
      expect(() => resolve({ DATA_DIR })).toThrow(EnvironmentError);
      expect(() => resolve({ DATA_DIR })).toThrow(
        /^Invalid settings:\n {2}- DATA_DIR cannot be used \(E[A-Z]+: .*\): give this user the right to write there, or choose another$/,
      );
    }
  });
});
