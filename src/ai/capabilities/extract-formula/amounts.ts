/** What the text of an amount says. */
export type Amount =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'range'; readonly low: number; readonly high: number }
  /** As much as is needed (q.s., 适量): without a number. */
  | { readonly kind: 'as-needed' }
  /** Whatever is missing to the total (余量, 加至100). */
  | { readonly kind: 'balance'; readonly target?: number }
  | { readonly kind: 'unknown' };

/** q.s. to 100, ad 100, to 100 %, 加至100, 补足至100, 加水至100, 余量, 平衡, balance, remainder. */
const BALANCE_TARGET =
  /(?:q\.?\s*s\.?\s*)?(?:\bto|\bad|加[^0-9]{0,6}[至到]|补[^0-9]{0,6}[至到]|定容至?|至|\bq\.?\s*s\.?\s*p?\.?|余)\s*[::(]?\s*(\d+(?:[.,]\d+)?)/iu;
const BALANCE_WORD =
  /余量|余額|余额|其余|剩余|补足|补齐|平衡|\bbalance\b|\bbal\.?(?![a-z])|\bremainder\b|\brest\b/iu;
const AS_NEEDED = /\bq\.?\s*s\b\.?|quantum\s+sat|适量|適量|少许|微量|\bas\s+needed\b|\btrace\b/iu;
/** An amount is short; in longer notes it stands at the beginning. */
const LONGEST_AMOUNT = 200;
const NUMBER = String.raw`(\d+(?:[.,]\d+)?|[.,]\d+)`;
const RANGE = new RegExp(String.raw`${NUMBER}\s*%?\s*(?:-|–|—|~|~|至|到|\bto\b)\s*${NUMBER}`, 'iu');
const SINGLE = new RegExp(NUMBER, 'u');

/** Reads an amount as laboratories write it: "2.5", "1-3", "1~3%", "q.s.", "适量", "加至100", "to 100", "余量". */
export function readAmount(text: string): Amount {
  const normal = text
    .slice(0, LONGEST_AMOUNT)
    .normalize('NFKC')
    .replace(THOUSANDS, (digits) => digits.replaceAll(',', ''))
    .trim();
  const range = RANGE.exec(normal);
  if (range) {
    const low = toNumber(range[1]);
    const high = toNumber(range[2]);
    if (high >= low) return { kind: 'range', low, high };
  }
  const target = BALANCE_TARGET.exec(normal);
  if (target) return { kind: 'balance', target: toNumber(target[1]) };
  if (BALANCE_WORD.test(normal)) return { kind: 'balance' };
  if (AS_NEEDED.test(normal)) return { kind: 'as-needed' };
  const single = SINGLE.exec(normal);
  return single ? { kind: 'number', value: toNumber(single[1]) } : { kind: 'unknown' };
}

/** A comma is a decimal comma; those of thousands are gone. */
function toNumber(text: string | undefined): number {
  return Number((text ?? '').replace(',', '.'));
}

/** "1,600 g" has thousands: nobody weighs to three decimals and leaves none out. Percentages have none. */
const THOUSANDS = /(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?=\s*(?:k?g|mg|grams?|克|千克|公斤|毫克)(?![a-z]))/giu;

const GRAMS: ReadonlyMap<string, number> = new Map([
  ...['g', 'gram', 'grams', '克'].map((unit) => [unit, 1] as const),
  ...['kg', '千克', '公斤'].map((unit) => [unit, 1000] as const),
  ...['mg', '毫克'].map((unit) => [unit, 0.001] as const),
]);

/** Grams in one unit of mass; undefined for everything else (percent, parts, volumes). */
export function gramsPer(unit: string | null | undefined): number | undefined {
  return unit ? GRAMS.get(unit.normalize('NFKC').trim().toLowerCase()) : undefined;
}
