/**
 * Tables and triggers for searches that tolerate typing errors.
 *
 * `formula_words` contains the words of each formula, in a separate table, with the times that searches sort by:
 * results of words are counted and sorted without reading the formulas. A revision updates its times in place.
 *
 * `search_words` contains every word of all formulas, so a misspelt word is compared with each word once and not
 * with each text. It has no unique index, so writers never wait for each other. Two writers may both add a word,
 * which does no harm. Words stay when formulas are deleted.
 */
export const CREATE_SEARCH_WORDS = `
  CREATE TABLE search_words (word text NOT NULL);
  CREATE INDEX ix_search_words_word ON search_words (word);
  CREATE INDEX ix_search_words_similar ON search_words USING gin (word gin_trgm_ops) WITH (gin_pending_list_limit = 64);

  CREATE TABLE formula_words (
    formula_id uuid NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    words text[] NOT NULL,
    CONSTRAINT pk_formula_words PRIMARY KEY (formula_id),
    CONSTRAINT fk_formula_words_formula FOREIGN KEY (formula_id) REFERENCES formulas (id) ON DELETE CASCADE
  ) WITH (fillfactor = 90);
  CREATE INDEX ix_formula_words_words ON formula_words USING gin (words) WITH (gin_pending_list_limit = 64);

  CREATE FUNCTION formulas_words() RETURNS trigger LANGUAGE plpgsql
    -- The plan is cached while the table grows.
    SET enable_seqscan = off AS $$
  BEGIN
    IF TG_OP = 'UPDATE' AND NEW.name = OLD.name AND NEW.description IS NOT DISTINCT FROM OLD.description THEN
      UPDATE formula_words SET updated_at = NEW.updated_at, created_at = NEW.created_at
      WHERE formula_id = NEW.id;
      RETURN NULL;
    END IF;
    WITH own AS MATERIALIZED (
      SELECT words_of(NEW.name || ' ' || coalesce(NEW.description, '')) AS words
    ), added AS (
      INSERT INTO search_words (word)
      SELECT word FROM own, unnest(words) AS own_word (word)
      WHERE (SELECT true FROM search_words known WHERE known.word = own_word.word LIMIT 1) IS NULL
    )
    INSERT INTO formula_words (formula_id, updated_at, created_at, words)
    SELECT NEW.id, NEW.updated_at, NEW.created_at, words FROM own
    ON CONFLICT (formula_id) DO UPDATE SET
      updated_at = EXCLUDED.updated_at, created_at = EXCLUDED.created_at, words = EXCLUDED.words;
    RETURN NULL;
  END $$;
  CREATE TRIGGER tr_formulas_words AFTER INSERT OR UPDATE OF name, description, updated_at, created_at ON formulas
    FOR EACH ROW EXECUTE FUNCTION formulas_words();
`;

export const DROP_SEARCH_WORDS = `
  DROP TRIGGER tr_formulas_words ON formulas;
  DROP FUNCTION formulas_words();
  DROP TABLE formula_words;
  DROP TABLE search_words;
`;
