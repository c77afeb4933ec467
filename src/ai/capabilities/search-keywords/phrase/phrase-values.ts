/** Bounds of the share of an ingredient, in percent. */
export interface PercentBounds {
  readonly min?: number;
  readonly max?: number;
  /** The bounds themselves are excluded. */
  readonly isExclusive?: boolean;
}

/** A value at a position in a phrase. */
export interface PhraseValue<T> {
  readonly start: number;
  readonly end: number;
  readonly value: T;
}

/**
 * Returns the values that patterns find in a phrase. The patterns are in order of precedence: at each position, the
 * first one that matches is used.
 * @param read returns undefined if the match has no value
 */
function valuesIn<T, Reader>(
  patterns: readonly (readonly [pattern: RegExp, reader: Reader])[],
  phrase: string,
  read: (
    match: RegExpExecArray,
    reader: Reader,
    place: { start: number; end: number },
  ) => PhraseValue<T> | undefined,
): PhraseValue<T>[] {
  const found: PhraseValue<T>[] = [];
  for (const [pattern, reader] of patterns) {
    for (const match of phrase.matchAll(pattern)) {
      const start = match.index;
      const end = start + match[0].length;
      if (found.some((other) => start < other.end && other.start < end)) continue;
      const value = read(match, reader, { start, end });
      if (value) found.push(value);
    }
  }
  return found;
}

const NUMBER = String.raw`(\d+(?:\.\d+)?|\.\d+)`;
const UNIT = String.raw`\s*(%|‰|ppm|percent|per cent)`;
const before = (words: string): RegExp => new RegExp(String.raw`(?:${words})\s*${NUMBER}${UNIT}`, 'g');

type BoundsOf = (first: number, second: number) => PercentBounds;

