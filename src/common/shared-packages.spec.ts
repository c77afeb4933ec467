import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ExtensionError } from './extension-tokens';
import { filesOfThisProcess, refuseSecondCopies } from './shared-packages';

const OURS = join(__dirname, '..', '..', 'node_modules');
const versionOf = (directory: string) =>
  (JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { version: string }).version;

describe('Packages that extensions share with the service', () => {
  let directory: string;
  beforeEach(() => (directory = realpathSync(mkdtempSync(join(tmpdir(), 'shared-packages-')))));
  afterEach(() => rmSync(directory, { recursive: true }));

  /** A package installed for the files of a directory. */
  function install(name: string, version: string, below = '.'): string {
    const folder = join(directory, below, 'node_modules', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version }));
    return folder;
  }

  const ours = join(OURS, '@nestjs/core');
  const twice = (other: string, version: string) =>
    `There are two copies of @nestjs/core: ${versionOf(ours)} in ${ours}, which formula-development-service uses, ` +
    `and ${version} in ${other}.`;
  const refused = (files: Parameters<typeof refuseSecondCopies>[0]) => () => refuseSecondCopies(files);

  it('are there once in this process', () => {
    expect(refused(undefined)).not.toThrow();
  });

  it('are refused where the file that was started finds another copy, even of the same version', () => {
    const other = install('@nestjs/core', versionOf(ours));
    const entry = join(directory, 'dist', 'main.js');
    expect(refused({ entries: [entry], loaded: [] })).toThrow(ExtensionError);
    expect(refused({ entries: [entry], loaded: [] })).toThrow(twice(other, versionOf(ours)));
  });

  it('are refused where the application’s file finds another copy, which no list of loaded files has', () => {
    const other = install('@nestjs/core', '12.0.1');
    const file = join(directory, 'app.mjs');
    expect(filesOfThisProcess(file).entries).not.toContain(file);
    writeFileSync(file, '');
    expect(refused(filesOfThisProcess())).not.toThrow();
    expect(refused(filesOfThisProcess(file))).toThrow(twice(other, '12.0.1'));
    const linked = join(dirname(directory), `${basename(directory)}.mjs`);
    symlinkSync(file, linked);
    expect(refused(filesOfThisProcess(linked))).toThrow(twice(other, '12.0.1'));
    rmSync(linked);
  });

  it('are refused where another copy has been loaded, and the message says what to install', () => {
    const other = install('@nestjs/core', '11.2.9', 'packages/labels');
    const loaded = [join(ours, 'index.js'), join(other, 'injector', 'module-ref.js')];
    expect(refused({ entries: [], loaded })).toThrow(twice(other, '11.2.9'));
    const manifest = readFileSync(join(OURS, '..', 'package.json'), 'utf8');
    const { peerDependencies } = JSON.parse(manifest) as { peerDependencies: Record<string, string> };
    expect(refused({ entries: [], loaded })).toThrow(
      `choose versions that satisfy ${peerDependencies['@nestjs/core']}, `,
    );
    expect(refused({ entries: [], loaded })).toThrow('`npm ls @nestjs/core`');
  });

  it.each(['typeorm', 'class-validator', 'nest-commander'])('refuses a second copy of %s', (name) => {
    const other = install(name, '1.0.0');
    expect(refused({ entries: [], loaded: [join(other, 'index.js')] })).toThrow(`two copies of ${name}: `);
  });

  it.each(['rxjs', 'reflect-metadata', 'express'])('lets a second copy of %s be', (name) => {
    const other = install(name, '1.0.0');
    const entry = join(directory, 'main.js');
    expect(refused({ entries: [entry], loaded: [join(other, 'index.js')] })).not.toThrow();
  });

  it.each([
    ['finds ours', join(dirname(OURS), 'main.js')],
    ['finds none', '/main.js'],
  ])('do not mind a file that %s', (_, entry) => {
    expect(refused({ entries: [entry], loaded: [join(ours, 'index.js')] })).not.toThrow();
  });

  it('are not what lies in their own node_modules, or has a longer name', () => {
    const inside = join(ours, 'node_modules', 'tslib', 'tslib.js');
    const longer = install('@nestjs/core-tools', '1.0.0');
    expect(refused({ entries: [], loaded: [inside, join(longer, 'index.js')] })).not.toThrow();
  });
});
