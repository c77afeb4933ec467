import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedDatabaseInUseError } from './errors';

export class DirectoryLock {
  private constructor(private readonly file: string) {}

  static acquire(directory: string): Promise<DirectoryLock> {
    const file = join(directory, 'lock');
    for (;;) {
      try {
        writeFileSync(file, `${process.pid}`, { flag: 'wx' });
        return Promise.resolve(new DirectoryLock(file));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const pid = Number(readFileSync(file, 'utf8'));
      try {
        process.kill(pid, 0);
      } catch {
        rmSync(file, { force: true });
        continue;
      }
      throw new EmbeddedDatabaseInUseError(directory, pid);
    }
  }

  release(): Promise<void> {
    rmSync(this.file, { force: true });
    return Promise.resolve();
  }
}
