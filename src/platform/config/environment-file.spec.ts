import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TYPESCRIPT } from '../../../test/support/typescript';

/** In a process of its own: jest's has no environment of the system's. */
const SCRIPT = `require(${JSON.stringify(join(__dirname, 'environment-file.ts'))}).readEnvironmentFile();
  process.stdout.write(JSON.stringify([process.env.HOST, process.env.PORT, process.env.API_DOCS]));`;

describe('.env', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'environment-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const read = (set: Record<string, string> = {}) => {
    const env = { PATH: process.env.PATH, ...set } as NodeJS.ProcessEnv;
    return spawnSync(process.execPath, ['-r', TYPESCRIPT, '-e', SCRIPT], {
      cwd: directory,
      env,
      encoding: 'utf8',
    });
  };

  it('sets what is not set, not even to nothing, and says nothing about it', () => {
    writeFileSync(join(directory, '.env'), '# ours\nHOST=127.0.0.1\nPORT="8080"\nAPI_DOCS=false\n');
    const { stdout, stderr } = read({ HOST: '::1', API_DOCS: '' });
    expect({ stdout, stderr }).toEqual({ stdout: '["::1","8080",""]', stderr: '' });
  });

  it('is known by its names, whoever sets them', () => {
    writeFileSync(join(directory, '.env'), 'HOST=127.0.0.1\nFOO=1\n');
    const script = `const file = require(${JSON.stringify(join(__dirname, 'environment-file.ts'))});
      file.readEnvironmentFile();
      process.stdout.write(file.namesInEnvironmentFile().toSorted().join());`;
    const env = { PATH: process.env.PATH, HOST: '::1' } as NodeJS.ProcessEnv;
    const options = { cwd: directory, env, encoding: 'utf8' } as const;
    expect(spawnSync(process.execPath, ['-r', TYPESCRIPT, '-e', script], options).stdout).toBe('FOO,HOST');
  });

  it('may begin with the mark of an editor', () => {
    writeFileSync(join(directory, '.env'), '\uFEFFHOST=127.0.0.1\nPORT=8080\n');
    expect(read().stdout).toBe('["127.0.0.1","8080",null]');
  });

  it('need not be there', () => {
    expect(read().stdout).toBe('[null,null,null]');
  });

  it('is not read under test', () => {
    writeFileSync(join(directory, '.env'), 'PORT=8080');
    expect(read({ NODE_ENV: 'test' }).stdout).toBe('[null,null,null]');
  });

  it('that cannot be read is told, not passed over', () => {
    mkdirSync(join(directory, '.env'));
    expect(read().stderr).toMatch(/[.]env in the working directory cannot be read [(]E[A-Z]+[)]/);
  });
});
