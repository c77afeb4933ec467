import { InvalidInputError } from '../../platform/common/errors/service-error';
import { text } from '../../platform/texts/text';
import { uuidFault } from '../../platform/validation/id-list';

/** A date, midnight in UTC, or a time with its zone. */
const DATE_OR_TIME = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** The time that a query means: an unescaped `+` before the zone arrives as a blank. */
export const readTime = (time: string): string => time.replace(/(?<=T.*) (?=\d\d:\d\d$)/, '+');

/** Stands for the formulas without a project. */
export const NO_PROJECT = 'none';

export const projectFault = (id: string) => (id === NO_PROJECT ? undefined : uuidFault(id));

export function timeFault(given: string) {
  const time = readTime(given);
  const [, date] = DATE_OR_TIME.exec(time) ?? [];
  const isTime = date !== undefined && isCalendarDate(date) && !Number.isNaN(Date.parse(time));
  return isTime ? undefined : text('field.not-a-time');
}

/** Not February 30, which JavaScript takes for March 2. */
function isCalendarDate(date: string): boolean {
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

/** @throws InvalidInputError where the lower bound is above the upper bound */
export function assertRange<Field extends string>(
  query: { readonly [Bound in Field]?: number },
  lower: Field,
  upper: Field,
): void {
  const { [lower]: min, [upper]: max } = query;
  if (min === undefined || max === undefined || min <= max) return;
  throw InvalidInputError.of([{ field: lower, message: text('composition.reversed-range', { min, max }) }]);
}
