import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyDirectory } from './directory-copy.cjs';

describe('copyDirectory', () => {
  let folder: string;
  const at = (...names: string[]) => join(folder, ...names);

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

  it('copies all that is in it, for its owner only, and tells its bytes', () => {
    expect(copyDirectory(at('from'), at('to'))).toBe(1002);
    expect(fs.readdirSync(at('to'), { recursive: true }).sort()).toEqual(
      ['a', 'inner', join('inner', 'b'), join('inner', 'empty')].sort(),
    );
    expect(fs.readFileSync(at('to', 'inner', 'b'), 'utf8')).toBe('bb');
    if (process.platform !== 'win32') expect(fs.statSync(at('to')).mode & 0o777).toBe(0o700);
    fs.appendFileSync(at('from', 'inner', 'b'), 'b');
    expect(fs.readFileSync(at('to', 'inner', 'b'), 'utf8')).toBe('bb');
  });

  it('begins nothing where the disk would be full', () => {
    const stats = { ...fs.statfsSync(folder), bavail: 64 * 1024, bsize: 1024 };
    jest.spyOn(fs, 'statfsSync').mockReturnValue(stats);
    expect(() => copyDirectory(at('from'), at('to'))).toThrow(
      'no room for a copy of the database: 68 MB are needed, 68 MB are free',
    );
    expect(fs.existsSync(at('to'))).toBe(false);
  });

  it('leaves nothing of a copy that fails', () => {
    const copy = fs.copyFileSync;
    jest.spyOn(fs, 'copyFileSync').mockImplementation((from, to, mode) => {
      if (String(from).endsWith('b')) throw new Error('no space left');
      copy(from, to, mode);
    });
    expect(() => copyDirectory(at('from'), at('to'))).toThrow('no space left');
    expect(fs.existsSync(at('to'))).toBe(false);
  });
});
