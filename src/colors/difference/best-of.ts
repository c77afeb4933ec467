import { type CieLab } from './color-difference';

/** A stored colour, with the fields that ranking needs. */
export interface PlacedColor extends CieLab {
  /** UUID in lower case. */
  id: string;
}

export interface Ranked {
  id: string;
  /** Difference to the query. */
  distance: number;
}

/**
 * Collects the k best of the colours that are added, in order. A colour that is added twice counts
 * once, even if it was changed in between.
 */
export class BestOf {
  private readonly entries: Ranked[] = [];

  constructor(
    private readonly query: CieLab,
    readonly k: number,
    private readonly between: (query: CieLab, other: CieLab) => number,
  ) {}

  add(candidates: Iterable<PlacedColor>): this {
    const { entries, k, query, between } = this;
    for (const candidate of candidates) {
      const entry: Ranked = { id: candidate.id, distance: between(query, candidate) };
      if (entries.length === k && !before(entry, entries[k - 1]!)) continue;
      let low = 0;
      let high = entries.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (before(entries[middle]!, entry)) low = middle + 1;
        else high = middle;
      }
      if (entries.some(({ id }) => id === entry.id)) continue;
      entries.splice(low, 0, entry);
      if (entries.length > k) entries.pop();
    }
    return this;
  }

  /** Returns the k-th best difference, or infinity if there are fewer than k colours. */
  worst(): number {
    return this.entries.length < this.k ? Infinity : this.entries[this.k - 1]!.distance;
  }

  ranked(): Ranked[] {
    return this.entries;
  }
}

/** UUIDs are lower-case text of one length here, so text order is the order of PostgreSQL. */
function before(x: Ranked, y: Ranked): boolean {
  return x.distance < y.distance || (x.distance === y.distance && x.id < y.id);
}
