import {
  BETWEEN_DIGIT_AND_MARK,
  BLANK_BEFORE_PERCENT,
  MAX_NAME_KEY,
  NAME_MARKS,
  OWNERSHIP_MARKS,
  SIMPLIFIED,
  TRADITIONAL,
} from '../../../common/name-forms';

/** Removes invisible characters, separates marks from digits, and makes one form of what is left. */
export const SEARCH_TEXT = String.raw`CREATE OR REPLACE FUNCTION search_text(written text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN regexp_replace(regexp_replace(
      translate(
        normalize(lower(translate(
          normalize(regexp_replace(regexp_replace(written,
            '[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]+',
            '', 'g'),
            '${BETWEEN_DIGIT_AND_MARK}', ' ', 'g'), NFKC),
          U&'\0130\001F', 'i ')), NFC),
        U&'\03C2\2018\2019\02BC\2032\2010\2012\2013\2014\2015\2212', U&'\03C3''''''''------'),
      '[\u0009-\u000D \u0085\u1680\u2028\u2029\u2800]+', ' ', 'g'),
      '${BLANK_BEFORE_PERCENT}', '', 'g');`;

/**
 * PostgreSQL builds and analyzes indexes without a search path. So a function in an index must not look up another one
 * by its name: the body of an SQL function is bound when it is created. Its subquery keeps it from being inlined.
 */
export const SPELLING_KEY = String.raw`CREATE OR REPLACE FUNCTION spelling_key(name text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
    RETURN (
      SELECT left(string_agg(left(stem, 3) || right(stem, 2), ' ' ORDER BY place), 200)
      FROM regexp_split_to_table(regexp_replace(search_text(name), '([0-9]+|[^\x01-\x7f]+)', ' \1 ', 'g'),
                                 '[^[:alnum:]]+') WITH ORDINALITY AS part (word, place)
      CROSS JOIN LATERAL regexp_replace(word, '[se]+$', '') AS stem);`;

/**
 * `search_text(text)` is the form in which searches compare texts: it ignores differences in Unicode normal form,
 * width, blanks, dashes, apostrophes and invisible characters.
 *
 * `name_key(name)` is the form in which two names mean the same ingredient. `platform/common/name-forms.ts` has the
 * twins of both, and the characters that `name_key` replaces: a change of these needs a migration.
 *
 * `search_key(text)` is that form with every character beyond ASCII written three times. A trigram index cannot
 * serve patterns shorter than three characters, and a Chinese word often has two, or one: 保湿 becomes six
 * characters, and matches a key exactly where it matches the text. Keys of several columns are joined by U+001F,
 * which the function itself never returns, so a search finds nothing across two columns.
 *
 * Triggers fill the columns with keys instead of GENERATED ALWAYS, for which TypeORM would need a metadata table.
 *
 * `iso_time(timestamptz)` writes a time as JavaScript's `toISOString()` does, without a round trip through a `Date`.
 *
 * `words_of(text)` returns the words of a text as pg_trgm sees them, without those that have no letter (searches do
 * not compare them) or more than 200 characters (index entries have a maximum size).
 *
 * `spelling_key(name)` has the first three and last two letters of each word without a plural or final e. Names with
 * typing errors share it with their right spelling. Its high cost makes the planner use the index even on a small
 * table.
 *
 * `reads_out_of_line()` is never called. Its cost tells the planner that reading a long search key takes much more
 * time than reading its row.
 *
 * `lab_cell(l, a, b)` is the number of a colour's cell along a Z-order curve (see docs/colour.md). A cell is a
 * quarter of a unit wide, and cells start at −16384; `src/colors/difference` computes the same numbers. Five steps
 * move the 17 bits of each coordinate to every third position, then the three are combined.
 */
