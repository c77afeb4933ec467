import { normalizedName } from '../../../common/normalized-name';

/** What may stand between the letters and digits of a name. Dashes and apostrophes are one in search keys. */
const MARKS = " -'.,()/_:;·&+*#[]%";
const MARK = new RegExp(`[\\s‐‒–—―−‘’ʼ′${MARKS.replace(/[-\]]/g, '\\$&')}]+`, 'gu');

/** The form in which whole names are looked up: as searches compare them, without blanks and marks. */
export const plainKey = (name: string): string => normalizedName(name).replace(MARK, '');

/** A plain key as a search key has it: what is not ASCII stands three times. */
export const inSearchKey = (key: string): string => key.replace(/\P{ASCII}/gu, '$&$&$&');

/** SQL: the plain keys of both names of a record, as they stand in its search key. */
export const PLAIN_KEYS = [...MARKS].reduce(
  (text, mark) => `replace(${text}, '${mark.replace("'", "''")}', '')`,
  'i.search_key',
);
