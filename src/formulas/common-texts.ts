import { offsetOf } from '../common/pagination';
import { RecentMap } from '../common/recent-map';
import type { FormulaListing } from './formula.dto';

/** How formulas that contain a common text are counted: by the index of texts, or by reading all texts. */
export type CommonTextWay = 'index' | 'texts';

/** Counted formulas for each formula that is looked at for the page. */
export const COUNTED_PER_LOOK = 4;

/** From this share of all formulas on reading all texts is faster than the index. */
const MOST = 0.5;

/** So many times the formulas of the page are expected where it is looked for: they are not spread evenly. */
const SPARE = 2;

const REMEMBERED = 1000;

/** How many formulas contain a text, and how many there are. */
interface Share {
  readonly total: number;
  readonly records: number;
}

/**
 * What searches for a text found lately, for the next search of it. It may be out of date: only how fast the
 * answer is found depends on it, not the answer.
 */
export class CommonTexts {
  private readonly shares = new RecentMap<string, Share>(REMEMBERED);
  private readonly missed = new RecentMap<string, true>(REMEMBERED);

  /** How to search for a text that is so common that this page is expected among the first formulas. */
  wayOf(text: string, listing: FormulaListing): CommonTextWay | undefined {
    const share = this.shares.get(text);
    if (!share || this.missed.get(keyOf(text, listing))) return undefined;
    const { total, records } = share;
    const expected = (total / COUNTED_PER_LOOK) * (total / records);
    if (expected < SPARE * (offsetOf(listing) + listing.limit)) return undefined;
    return total < MOST * records ? 'index' : 'texts';
  }

  /** @param records null where the text is found in too few formulas to be common */
  found(text: string, total: number, records: number | null): void {
    if (records === null) this.shares.delete(text);
    else this.shares.set(text, { total, records });
  }

  /** The page was not among the first formulas: the text stands in the last ones, in this order. */
  notAmongFirst(text: string, listing: FormulaListing): void {
    this.missed.set(keyOf(text, listing), true);
  }
}

const keyOf = (text: string, { sortBy, sortOrder }: FormulaListing) => `${sortBy} ${sortOrder} ${text}`;
