import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { CliIo } from '../cli-io';
import { readRows } from './read-rows';

class TerminalIo extends CliIo {
  readonly stdin = Readable.from([]);
  readonly stdout = new PassThrough();
  readonly stderr = Object.assign(new PassThrough(), { isTTY: true });
}

describe('readRows', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'rows-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('ends the line that says how far it is before it fails', async () => {
    const io = new TerminalIo();
    const path = join(folder, 'names.csv');
    writeFileSync(path, 'name\nUrea\nGlycerin\n');
    const reading = readRows({ io, path, columns: [{ field: 'name', aliases: [] }] }, (line) => {
      if (line === 3) throw new Error('no more');
      return [];
    });
    await expect(reading).rejects.toThrow('no more');
    expect(String(io.stderr.read())).toBe('\rReading rows 1\n');
  });
});
