import { oneLine } from './cells';
import { RefusedCell } from './limit-draft';
import { percentOf } from './limit-number';
import { beginningIn } from './market-dates';

/** A limit of the official tables: its number, and the meaning of the words around it. */
export interface CosingLimit {
  readonly limitPercent: string;
  readonly limitText: string;
  readonly basis: string | null;
  readonly sum: string | null;
  /** Present if the cell contains it. */
  readonly validFrom?: string;
}

const NUMBER_AND_WORDS = /^(?<number>\d+(?:[.,]\d+)?)\s*%\s*(?<words>.*)$/;
/** `(as free SO2)`, `(of Hg)`, `(as % of anhydrous substance)`, `(after mixing for use)`. */
const BASIS = /^\(?(?:as (?:an? )?(?:% of )?|of |calculated as )(?<basis>[^%()]+?)\)?$/;
const BARE_BASES: Readonly<Record<string, string>> = {
  '(acid)': 'acid',
  '(after mixing for use)': 'after mixing',
};
/** The footnote about the sum of the nano form and the other form. */
const WITH_NANO = /^\W*in case of combined use of .+ and .+\(nano\),? the sum shall not exceed(?<tail>.*)$/i;
/** Substances of other entries count together with it. */
const WITH_OTHERS =
  /^\(?(?:calculated )?(?:as|of) (?<basis>[^()%.]+?)\)?[.\s]+(?:when|if) mixed with (?<others>other .+?)(?: permitted| authori[sz]ed|,? the total|, total).*(?:exceed|fixed at)(?<tail>[^%]*%)$/i;
const RETINOL_EQUIVALENT = /^retinol equivalent \(re\)$/i;

/**
 * Reads a limit such as `0,5 % (acid)`. Unknown words are refused, because they may change the meaning of the
 * number.
 * @throws RefusedCell
 */
export function cosingLimit(text: string): CosingLimit {
  const { rest, day } = beginningIn(oneLine(text).replace(/[.;,]$/, ''));
  const plain = rest.replace(/^- /, '');
  const { number, words } = NUMBER_AND_WORDS.exec(plain)?.groups ?? {};
  if (number === undefined || words === undefined) throw notANumber(plain);
  const limitPercent = percentOf(number, 'maximum');
  const made = (basis: string | null, sum: string | null) => ({
    limitPercent,
    limitText: plain,
    basis,
    sum,
    ...(day !== undefined && { validFrom: day }),
  });
  if (words === '') return made(null, null);
  const nano = WITH_NANO.exec(words)?.groups;
  if (nano && hasNoOtherNumber(nano.tail!, limitPercent)) return made(null, 'sum with the nano form');
  const others = WITH_OTHERS.exec(words)?.groups;
  if (others && hasNoOtherNumber(others.tail!, limitPercent)) {
    return made(others.basis!, `sum, combined with ${others.others}`);
  }
  if (RETINOL_EQUIVALENT.test(words)) return made('retinol', 'sum as retinol equivalent');
  if (/\d\s*%/.test(words)) throw new RefusedCell('two-numbers', 'maximum', plain);
  const basis = BARE_BASES[words] ?? BASIS.exec(words)?.groups?.basis;
  if (basis === undefined || /\b(?:when|if|mixture|ratio)\b/i.test(basis)) {
    const isScope = /\b(?:products?|rinse|leave|fragrance|toilette)\b/i.test(words);
    throw new RefusedCell(isScope ? 'scope-in-limit' : 'unknown-unit', 'maximum', plain);
  }
  return made(basis, null);
}

/** Returns true if the text contains no percentage but the limit itself. */
const hasNoOtherNumber = (text: string, limitPercent: string): boolean =>
  [...text.matchAll(/(\d+(?:[.,]\d+)?)\s*%/g)].every(
    (match) => percentOf(match[1]!, 'maximum') === limitPercent,
  );

function notANumber(text: string): RefusedCell {
  const numbers = text.match(/\d+(?:[.,]\d+)?\s*%/g)?.length ?? 0;
  if (numbers > 1) return new RefusedCell('two-numbers', 'maximum', text);
  if (numbers === 1) return new RefusedCell('not-one-number', 'maximum', text);
  return new RefusedCell('words-only', 'maximum', text);
}
