import { Injectable } from '@nestjs/common';
import type { JsonText } from '../common/json-text';
import { RecentMap } from '../common/recent-map';
import type { Caller } from './caller';
import { HeavyTurn } from './heavy-turn';
import { HeavyWork } from './heavy-work';

/** From so many characters on, an answer takes the event loop some milliseconds. */
const LARGE = 64 * 1024;

/** Large records that are remembered. */
const MOST_KEPT = 50_000;

/**
 * Reads records that may be large. How large one is, nobody knows before it is read, so those that were large
 * are remembered: reading them takes a turn.
 */
@Injectable()
export class LargeReads {
  private readonly large = new RecentMap<string, true>(MOST_KEPT);

  constructor(private readonly heavy: HeavyWork) {}

  /**
   * Reads a text, in a turn if it was large when it was read last.
   * @param kind of the turn; `catalogue` where formulas have no part in it
   * @param uuid of the record, or another name of what is read
   * @throws UnavailableError, and Error inside another turn, as `HeavyWork.run`; what `read` throws
   */
  async read<T extends JsonText>(
    kind: 'reading' | 'catalogue',
    uuid: string,
    caller: Caller,
    read: () => Promise<T>,
  ): Promise<T> {
    // Whatever its size: else the mistake would only show with the first large record.
    HeavyTurn.refuseInside(kind);
    // Of any case: PostgreSQL takes both.
    const key = uuid.toLowerCase();
    const wasLarge = this.large.get(key);
    const json = await this.heavy.runWhere(wasLarge && kind, caller, read);
    if (json.text.length >= LARGE) this.large.set(key, true);
    else if (wasLarge) this.large.delete(key);
    return json;
  }
}
