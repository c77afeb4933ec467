import { once } from 'node:events';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { CliError } from '../cli-io';

interface OpenOptions {
  /** Replace an existing file. */
  force?: boolean;
  /** Used if there is no path. */
  stdout: Writable;
}

/**
 * A file that is written under a temporary name and renamed when it is complete. Until then, and after a failure,
 * an existing file stays unchanged.
 */
export class FileOutput {
  private constructor(
    private readonly stdout: Writable,
    private readonly file?: { handle: FileHandle; path: string; temporary: string; force: boolean },
  ) {}

  /** @throws CliError if the file exists (without `force`), is a directory or cannot be written */
  static async open(path: string | undefined, { force = false, stdout }: OpenOptions): Promise<FileOutput> {
    if (path === undefined) return new FileOutput(stdout);
    if (await isDirectory(path)) throw new CliError(`${path} is a directory.`);
    try {
      // Reserves the name, so that two exports cannot both find it free.
      if (!force) await (await open(path, 'wx')).close();
      const temporary = `${path}.${process.pid}.part`;
      return new FileOutput(stdout, { handle: await open(temporary, 'w'), path, temporary, force });
    } catch (error) {
      throw outputError(error, path);
    }
  }

  async write(piece: string | Uint8Array): Promise<void> {
    if (this.file) await this.file.handle.writeFile(piece);
    else if (!this.stdout.write(piece)) await once(this.stdout, 'drain');
  }

  async close(): Promise<void> {
    if (!this.file) return;
    await this.file.handle.sync();
    await this.file.handle.close();
    await rename(this.file.temporary, this.file.path);
  }

  async discard(): Promise<void> {
    if (!this.file) return;
    await this.file.handle.close().catch(() => undefined);
    await rm(this.file.temporary, { force: true });
    if (!this.file.force) await rm(this.file.path, { force: true });
  }
}

/** Checked before anything is exported, because a file cannot replace a directory at the end. */
const isDirectory = (path: string) =>
  stat(path).then(
    (status) => status.isDirectory(),
    () => false,
  );

function outputError(error: unknown, path: string): unknown {
  switch ((error as NodeJS.ErrnoException).code ?? '') {
    case 'EEXIST':
      return new CliError(`${path} exists: choose another name, or --force to replace it.`);
    case 'ENOENT':
    case 'ENOTDIR':
      return new CliError(`${path}: there is no such directory.`);
    case 'EISDIR':
      return new CliError(`${path} is a directory.`);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new CliError(`${path}: permission denied.`);
    default:
      return error;
  }
}
