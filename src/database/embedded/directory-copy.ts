import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

export interface Places {
  readonly from: string;
  readonly to: string;
}

/** What files looked like before they were copied, by their names in the directory. */
export type Seen = ReadonlyMap<string, string>;

/** Copies of a directory that is written to meanwhile, each begun in a thread of its own. */
export class DirectoryCopies {
  private readonly threads = new Set<Worker>();
  private isOver = false;

  /**
   * @throws Error where there is no room for it, or it was ended: then `to` may be there in part
   */
  async begin(places: Places): Promise<Seen> {
    if (this.isOver) throw ended();
    const worker = new Worker(join(__dirname, 'worker', 'directory-copy-thread.cjs'), {
      name: 'directory-copy',
      workerData: places,
    });
    this.threads.add(worker);
    try {
      return await new Promise<Seen>((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
        worker.once('exit', () => reject(ended()));
      });
    } finally {
      this.threads.delete(worker);
    }
  }

  /** Ends those that are being made; no other is begun. */
  async end(): Promise<void> {
    this.isOver = true;
    await Promise.all([...this.threads].map((worker) => worker.terminate()));
  }
}

const ended = () => new Error('the copy of the database was ended');
