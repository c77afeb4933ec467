import fs, { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockVersionFile } from './version-lock.cjs';

describe('lockVersionFile', () => {
  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'version-'))));
  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(directory, { recursive: true, force: true });
  });

  it('keeps everybody else from the database, and no file open for who was refused', () => {
    writeFileSync(join(directory, 'PG_VERSION'), '17\n');
    const [open, close] = [jest.spyOn(fs, 'openSync'), jest.spyOn(fs, 'closeSync')];
    lockVersionFile(directory);
    expect(close).not.toHaveBeenCalled();
    expect(() => lockVersionFile(directory)).toThrow(`another process has the database in ${directory} open`);
    const [held, refused] = open.mock.results.map(({ value }) => value as number);
    expect(close.mock.calls).toEqual([[refused]]);
    fs.closeSync(held!);
    lockVersionFile(directory);
    fs.closeSync(open.mock.results.at(-1)!.value as number);
  });
});
