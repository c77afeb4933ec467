/** Unicode's Default_Ignorable_Code_Point as a PostgreSQL bracket expression. */
const INVISIBLE =
  '[\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F' +
  '\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFF8\\U0001BCA0-\\U0001BCA3\\U0001D173-\\U0001D17A' +
  '\\U000E0000-\\U000E0FFF]';

/** Characters beyond ASCII that JavaScript's `\s` matches and NFKC preserves, and the blanks of `nameKey`. */
const BLANK =
  '[\\u0009-\\u000D\\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u2800\\u3000]';

/**
 * SQL for the form in which names of rows are compared, the same as `nameKey` in JavaScript. A plain ASCII name, as
 * most names are, is not normalised.
 * @param name an expression of type text
 */
export const nameKeySql = (name: string): string =>
  `normalize(lower(CASE WHEN octet_length(${name}) = length(${name})
     THEN btrim(translate(${name}, E'\\t\\n\\x0B\\f\\r', '     '))
     ELSE btrim(regexp_replace(translate(normalize(regexp_replace(normalize(${name}, NFKC), '${INVISIBLE}', '', 'g'), NFKC),
       U&'\\0130\\03C2', U&'i\\03C3'), '${BLANK}', ' ', 'g')) END), NFC)`;