export const CREATE_FUNCTIONS = String.raw`
  -- Not STRICT and not IMMUTABLE, so that PostgreSQL inlines it.
  CREATE FUNCTION iso_time(moment timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
    RETURN to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

  ${SEARCH_TEXT}

  CREATE FUNCTION search_key(sought text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN regexp_replace(search_text(sought), '([^\x01-\x7f])', '\1\1\1', 'g');

  CREATE FUNCTION formulas_search_key() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.search_key := coalesce(search_key(NEW.name), '') || U&'\001F' || coalesce(search_key(NEW.description), '');
    RETURN NEW;
  END $$;

  CREATE FUNCTION ingredients_keys() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.inci_key := name_key(NEW.inci_name);
    NEW.chinese_key := name_key(NEW.chinese_name);
    NEW.search_key :=
      coalesce(btrim(search_key(NEW.inci_name)), '') || U&'\001F' ||
      coalesce(btrim(search_key(NEW.chinese_name)), '');
    RETURN NEW;
  END $$;

  CREATE FUNCTION words_of(written text) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  BEGIN
    RETURN ARRAY(
      SELECT DISTINCT word FROM regexp_split_to_table(search_text(written), '[^[:alnum:]]+') AS word
      WHERE length(word) <= 200 AND ltrim(word, '0123456789') <> '');
  END $$;

  CREATE FUNCTION name_key(name text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  DECLARE
    words text := regexp_replace(
      regexp_replace(search_text(translate(name, '${OWNERSHIP_MARKS}', '')),
        '([0-9])[${NAME_MARKS}]+(?=[0-9])', U&'\\1\001F', 'g'),
      '[${NAME_MARKS}]+', '', 'g');
  BEGIN
    RETURN CASE
      WHEN btrim(words, '''+') = '' THEN ''
      WHEN octet_length(words) = length(words) THEN left(translate(words, U&'\001F', '.'), ${MAX_NAME_KEY})
      ELSE left(normalize(translate(words, U&'\001F${TRADITIONAL}', '.${SIMPLIFIED}'), NFC), ${MAX_NAME_KEY}) END;
  END $$;

  ${SPELLING_KEY}

  CREATE FUNCTION reads_out_of_line() RETURNS boolean LANGUAGE plpgsql PARALLEL SAFE COST 1000 AS $$
  BEGIN
    RETURN true;
  END $$;

  -- A username is unique in its NFKC form, too: look-alikes of a name cannot be registered.
  CREATE FUNCTION users_username_form() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.username_form := normalize(NEW.username, NFKC);
    RETURN NEW;
  END $$;

  CREATE FUNCTION lab_cell(l double precision, a double precision, b double precision) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  DECLARE
    of_l bigint := floor((l + 16384) * 4);
    of_a bigint := floor((a + 16384) * 4);
    of_b bigint := floor((b + 16384) * 4);
  BEGIN
    -- The masks are 0x1f00000000ffff, 0x1f0000ff0000ff, 0x100f00f00f00f00f, 0x10c30c30c30c30c3 and 0x1249249249249249.
    of_l := (of_l | (of_l << 32)) & 8725724278095871;
    of_l := (of_l | (of_l << 16)) & 8725728556220671;
    of_l := (of_l | (of_l << 8)) & 1157144660301377551;
    of_l := (of_l | (of_l << 4)) & 1207822528635744451;
    of_l := (of_l | (of_l << 2)) & 1317624576693539401;
    of_a := (of_a | (of_a << 32)) & 8725724278095871;
    of_a := (of_a | (of_a << 16)) & 8725728556220671;
    of_a := (of_a | (of_a << 8)) & 1157144660301377551;
    of_a := (of_a | (of_a << 4)) & 1207822528635744451;
    of_a := (of_a | (of_a << 2)) & 1317624576693539401;
    of_b := (of_b | (of_b << 32)) & 8725724278095871;
    of_b := (of_b | (of_b << 16)) & 8725728556220671;
    of_b := (of_b | (of_b << 8)) & 1157144660301377551;
    of_b := (of_b | (of_b << 4)) & 1207822528635744451;
    of_b := (of_b | (of_b << 2)) & 1317624576693539401;
    RETURN (of_l << 2) | (of_a << 1) | of_b;
  END $$;
`;

export const DROP_FUNCTIONS = `
  DROP FUNCTION lab_cell(double precision, double precision, double precision);
  DROP FUNCTION users_username_form();
  DROP FUNCTION reads_out_of_line();
  DROP FUNCTION spelling_key(text);
  DROP FUNCTION name_key(text);
  DROP FUNCTION words_of(text);
  DROP FUNCTION ingredients_keys();
  DROP FUNCTION formulas_search_key();
  DROP FUNCTION search_key(text);
  DROP FUNCTION search_text(text);
  DROP FUNCTION iso_time(timestamptz);
`;
