import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectoryLock, openWhenFree } from './directory-lock';
import { EmbeddedDatabaseInUseError } from './errors';

/** A process that takes the lock the way the service does, says so, and stays. */
const HOLDER = `
  const { tryLock } = require('fs-native-extensions');
  const fs = require('node:fs');
  const descriptor = fs.openSync(process.argv[1], 'a+');
  const held = tryLock(descriptor);
  if (held) fs.writeSync(descriptor, process.pid + '\\nmore for people\\n');
  console.log(held);
  setInterval(() => undefined, 1000);
`;

async function holder(directory: string) {
  const child = spawn(process.execPath, ['-e', HOLDER, join(directory, 'lock')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [answer] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, held: answer.toString().trim() === 'true' };
}

describe('DirectoryLock', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'lock-'));
  });

  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(directory, { recursive: true, force: true });
  });

  it('is had once, and again after it was released', () => {
    const lock = DirectoryLock.acquire(directory);
    expect(() => DirectoryLock.acquire(directory)).toThrow(EmbeddedDatabaseInUseError);
    lock.release();
    DirectoryLock.acquire(directory).release();
  });

  it('names the directory, the process and the way out when another process has it', async () => {
    const { child, held } = await holder(directory);
    expect(held).toBe(true);
    expect(() => DirectoryLock.acquire(directory)).toThrow(
      new RegExp(`${directory}.*process ${child.pid}.*Stop it first`),
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  it.each([
    ['service', 'Stop it first (kill '],
    ['command', 'Wait until it ends.'],
  ] as const)('says that a %s has it, and what to do about that', (owner, hint) => {
    const lock = DirectoryLock.acquire(directory, owner);
    expect(() => DirectoryLock.acquire(directory)).toThrow(
      `The data directory ${directory} is in use by a ${owner} (process ${process.pid}). ${hint}`,
    );
    lock.release();
  });

  it('is free as soon as its holder was killed', async () => {
    const { child } = await holder(directory);
    child.kill('SIGKILL');
    await once(child, 'exit');
    DirectoryLock.acquire(directory).release();
  });

  it('does not believe what a file says: the number in it may be anybody’s by now', () => {
    const file = join(directory, 'lock');
    writeFileSync(file, `${process.ppid}\n`);
    DirectoryLock.acquire(directory).release();
    expect(readFileSync(file, 'utf8')).toBe(`${process.pid} \nDo not delete this file: it is locked.\n`);
  });

  it('is in a file that nobody else may read, and names nobody where that says nothing', () => {
    const file = join(directory, 'lock');
    const lock = DirectoryLock.acquire(directory);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, 'somebody');
    expect(() => DirectoryLock.acquire(directory)).toThrow('is in use by another process. Stop');
    jest.spyOn(fs, 'readFileSync').mockImplementation(() => {
      throw new Error('EBUSY');
    });
    expect(() => DirectoryLock.acquire(directory)).toThrow('is in use by another process. Stop');
    lock.release();
  });

  it('keeps no file open after it was released or refused', () => {
    const [open, close] = [jest.spyOn(fs, 'openSync'), jest.spyOn(fs, 'closeSync')];
    const lock = DirectoryLock.acquire(directory);
    expect(() => DirectoryLock.acquire(directory)).toThrow(EmbeddedDatabaseInUseError);
    lock.release();
    const opened = open.mock.results.map(({ value }) => value as number);
    // The owner's number is read through a descriptor of its own.
    expect(close.mock.calls.map(([descriptor]) => descriptor)).toEqual(expect.arrayContaining(opened));
    expect(close.mock.calls.length).toBeGreaterThanOrEqual(opened.length);
  });

  it('goes to one of several that ask at the same instant', async () => {
    const holders = await Promise.all(Array.from({ length: 4 }, () => holder(directory)));
    expect(holders.filter(({ held }) => held)).toHaveLength(1);
    for (const { child } of holders) child.kill('SIGKILL');
    await Promise.all(holders.map(({ child }) => once(child, 'exit')));
  });
});

jest.mock('node:timers/promises', () => ({
  setTimeout: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
}));

describe('A data directory that is in use', () => {
  const inUse = new EmbeddedDatabaseInUseError('data', 7, 'command');
  const told: string[] = [];
  let freeAt: number;
  const begin = () => {
    const open = () => {
      return performance.now() >= freeAt ? Promise.resolve('open') : Promise.reject(inUse);
    };
    return openWhenFree(open, (message) => told.push(message));
  };

  beforeEach(() => {
    jest.useFakeTimers();
    told.length = 0;
    freeAt = performance.now();
  });
  afterEach(() => jest.useRealTimers());

  it('is waited for, which is said once', async () => {
    freeAt += 29_000;
    const opened = begin();
    await jest.advanceTimersByTimeAsync(29_500);
    expect(await opened).toBe('open');
    expect(told).toEqual([`${inUse.message} Waiting for it for up to 30 s`]);
  });

  it('is not waited for for longer than half a minute', async () => {
    freeAt = Infinity;
    const refused = expect(begin()).rejects.toBe(inUse);
    await jest.advanceTimersByTimeAsync(30_500);
    await refused;
  });

  it('is opened at once where it is free, and is not waited for where something else is wrong', async () => {
    expect(await begin()).toBe('open');
    const broken = () => Promise.reject(new Error('broken'));
    await expect(openWhenFree(broken, () => undefined)).rejects.toThrow('broken');
    expect(told).toEqual([]);
  });
});
