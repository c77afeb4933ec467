import { text } from '../../common/texts/text';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Most ids in the query of a list. */
export const MAX_IDS = 200;

/** A date, midnight in UTC, or a time with its zone. */
const DATE_OR_TIME = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

export const uuidFault = (id: string) => (UUID.test(id) ? undefined : text('field.not-a-uuid'));

/** Stands for the formulas without a project. */
export const NO_PROJECT = 'none';

export const projectFault = (id: string) => (id === NO_PROJECT ? undefined : uuidFault(id));

export const idsOf = (list: string): string[] => list.split(',').map((id) => id.trim());

export function idListFault(list: string) {
  const ids = idsOf(list);
  if (ids.length > MAX_IDS) return text('field.too-many-items', { max: MAX_IDS });
  const wrong = ids.findIndex((id) => !UUID.test(id));
  return wrong < 0 ? undefined : text('field.item-not-a-uuid', { position: wrong + 1 });
}

export function timeFault(time: string) {
  const [, date] = DATE_OR_TIME.exec(time) ?? [];
  const isTime = date !== undefined && isCalendarDate(date) && !Number.isNaN(Date.parse(time));
  return isTime ? undefined : text('field.not-a-time');
}

/** Not February 30, which JavaScript takes for March 2. */
function isCalendarDate(date: string): boolean {
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}
