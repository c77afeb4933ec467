const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** The limit itself begins; not the date of an impurity or of products on the shelf. */
const PLACED =
  /^(?:new (?:wording|limit): |in force for )?placing on the market (?:from|since) (\d\d)\/(\d\d)\/(\d{4})\b/;
const IN_WORDS =
  /^From (\d{1,2}) ([A-Z][a-z]+) (\d{4}) cosmetic products containing that substance and not complying with the conditions shall not be placed on the Union market/;

/** The day from which products placed on the market must keep to a limit, where its conditions say exactly one. */
export function beginsOn(conditions: string | null): string | null {
  const days = (conditions ?? '').split(/;\s*|\n+/).flatMap((part) => {
    const numbers = PLACED.exec(part.trim());
    if (numbers) return [dayOf(Number(numbers[3]), Number(numbers[2]), Number(numbers[1]))];
    const words = IN_WORDS.exec(part.trim());
    return words ? [dayOf(Number(words[3]), MONTHS.indexOf(words[2]!) + 1, Number(words[1]))] : [];
  });
  return days.length === 1 ? (days[0] ?? null) : null;
}

/** Splits `As from 3 June 2021: 0,5 %`. Without such a beginning, `rest` is all of it. */
export function beginningIn(text: string): { day?: string; rest: string } {
  const [, date, month, year, rest] = /^As from (\d{1,2}) ([A-Z][a-z]+) (\d{4}):? (.+)$/.exec(text) ?? [];
  const day = dayOf(Number(year), MONTHS.indexOf(month ?? '') + 1, Number(date));
  return day === undefined || rest === undefined ? { rest: text } : { day, rest };
}

/** A day as `2026-12-31`; undefined for one that the calendar does not have. */
function dayOf(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal =
    year >= 1900 && year <= 9999 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.toISOString().slice(0, 10) : undefined;
}

/** Reads `2026-12-31`, or `31/12/2026`. */
export function readDay(text: string): string | undefined {
  const iso = /^(\d{4})-(\d\d)-(\d\d)(?:T00:00:00(?:\.000)?Z)?$/.exec(text);
  if (iso) return dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const european = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text);
  return european ? dayOf(Number(european[3]), Number(european[2]), Number(european[1])) : undefined;
}
