import { offsetOf } from '../common/pagination';
import { RecentMap } from '../common/recent-map';
import type { FormulaListing } from './formula.dto';

/** How formulas that contain a common text are counted: by the index of texts, or by reading all texts. */
export type CommonTextWay = 'index' | 'texts';

/**
 * Formulas that are looked at for the page, for each among which it is expected: they are not spread evenly.
 */
export const LOOKS_PER_EXPECTED = 4;

/** The page is looked for where that is at most this part of counting. */
const PART_OF_COUNTING = 0.25;

/** From this share of all formulas on it is faster to read all texts than to use the index. */
const READ_ALL_FROM = 0.5;

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
  /** The first page end that was not found, by text and order. */
  private readonly missed = new RecentMap<string, number>(REMEMBERED);

  /** How to search for a text that is so common that this page is expected among the first formulas. */
  wayOf(text: string, listing: FormulaListing): CommonTextWay | undefined {
    const share = this.shares.get(text);
    const end = endOf(listing);
    if (!share || end >= (this.missed.get(keyOf(text, listing)) ?? Infinity)) return undefined;
    const { total, records } = share;
    const looks = LOOKS_PER_EXPECTED * end * (records / total);
    if (looks > PART_OF_COUNTING * total) return undefined;
    return total < READ_ALL_FROM * records ? 'index' : 'texts';
  }

  /** @param records null where the text is found in too few formulas to be common */
  found(text: string, total: number, records: number | null): void {
    if (records === null) this.shares.delete(text);
    else this.shares.set(text, { total, records });
  }

  /** The page was not among the first formulas: the text stands in the last ones, in this order. */
  notAmongFirst(text: string, listing: FormulaListing): void {
    this.missed.set(keyOf(text, listing), endOf(listing));
  }
}

const endOf = (listing: FormulaListing): number => offsetOf(listing) + listing.limit;

const keyOf = (text: string, { sortBy, sortOrder }: FormulaListing) => `${sortBy} ${sortOrder} ${text}`;
