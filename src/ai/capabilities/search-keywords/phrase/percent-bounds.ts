/** Bounds of the share of an ingredient, in percent. */
export interface PercentBounds {
  readonly min?: number;
  readonly max?: number;
  /** The bounds themselves are excluded. */
  readonly isExclusive?: boolean;
}

/** A value at a position in a phrase. */
export interface Found<T> {
  readonly start: number;
  readonly end: number;
  readonly value: T;
}

const NUMBER = String.raw`(\d+(?:\.\d+)?|\.\d+)`;
const UNIT = String.raw`\s*(%|‰|ppm|percent|per cent)`;
const before = (words: string): RegExp => new RegExp(String.raw`(?:${words})\s*${NUMBER}${UNIT}`, 'g');

type Reading = readonly [pattern: RegExp, boundsOf: (first: number, second: number) => PercentBounds];

/** In order of precedence: at each position, the first pattern that matches is used. */
const READINGS: readonly Reading[] = [
  [
    new RegExp(
      String.raw`(?:between\s+|介于\s*)?${NUMBER}\s*(?:%|‰|ppm)?\s*(?:-|~|–|—|to|and|到|至|和)\s*${NUMBER}${UNIT}(?:之间)?`,
      'g',
    ),
    (min, max) => ({ min, max }),
  ],
  [
    before(
      'no more than|not more than|not exceeding|at most|up to|max\\.?|maximum|<=|≤|不超过|不大于|不高于|不多于|至多|最多|小于等于|上限',
    ),
    (max) => ({ max }),
  ],
  [
    before(
      'no less than|not less than|at least|min\\.?|minimum|>=|≥|不少于|不低于|不小于|至少|最少|大于等于|下限',
    ),
    (min) => ({ min }),
  ],
  [
    before('under|below|less than|lower than|<|小于|低于|少于|不到|不足'),
    (max) => ({ max, isExclusive: true }),
  ],
  [
    before('over|above|more than|greater than|higher than|>|大于|高于|超过|多于'),
    (min) => ({ min, isExclusive: true }),
  ],
  [new RegExp(String.raw`${NUMBER}${UNIT}\s*(?:及?以上|or more|or above|\+)`, 'g'), (min) => ({ min })],
  [new RegExp(String.raw`${NUMBER}${UNIT}\s*(?:及?以下|以内|or less|or below)`, 'g'), (max) => ({ max })],
  [new RegExp(NUMBER + UNIT, 'g'), (share) => ({ min: share, max: share })],
];

const PERCENT_IN: Readonly<Record<string, number>> = { '‰': 0.1, ppm: 0.0001 };

/** Returns the bounds in a phrase (in lower case), in the order of the phrase. */
export function percentBounds(phrase: string): Found<PercentBounds>[] {
  const found: Found<PercentBounds>[] = [];
  for (const [pattern, boundsOf] of READINGS) {
    for (const match of phrase.matchAll(pattern)) {
      const start = match.index;
      const end = start + match[0].length;
      if (found.some((other) => start < other.end && other.start < end)) continue;
      const numbers = match.slice(1, -1).map(Number);
      const factor = PERCENT_IN[match.at(-1) ?? ''] ?? 1;
      const [first = 0, second = first] = numbers.map((number) => Number((number * factor).toPrecision(12)));
      found.push({ start, end, value: boundsOf(first, second) });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}
