import fs from 'node:fs';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDurable } from './durable-files.cjs';

/** As much of Emscripten's file system as is touched: nodes are names in one directory. */
function emscripten(directory: string, known: string[]) {
  const opened: unknown[] = [];
  const destroyed: string[] = [];
  const FS = {
    isDir: (mode: string) => mode === 'directory',
    lookupNode: (_parent: unknown, name: string) => {
      if (!known.includes(name)) throw new Error('ENOENT');
      return { name };
    },
    destroyNode: (node: { name: string }) => void destroyed.push(node.name),
    filesystems: {
      NODEFS: {
        stream_ops: { open: (stream: unknown) => void opened.push(stream) } as Record<string, any>,
        node_ops: {} as Record<string, any>,
        realPath: (node: { name?: string }) => (node.name ? join(directory, node.name) : directory),
        // PGlite's own makes of Node's errors those that the machine knows.
        tryFSOperation: (operation: () => unknown) => {
          try {
            return operation();
          } catch (error) {
            throw new Error(`the machine's ${(error as Error).message}`, { cause: error });
          }
        },
      },
    },
  };
  makeDurable(FS);
  return { ...FS.filesystems.NODEFS, opened, destroyed };
}

describe('makeDurable', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'durable-'));
  });

  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(directory, { recursive: true, force: true });
  });

  it('forces an open file to the disk', () => {
    const fsync = jest.spyOn(fs, 'fsyncSync').mockReturnValue(undefined);
    const { stream_ops } = emscripten(directory, []);
    expect(stream_ops.fsync({ nfd: 0 })).toBe(0);
    expect(stream_ops.fsync({})).toBe(0);
    expect(fsync.mock.calls).toEqual([[0]]);
  });

  it('hands the failure of an fsync on', () => {
    jest.spyOn(fs, 'fsyncSync').mockImplementation(() => {
      throw new Error('EIO');
    });
    expect(() => emscripten(directory, []).stream_ops.fsync({ nfd: 3 })).toThrow("the machine's EIO");
  });

  it('hands the failure of a rename on, and changes nothing then', () => {
    const { node_ops, destroyed } = emscripten(directory, ['old']);
    const node = { name: 'not there' };
    expect(() => node_ops.rename(node, {}, 'old')).toThrow("the machine's ENOENT");
    expect([destroyed, node.name]).toEqual([[], 'not there']);
  });

  it('replaces a file by a rename without ever removing it', () => {
    writeFileSync(join(directory, 'new'), 'new');
    writeFileSync(join(directory, 'old'), 'old');
    const unlink = jest.spyOn(fs, 'unlinkSync');
    const rename = jest.spyOn(fs, 'renameSync');
    const { node_ops, destroyed } = emscripten(directory, ['old']);
    const node = { name: 'new' };
    node_ops.rename(node, {}, 'old');
    expect(readFileSync(join(directory, 'old'), 'utf8')).toBe('new');
    expect([unlink.mock.calls.length, rename.mock.calls.length]).toEqual([0, 1]);
    expect(destroyed).toEqual(['old']);
    expect(node.name).toBe('old');
  });

  it('renames to a name that is free', () => {
    writeFileSync(join(directory, 'new'), 'new');
    const { node_ops, destroyed } = emscripten(directory, []);
    node_ops.rename({ name: 'new' }, {}, 'other');
    expect(readFileSync(join(directory, 'other'), 'utf8')).toBe('new');
    expect(destroyed).toEqual([]);
  });

  it('opens directories, except on Windows', () => {
    const [file, folder] = [{ node: { mode: 'file' } }, { node: { mode: 'directory' } }];
    const own = Object.getOwnPropertyDescriptor(process, 'platform')!;
    const opensOn = (platform: string) => {
      Object.defineProperty(process, 'platform', { ...own, value: platform });
      const { stream_ops, opened } = emscripten(directory, []);
      Object.defineProperty(process, 'platform', own);
      for (const stream of [file, folder]) stream_ops.open(stream);
      return opened;
    };
    expect(opensOn('linux')).toEqual([file, folder]);
    expect(opensOn('win32')).toEqual([file]);
  });
});
