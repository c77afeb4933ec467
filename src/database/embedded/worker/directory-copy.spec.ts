import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beginCopy, finishCopy } from './directory-copy.cjs';

describe('a copy of a directory', () => {
  let folder: string;
  const at = (...names: string[]) => join(folder, ...names);
  const copied = (...names: string[]) => fs.readFileSync(at('to', ...names), 'utf8');
  const copy = (meanwhile = () => {}) => {
    const seen = beginCopy(at('from'), at('to'));
    meanwhile();
    return finishCopy(at('from'), at('to'), seen);
  };
  const contents = (directory: string) =>
    fs
      .readdirSync(at(directory), { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => {
        const place = at(directory, name);
        return fs.statSync(place).isDirectory() ? name : `${name}: ${fs.readFileSync(place, 'latin1')}`;
      });

  /** As if the copy were begun so much later than the files were written. */
  const beginLater = (seconds: number) => {
    const stat = fs.statSync;
    jest.spyOn(fs, 'statSync').mockImplementation(((path: string, options: fs.StatSyncOptions) => {
      const found = stat(path, options) as fs.BigIntStats;
      if (path === at('to')) found.ctimeNs += BigInt(seconds) * 1_000_000_000n;
      return found;
    }) as typeof fs.statSync);
  };

  beforeEach(() => {
    folder = fs.mkdtempSync(join(tmpdir(), 'copy-'));
    fs.mkdirSync(at('from', 'inner', 'empty'), { recursive: true });
    fs.writeFileSync(at('from', 'a'), 'a'.repeat(1000));
    fs.writeFileSync(at('from', 'inner', 'b'), 'bb');
  });
  afterEach(() => {
    jest.restoreAllMocks();
    fs.rmSync(folder, { recursive: true });
  });

  it('has all that is in it, for its owner only, and tells its bytes', () => {
    expect(copy()).toBe(1002);
    expect(contents('to')).toEqual(contents('from'));
    if (process.platform !== 'win32') expect(fs.statSync(at('to')).mode & 0o777).toBe(0o700);
    fs.appendFileSync(at('from', 'inner', 'b'), 'b');
    expect(copied('inner', 'b')).toBe('bb');
  });

  it.each([
    ['after they were written', 0],
    ['long after', 10],
  ])('begun %s has what became of files and directories meanwhile', (_, seconds) => {
    const piece = 1024 * 1024;
    fs.writeFileSync(at('from', 'long'), Buffer.alloc(3 * piece + 10, 'l'));
    fs.writeFileSync(at('from', 'longer'), 'longer than later');
    fs.writeFileSync(at('from', 'gone'), 'g');
    fs.writeFileSync(at('from', 'file'), 'f');
    fs.mkdirSync(at('from', 'directory', 'below'), { recursive: true });
    beginLater(seconds);
    copy(() => {
      const long = fs.openSync(at('from', 'long'), 'r+');
      fs.writeSync(long, 'in the midst', piece + 5);
      fs.writeSync(long, 'behind', 4 * piece);
      fs.closeSync(long);
      fs.truncateSync(at('from', 'longer'), 3);
      fs.rmSync(at('from', 'gone'));
      fs.rmSync(at('from', 'file'));
      fs.mkdirSync(at('from', 'file'));
      fs.writeFileSync(at('from', 'file', 'new'), 'n');
      fs.rmSync(at('from', 'directory'), { recursive: true });
      fs.writeFileSync(at('from', 'directory'), 'd');
      fs.renameSync(at('from', 'inner', 'b'), at('from', 'inner', 'c'));
      fs.renameSync(at('from', 'a'), at('from', 'inner', 'b'));
    });
    expect(contents('to')).toEqual(contents('from'));
  });

  it('trusts no time of a file that may have been written to in the same tick', () => {
    const [file, time] = [at('from', 'a'), new Date()];
    fs.utimesSync(file, time, time);
    const look = fs.statSync(file, { bigint: true });
    const seen = beginCopy(at('from'), at('to'));
    fs.writeFileSync(file, 'A'.repeat(1000));
    // The same look: a tick of the clock has room for both writes.
    const stat = fs.statSync;
    jest
      .spyOn(fs, 'statSync')
      .mockImplementation(((path: string, options: fs.StatSyncOptions) =>
        path === file ? look : stat(path, options)) as typeof fs.statSync);
    finishCopy(at('from'), at('to'), seen);
    expect(copied('a')).toBe('A'.repeat(1000));
  });

  it('reads nothing again that was not written to, and writes only what differs', () => {
    fs.writeFileSync(at('from', 'long'), Buffer.alloc(3 * 1024 * 1024, 'l'));
    beginLater(10);
    const seen = beginCopy(at('from'), at('to'));
    const [read, write] = [jest.spyOn(fs, 'openSync'), jest.spyOn(fs, 'writeSync')];
    const again = jest.spyOn(fs, 'copyFileSync');
    finishCopy(at('from'), at('to'), seen);
    expect(read).not.toHaveBeenCalled();
    fs.truncateSync(at('from', 'long'), 2 * 1024 * 1024);
    read.mockClear();
    finishCopy(at('from'), at('to'), seen);
    expect(read.mock.calls.map(([path]) => path)).toEqual([at('from', 'long'), at('to', 'long')]);
    expect(write).not.toHaveBeenCalled();
    expect(again).not.toHaveBeenCalled();
    expect(contents('to')).toEqual(contents('from'));
  });

  it('goes on where something is removed before it is reached', () => {
    const copyFile = fs.copyFileSync;
    jest.spyOn(fs, 'copyFileSync').mockImplementation((from, to, mode) => {
      if (String(from) === at('from', 'a')) {
        fs.rmSync(at('from', 'a'));
        fs.rmSync(at('from', 'inner'), { recursive: true });
      }
      copyFile(from, to, mode);
    });
    expect(copy()).toBe(0);
    expect(contents('to')).toEqual([]);
  });

  it('begins nothing where the disk would be full', () => {
    const stats = { ...fs.statfsSync(folder), bavail: 64 * 1024, bsize: 1024 };
    jest.spyOn(fs, 'statfsSync').mockReturnValue(stats);
    expect(() => copy()).toThrow('no room for a copy of the database: 68 MB are needed, 68 MB are free');
    expect(fs.existsSync(at('to'))).toBe(false);
  });

  it.each(['at its beginning', 'at its end'])('leaves nothing where it fails %s', (moment) => {
    const copyFile = fs.copyFileSync;
    jest.spyOn(fs, 'copyFileSync').mockImplementation((from, to, mode) => {
      if (String(from).endsWith('b')) throw new Error('no space left');
      copyFile(from, to, mode);
    });
    const addFile = () => fs.writeFileSync(at('from', 'inner', 'bb'), 'new');
    if (moment === 'at its end') fs.rmSync(at('from', 'inner', 'b'));
    expect(() => copy(addFile)).toThrow('no space left');
    expect(fs.existsSync(at('to'))).toBe(false);
  });
});
