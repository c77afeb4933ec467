import { AsyncResource } from 'node:async_hooks';
import DataLoader from 'dataloader';

/** A row read by its id. */
export interface KeyedRow {
  id: string;
}

/** Most ids in one statement: beyond it the first would wait too long for the last. */
const MOST_AT_ONCE = 100;

/**
 * How long reads wait for the answer of a statement under way before theirs is sent, in milliseconds: about
 * what a statement takes, and nothing to somebody who waits for one that hangs.
 */
export const GATHERING_MS = 2;

/**
 * Reads of single rows by id, those of one turn of the event loop in one statement, and those that come while
 * another is under way in the next: with sixteen requests at once that is a quarter of Node's share of a read
 * and a fraction of PostgreSQL's. Nothing is kept: every read happens after it was asked for.
 */
export class KeyedReads<Row extends KeyedRow> {
  private readonly loader: DataLoader<string, Row | undefined>;
  private underWay = 0;
  /** Sends what has gathered. */
  private readonly gathered = new Set<() => void>();

  /** @param readAll the rows with these ids, those that exist, in any order */
  constructor(private readonly readAll: (ids: readonly string[]) => Promise<readonly Row[]>) {
    this.loader = new DataLoader<string, Row | undefined>((ids) => this.readTogether(ids), {
      cache: false,
      batchScheduleFn: (send) => this.schedule(send),
      maxBatchSize: MOST_AT_ONCE,
    });
  }

  read(id: string): Promise<Row | undefined> {
    return this.loader.load(id);
  }

  private schedule(send: () => void): void {
    // It belongs to the request that began it, also behind the statement of another.
    const sendBound = AsyncResource.bind(send);
    if (this.underWay === 0) {
      setImmediate(sendBound);
      return;
    }
    const sendNow = () => {
      clearTimeout(timer);
      this.gathered.delete(sendNow);
      sendBound();
    };
    const timer = setTimeout(sendNow, GATHERING_MS);
    this.gathered.add(sendNow);
  }

  private async readTogether(ids: readonly string[]): Promise<(Row | undefined)[]> {
    this.underWay += 1;
    try {
      const rows = new Map((await this.readAll([...new Set(ids)])).map((row) => [row.id, row]));
      return ids.map((id) => rows.get(id));
    } finally {
      this.underWay -= 1;
      for (const sendNow of this.gathered) sendNow();
    }
  }
}
