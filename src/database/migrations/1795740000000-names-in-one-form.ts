import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Unicode's default-ignorable characters, as a regular expression of PostgreSQL's has them. */
const INVISIBLE = [
  '\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u3164',
  '\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFF8\\U0001BCA0-\\U0001BCA3\\U0001D173-\\U0001D17A\\U000E0000-\\U000E0FFF',
].join('');

/** White space that NFKC keeps, and the empty Braille pattern. */
const BLANKS = '\\u0009-\\u000D \\u0085\\u1680\\u2028\\u2029\\u2800';

/**
 * Searches compare texts in one form (decision 48): names that differ in normal form, width, blanks, dashes,
 * apostrophes or invisible characters are found by the same search.
 *
 * `search_text(text)` is that form. U+001F becomes a blank: search keys are joined by it. Lower case is the
 * same in every locale and in `common/normalized-name.ts`, also of İ and of the final sigma.
 */
export class NamesInOneForm1795740000000 implements MigrationInterface {
  name = 'NamesInOneForm1795740000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION search_text(written text) RETURNS text
        LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        RETURN regexp_replace(
          translate(
            normalize(lower(translate(
              normalize(regexp_replace(normalize(written, NFKC), '[${INVISIBLE}]+', '', 'g'), NFKC),
              U&'\\0130\\001F', 'i ')), NFC),
            U&'\\03C2\\2018\\2019\\02BC\\2032\\2010\\2012\\2013\\2014\\2015\\2212', U&'\\03C3''''''''------'),
          '[${BLANKS}]+', ' ', 'g');

      -- Writers wait, so that no key is made in the old form meanwhile.
      LOCK TABLE ingredients, formulas IN SHARE ROW EXCLUSIVE MODE;
    `);
    await runner.query(keysOf('search_text(sought)', (key) => `btrim(${key})`));
    await runner.query(wordsOf('search_text(written)'));
    await runner.query(REMAKE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('LOCK TABLE ingredients, formulas IN SHARE ROW EXCLUSIVE MODE');
    await runner.query(keysOf(`translate(lower(sought), U&'\\001F', ' ')`, (key) => key));
    await runner.query(wordsOf('lower(written)'));
    await runner.query(REMAKE);
    await runner.query('DROP FUNCTION search_text(text)');
  }
}

/**
 * @param form of a text, in SQL
 * @param name what an ingredient's key has of a name's, in SQL
 */
const keysOf = (form: string, name: (key: string) => string): string => `
  CREATE OR REPLACE FUNCTION search_key(sought text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN regexp_replace(${form}, '([^\\x01-\\x7f])', '\\1\\1\\1', 'g');

  CREATE OR REPLACE FUNCTION ingredients_search_key() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.search_key :=
      coalesce(${name('search_key(NEW.inci_name)')}, '') || U&'\\001F' ||
      coalesce(${name('search_key(NEW.chinese_name)')}, '');
    RETURN NEW;
  END $$;`;

const wordsOf = (form: string): string => `
  CREATE OR REPLACE FUNCTION words_of(written text) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  BEGIN
    RETURN ARRAY(
      SELECT DISTINCT word FROM regexp_split_to_table(${form}, '[^[:alnum:]]+') AS word
      WHERE length(word) <= 200 AND ltrim(word, '0123456789') <> '');
  END $$;`;

/** Keys and words of the rows whose texts are not in the form as they are. */
const REMAKE = `
  UPDATE ingredients SET inci_name = inci_name
  WHERE search_text(inci_name) <> btrim(lower(inci_name))
     OR search_text(chinese_name) <> btrim(lower(chinese_name));

  WITH remade AS MATERIALIZED (
    SELECT id, words_of(told) AS words
    FROM formulas CROSS JOIN LATERAL (SELECT name || ' ' || coalesce(description, '') AS told) texts
    WHERE search_text(told) <> lower(told)
  ), keyed AS (
    UPDATE formulas SET name = name FROM remade WHERE formulas.id = remade.id
  ), worded AS (
    UPDATE formula_words SET words = remade.words FROM remade WHERE formula_id = id
  )
  INSERT INTO search_words (word)
  SELECT DISTINCT word FROM remade, unnest(words) AS told (word)
  WHERE NOT EXISTS (SELECT FROM search_words known WHERE known.word = told.word);`;