const BOUNDS: readonly (readonly [pattern: RegExp, boundsOf: BoundsOf])[] = [
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
export const percentBounds = (phrase: string): PhraseValue<PercentBounds>[] =>
  valuesIn<PercentBounds, BoundsOf>(BOUNDS, phrase, (match, boundsOf, place) => {
    const numbers = match.slice(1, -1).map(Number);
    const factor = PERCENT_IN[match.at(-1) ?? ''] ?? 1;
    const [first = 0, second = first] = numbers.map((number) => Number((number * factor).toPrecision(12)));
    return { ...place, value: boundsOf(first, second) };
  }).sort((one, other) => one.start - other.start);

/** A range of time. `until` is exclusive. One of the two may be open. */
export interface DateRange {
  readonly from?: Date;
  readonly until?: Date;
}

const MONTHS = 'january|february|march|april|may|june|july|august|september|october|november|december'.split(
  '|',
);

/** Days and months are in the service's time zone (`TZ`). A week begins on Monday. */
const day = (now: Date, days = 0): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
const month = (now: Date, months = 0): Date => new Date(now.getFullYear(), now.getMonth() + months, 1);
const year = (now: Date, years = 0): Date => new Date(now.getFullYear() + years, 0, 1);
const week = (now: Date, weeks = 0): Date => day(now, weeks * 7 - ((now.getDay() + 6) % 7));

type RangeOf = (now: Date, parts: readonly string[]) => DateRange;

const pastDays =
  (count: string): RangeOf =>
  (now, parts) => ({
    from: day(now, 1 - Math.min(10_000, Number(parts[0] ?? count))),
    until: day(now, 1),
  });

const DATES: readonly (readonly [pattern: RegExp, rangeOf: RangeOf])[] = [
  [/(?:最近|近|过去)\s*(\d+)\s*[天日]|\b(?:last|past)\s+(\d+)\s+days\b/g, pastDays('1')],
  [/(?:最近|近|过去)(?:一周|1周|七天|一个星期)|\bpast week\b/g, pastDays('7')],
  [/(?:最近|近|过去)(?:一个月|1个月|三十天)|\bpast month\b/g, pastDays('30')],
  [/今天|今日|\btoday\b/g, (now) => ({ from: day(now), until: day(now, 1) })],
  [/昨天|昨日|\byesterday\b/g, (now) => ({ from: day(now, -1), until: day(now) })],
  [/前天/g, (now) => ({ from: day(now, -2), until: day(now, -1) })],
  [/上上(?:个)?(?:周|星期)|\bweek before last\b/g, (now) => ({ from: week(now, -2), until: week(now, -1) })],
  [/上(?:个)?(?:周|星期|礼拜)|\blast week\b/g, (now) => ({ from: week(now, -1), until: week(now) })],
  [/(?:本|这|这个)(?:周|星期|礼拜)|\bthis week\b/g, (now) => ({ from: week(now), until: week(now, 1) })],
  [/上(?:个)?月|\blast month\b/g, (now) => ({ from: month(now, -1), until: month(now) })],
  [/(?:本|这|这个|当)月|\bthis month\b/g, (now) => ({ from: month(now), until: month(now, 1) })],
  [/去年|\blast year\b/g, (now) => ({ from: year(now, -1), until: year(now) })],
  [/今年|本年|\bthis year\b/g, (now) => ({ from: year(now), until: year(now, 1) })],
  [
    /(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?(?!\d)/g,
    (_, parts) => {
      const first = new Date(Number(parts[0]), Number(parts[1]) - 1, Number(parts[2]));
      return { from: first, until: day(first, 1) };
    },
  ],
  [
    /(\d{4})\s*[-/年]\s*(\d{1,2})(?!\d)\s*月?/g,
    (_, parts) => {
      const first = new Date(Number(parts[0]), Number(parts[1]) - 1, 1);
      return { from: first, until: month(first, 1) };
    },
  ],
  [
    new RegExp(String.raw`\b(${MONTHS.join('|')})\s+(\d{4})\b`, 'g'),
    (_, parts) => {
      const first = new Date(Number(parts[1]), MONTHS.indexOf(parts[0]!), 1);
      return { from: first, until: month(first, 1) };
    },
  ],
  [
    /(\d{4})\s*年/g,
    (_, parts) => {
      const first = new Date(Number(parts[0]), 0, 1);
      return { from: first, until: year(first, 1) };
    },
  ],
];

const SINCE = /(?:\bsince|\bafter|\bfrom|自从|自|从)\s*$/;
const SINCE_BEHIND = /^\s*(?:之后|以后|以来|后|起)/;
const BEFORE = /(?:\bbefore|\buntil|\bprior to)\s*$/;
const BEFORE_BEHIND = /^\s*(?:之前|以前|前)/;

/** Returns the dates in a phrase (in lower case). */
export const phraseDates = (phrase: string, now: Date): PhraseValue<DateRange>[] =>
  valuesIn<DateRange, RangeOf>(DATES, phrase, (match, rangeOf, place) => {
    const range = rangeOf(
      now,
      match.slice(1).filter((part) => part !== undefined),
    );
    return Number.isNaN(range.from?.getTime()) ? undefined : openEnded(phrase, { ...place, value: range });
  });

function openEnded(phrase: string, { start, end, value }: PhraseValue<DateRange>): PhraseValue<DateRange> {
  const ahead = phrase.slice(0, start);
  const behind = phrase.slice(end);
  const before = BEFORE.exec(ahead)?.[0];
  const beforeBehind = BEFORE_BEHIND.exec(behind)?.[0];
  if (before !== undefined || beforeBehind !== undefined) {
    const place = { start: start - (before?.length ?? 0), end: end + (beforeBehind?.length ?? 0) };
    return { ...place, value: { until: value.from } };
  }
  const since = SINCE.exec(ahead)?.[0];
  const sinceBehind = SINCE_BEHIND.exec(behind)?.[0];
  if (since === undefined && sinceBehind === undefined) return { start, end, value };
  const place = { start: start - (since?.length ?? 0), end: end + (sinceBehind?.length ?? 0) };
  return { ...place, value: { from: value.from } };
}
