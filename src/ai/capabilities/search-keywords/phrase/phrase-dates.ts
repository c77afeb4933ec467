import { type Found } from './percent-bounds';

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

type Reading = readonly [pattern: RegExp, rangeOf: (now: Date, parts: readonly string[]) => DateRange];

const pastDays =
  (count: string): Reading[1] =>
  (now, parts) => ({
    from: day(now, 1 - Math.min(10_000, Number(parts[0] ?? count))),
    until: day(now, 1),
  });

/** In order of precedence: at each position, the first pattern that matches is used. */
const READINGS: readonly Reading[] = [
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
export function phraseDates(phrase: string, now: Date): Found<DateRange>[] {
  const found: Found<DateRange>[] = [];
  for (const [pattern, rangeOf] of READINGS) {
    for (const match of phrase.matchAll(pattern)) {
      const start = match.index;
      const end = start + match[0].length;
      if (found.some((other) => start < other.end && other.start < end)) continue;
      const range = rangeOf(
        now,
        match.slice(1).filter((part) => part !== undefined),
      );
      if (Number.isNaN(range.from?.getTime())) continue;
      found.push(openEnded(phrase, { start, end, value: range }));
    }
  }
  return found;
}

function openEnded(phrase: string, { start, end, value }: Found<DateRange>): Found<DateRange> {
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
