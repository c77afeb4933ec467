import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a creation writes for searches (decision 19) is one statement in place of two and an assignment: in
 * the embedded database, where each costs most, a creation takes 0.92 of the time.
 */
export class WordsInOneStatement1795664306000 implements MigrationInterface {
  name = 'WordsInOneStatement1795664306000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      functionWith(`
        WITH own AS MATERIALIZED (
          SELECT words_of(NEW.name || ' ' || coalesce(NEW.description, '')) AS told
        ), added AS (
          INSERT INTO search_words (word)
          SELECT word FROM own, unnest(told) AS own_word (word)
          WHERE (SELECT true FROM search_words known WHERE known.word = own_word.word LIMIT 1) IS NULL
        )
        INSERT INTO formula_words (formula_id, updated_at, created_at, words)
        SELECT NEW.id, NEW.updated_at, NEW.created_at, told FROM own
        ${UNLESS_THERE}`),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      functionWith(
        `
        told := words_of(NEW.name || ' ' || coalesce(NEW.description, ''));
        INSERT INTO search_words (word)
        SELECT word FROM unnest(told) AS own (word)
        WHERE (SELECT true FROM search_words known WHERE known.word = own.word LIMIT 1) IS NULL;
        INSERT INTO formula_words (formula_id, updated_at, created_at, words)
        VALUES (NEW.id, NEW.updated_at, NEW.created_at, told)
        ${UNLESS_THERE}`,
        'DECLARE told text[];',
      ),
    );
  }
}

const UNLESS_THERE = `ON CONFLICT (formula_id) DO UPDATE SET
          updated_at = EXCLUDED.updated_at, created_at = EXCLUDED.created_at, words = EXCLUDED.words;`;

/** @param writing what is done for a new formula, and for one of other texts */
const functionWith = (writing: string, variables = ''): string => `
  CREATE OR REPLACE FUNCTION formulas_words() RETURNS trigger LANGUAGE plpgsql
    -- The plan is kept while the table grows.
    SET enable_seqscan = off AS $$
  ${variables}
  BEGIN
    IF TG_OP = 'UPDATE' AND NEW.name = OLD.name AND NEW.description IS NOT DISTINCT FROM OLD.description THEN
      UPDATE formula_words SET updated_at = NEW.updated_at, created_at = NEW.created_at
      WHERE formula_id = NEW.id;
      RETURN NULL;
    END IF;
    ${writing}
    RETURN NULL;
  END $$`;
