/** Of what stands between the letters and digits of a name, the database leaves out these characters. */
const BETWEEN = " -‐‑–—_,.;:/\\()[]{}+&*'’·%";

/** The form in which the database compares whole names: no blanks, no marks, lower case. */
export const plainKey = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}|\p{Cf}|\s/gu, '')
    .toLowerCase()
    .replace(/[-‐‑–—_,.;:/\\()[\]{}+&*'’·%]/gu, '');

const keyOf = (column: string): string =>
  `translate(lower(normalize(i.${column}, NFKC)), '${BETWEEN.replace(/'/g, "''")}', '')`;

/** SQL: both names of ingredient `i`, each with its `key`. */
export const NAMES_BY_KEY = `(VALUES (${keyOf('inci_name')}), (${keyOf('chinese_name')}))`;
