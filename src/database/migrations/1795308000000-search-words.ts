import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What searches that forgive typing errors look in (decision 19).
 *
 * `words_of(text)` are the words of a text as pg_trgm sees them: lower case, letters and digits, without
 * those that have no letter (nothing similar to them is searched) or more than 200 characters (an index entry
 * has a limit, and a search is no longer than that).
 *
 * `formula_words` holds the words of each formula, in a table of its own: a revision does not touch it.
 * `search_words` holds every word of all of them, so that a misspelt one is compared with each word once and
 * not with each text. Writers must not wait for each other: a word is added where it is not seen, without a
 * unique index. Two writers may both add it, which does no harm. Words stay when formulas go.
 *
 * `name_keys(name)` are two keys of which names that are the same but for spelling share one: all letters and
 * digits together, and of each word its first three and last two letters without a plural or final e.
 *
 * `reads_out_of_line()` is never called: its cost tells the planner what it cannot know, that reading a long
 * search key takes much more than reading its row.
 */
export class SearchWords1795308000000 implements MigrationInterface {
  name = 'SearchWords1795308000000';

  async up(runner: QueryRunner): Promise<void> {
    // name_keys is dear by its cost: its index is to be used even where the table is small.
    await runner.query(`
      CREATE FUNCTION words_of(written text) RETURNS text[]
        LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
      BEGIN
        RETURN ARRAY(
          SELECT DISTINCT word FROM regexp_split_to_table(lower(written), '[^[:alnum:]]+') AS word
          WHERE length(word) <= 200 AND ltrim(word, '0123456789') <> '');
      END $$;

      CREATE FUNCTION name_keys(name text) RETURNS text[]
        LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS $$
      DECLARE
        plain text := lower(normalize(name, NFKC));
      BEGIN
        RETURN ARRAY[
          left(regexp_replace(plain, '[^[:alnum:]]+', '', 'g'), 200),
          (SELECT left(string_agg(left(stem, 3) || right(stem, 2), ' ' ORDER BY place), 200)
           FROM regexp_split_to_table(regexp_replace(plain, '([0-9]+|[^\\x01-\\x7f]+)', ' \\1 ', 'g'),
                                      '[^[:alnum:]]+') WITH ORDINALITY AS part (word, place)
           CROSS JOIN LATERAL regexp_replace(word, '[se]+$', '') AS stem)];
      END $$;

      CREATE FUNCTION reads_out_of_line() RETURNS boolean LANGUAGE plpgsql PARALLEL SAFE COST 1000 AS $$
      BEGIN
        RETURN true;
      END $$;

      CREATE TABLE search_words (word text NOT NULL);

      CREATE TABLE formula_words (
        formula_id uuid NOT NULL,
        words text[] NOT NULL,
        CONSTRAINT pk_formula_words PRIMARY KEY (formula_id),
        CONSTRAINT fk_formula_words_formula FOREIGN KEY (formula_id) REFERENCES formulas (id) ON DELETE CASCADE
      );

      CREATE FUNCTION formulas_words() RETURNS trigger LANGUAGE plpgsql
        -- The plan is kept while the table grows.
        SET enable_seqscan = off AS $$
      DECLARE
        told text[] := words_of(NEW.name || ' ' || coalesce(NEW.description, ''));
      BEGIN
        INSERT INTO search_words (word)
        SELECT word FROM unnest(told) AS own (word)
        WHERE (SELECT true FROM search_words known WHERE known.word = own.word LIMIT 1) IS NULL;
        INSERT INTO formula_words (formula_id, words) VALUES (NEW.id, told)
        ON CONFLICT (formula_id) DO UPDATE SET words = EXCLUDED.words;
        RETURN NULL;
      END $$;
    `);
    await runner.query(`
      INSERT INTO formula_words (formula_id, words)
      SELECT id, words_of(name || ' ' || coalesce(description, '')) FROM formulas;
      INSERT INTO search_words (word) SELECT DISTINCT word FROM formula_words, unnest(words) AS told (word);

      CREATE INDEX ix_formula_words_words ON formula_words USING gin (words);
      CREATE INDEX ix_search_words_word ON search_words (word);
      CREATE INDEX ix_search_words_similar ON search_words USING gin (word gin_trgm_ops);
      CREATE INDEX ix_ingredients_inci_name_keys ON ingredients USING gin (name_keys(inci_name));
      CREATE INDEX ix_ingredients_chinese_name_keys ON ingredients USING gin (name_keys(chinese_name));
      CREATE TRIGGER tr_formulas_words AFTER INSERT OR UPDATE OF name, description ON formulas
        FOR EACH ROW EXECUTE FUNCTION formulas_words();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER tr_formulas_words ON formulas;
      DROP INDEX ix_ingredients_chinese_name_keys, ix_ingredients_inci_name_keys;
      DROP FUNCTION formulas_words();
      DROP TABLE formula_words;
      DROP TABLE search_words;
      DROP FUNCTION reads_out_of_line();
      DROP FUNCTION name_keys(text);
      DROP FUNCTION words_of(text);
    `);
  }
}
