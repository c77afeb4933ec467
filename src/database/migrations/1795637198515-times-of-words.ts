import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The times that searches sort by stand beside the words of each formula (decision 19): the formulas found by
 * words are counted and sorted where they are found, and only those of a page are read.
 *
 * A revision changes the time in place: pages have room for it, and no index has it.
 *
 * The table is made beside the present one, in which searches go on reading; who writes a formula waits.
 */
export class TimesOfWords1795637198515 implements MigrationInterface {
  name = 'TimesOfWords1795637198515';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      LOCK TABLE formulas IN SHARE ROW EXCLUSIVE MODE;
      CREATE TABLE words_after (
        formula_id uuid NOT NULL,
        updated_at timestamp(3) with time zone NOT NULL,
        created_at timestamp(3) with time zone NOT NULL,
        words text[] NOT NULL
      ) WITH (fillfactor = 90);
      INSERT INTO words_after (formula_id, updated_at, created_at, words)
      SELECT id, updated_at, created_at, words FROM formula_words JOIN formulas ON id = formula_id;
    `);
    await runner.query(TAKE_PLACE);
    await runner.query(`
      CREATE OR REPLACE FUNCTION formulas_words() RETURNS trigger LANGUAGE plpgsql
        -- The plan is kept while the table grows.
        SET enable_seqscan = off AS $$
      DECLARE
        told text[];
      BEGIN
        IF TG_OP = 'UPDATE' AND NEW.name = OLD.name AND NEW.description IS NOT DISTINCT FROM OLD.description THEN
          UPDATE formula_words SET updated_at = NEW.updated_at, created_at = NEW.created_at
          WHERE formula_id = NEW.id;
          RETURN NULL;
        END IF;
        told := words_of(NEW.name || ' ' || coalesce(NEW.description, ''));
        ${ADD_WORDS}
        INSERT INTO formula_words (formula_id, updated_at, created_at, words)
        VALUES (NEW.id, NEW.updated_at, NEW.created_at, told)
        ON CONFLICT (formula_id) DO UPDATE SET
          updated_at = EXCLUDED.updated_at, created_at = EXCLUDED.created_at, words = EXCLUDED.words;
        RETURN NULL;
      END $$;
      DROP TRIGGER tr_formulas_words ON formulas;
      CREATE TRIGGER tr_formulas_words AFTER INSERT OR UPDATE OF name, description, updated_at, created_at ON formulas
        FOR EACH ROW EXECUTE FUNCTION formulas_words();
      ANALYZE formula_words;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      LOCK TABLE formulas IN SHARE ROW EXCLUSIVE MODE;
      CREATE TABLE words_after (formula_id uuid NOT NULL, words text[] NOT NULL);
      INSERT INTO words_after (formula_id, words) SELECT formula_id, words FROM formula_words;
    `);
    await runner.query(TAKE_PLACE);
    await runner.query(`
      CREATE OR REPLACE FUNCTION formulas_words() RETURNS trigger LANGUAGE plpgsql
        -- The plan is kept while the table grows.
        SET enable_seqscan = off AS $$
      DECLARE
        told text[] := words_of(NEW.name || ' ' || coalesce(NEW.description, ''));
      BEGIN
        ${ADD_WORDS}
        INSERT INTO formula_words (formula_id, words) VALUES (NEW.id, told)
        ON CONFLICT (formula_id) DO UPDATE SET words = EXCLUDED.words;
        RETURN NULL;
      END $$;
      DROP TRIGGER tr_formulas_words ON formulas;
      CREATE TRIGGER tr_formulas_words AFTER INSERT OR UPDATE OF name, description ON formulas
        FOR EACH ROW EXECUTE FUNCTION formulas_words();
      ANALYZE formula_words;
    `);
  }
}

const ADD_WORDS = `INSERT INTO search_words (word)
        SELECT word FROM unnest(told) AS own (word)
        WHERE (SELECT true FROM search_words known WHERE known.word = own.word LIMIT 1) IS NULL;`;

/**
 * Puts `words_after` in the place of `formula_words`. Both locks at once, in the order of searches; who has
 * read formulas and now waits to write one ends after its own limit (3 s), then it is tried again.
 */
const TAKE_PLACE = `
  ALTER TABLE words_after
    ADD CONSTRAINT pk_words_after PRIMARY KEY (formula_id),
    ADD CONSTRAINT fk_formula_words_formula FOREIGN KEY (formula_id) REFERENCES formulas (id) ON DELETE CASCADE;
  CREATE INDEX ix_words_after ON words_after USING gin (words);
  DO $$
  BEGIN
    FOR attempt IN 1..20 LOOP
      BEGIN
        LOCK TABLE formulas, formula_words IN ACCESS EXCLUSIVE MODE;
        EXIT;
      EXCEPTION WHEN deadlock_detected THEN
        IF attempt = 20 THEN RAISE; END IF;
        PERFORM pg_sleep(0.5);
      END;
    END LOOP;
  END $$;
  DROP TABLE formula_words;
  ALTER TABLE words_after RENAME TO formula_words;
  ALTER TABLE formula_words RENAME CONSTRAINT pk_words_after TO pk_formula_words;
  ALTER INDEX ix_words_after RENAME TO ix_formula_words_words`;
