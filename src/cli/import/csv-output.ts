import { once } from 'node:events';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { escapeFormula } from '../../imports/mapping/formula-escape';
import { CliError } from '../cli-error';

export type Cell = string | number | null;

/** Excel takes a CSV file for UTF-8 only with this mark at its beginning. */
const BYTE_ORDER_MARK = '\ufeff';

interface OpenOptions {
  /** Replace an existing file. */
  force?: boolean;
  /** Where rows go without a path. */
  stdout: Writable;
}

/**
 * A CSV file being written. A file appears under its name when it is complete: until then, and after a
 * failure, what was there before is untouched.
 */
export class CsvOutput {
  private begun = false;

  private constructor(
    private readonly stdout: Writable,
    private readonly file?: { handle: FileHandle; path: string; temporary: string; force: boolean },
  ) {}

  /** @throws CliError when the file exists (without `force`), is a directory or cannot be written */
  static async open(path: string | undefined, { force = false, stdout }: OpenOptions): Promise<CsvOutput> {
    if (path === undefined) return new CsvOutput(stdout);
    if (await isDirectory(path)) throw new CliError(`${path} is a directory.`);
    try {
      // Claims the name, so that two exports cannot both believe it to be free.
      if (!force) await (await open(path, 'wx')).close();
      const temporary = `${path}.${process.pid}.part`;
      return new CsvOutput(stdout, { handle: await open(temporary, 'w'), path, temporary, force });
    } catch (error) {
      throw outputError(error, path);
    }
  }

  async write(rows: readonly (readonly Cell[])[]): Promise<void> {
    const text = stringify(
      rows.map((row) => row.map((cell) => (typeof cell === 'string' ? escapeFormula(cell) : cell))),
      // Of itself it puts a cell in quotes for a whole CRLF only.
      { record_delimiter: '\r\n', quoted_match: /[\r\n]/ },
    );
    const bytes = (this.begun ? '' : BYTE_ORDER_MARK) + text;
    this.begun = true;
    if (this.file) await this.file.handle.writeFile(bytes);
    else if (!this.stdout.write(bytes)) await once(this.stdout, 'drain');
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

/** Asked before anything is exported: at its end no file can take the place of a directory. */
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
