import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectoryCopies } from './directory-copy';

describe('DirectoryCopies', () => {
  let folder: string;
  const at = (...names: string[]) => join(folder, ...names);
  const places = () => ({ from: at('from'), to: at('to') });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'copies-'));
    mkdirSync(at('from'));
    writeFileSync(at('from', 'a'), 'a');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('begins one in a thread of its own', async () => {
    expect(await new DirectoryCopies().begin(places())).toEqual(new Map());
    expect(readFileSync(at('to', 'a'), 'utf8')).toBe('a');
  });

  it('says why one failed', async () => {
    mkdirSync(at('to'));
    await expect(new DirectoryCopies().begin(places())).rejects.toThrow('EEXIST');
  });

  it('lets nobody wait for one that was ended', async () => {
    const copies = new DirectoryCopies();
    const begun = copies.begin(places());
    const failed = expect(begun).rejects.toThrow('the copy of the database was ended');
    await copies.end();
    await failed;
    await expect(copies.begin(places())).rejects.toThrow('the copy of the database was ended');
  });
});
