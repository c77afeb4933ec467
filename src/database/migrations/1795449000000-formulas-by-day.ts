import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Where deep pages of formulas begin, and the formulas of a search in their order, without reading what is
 * passed by (decisions 20 and 19).
 *
 * `record_counts` gets a list `formulas of day`, with the day of the last change (`YYYY-MM-DD`, UTC) as its
 * part. Whoever folds a part's changes folds those of the part before it, too: hardly anybody comes back to a
 * day that is over.
 *
 * `ix_formulas_id_times` has what searches sort by beside the ids: those found by words need not be read.
 */
export class FormulasByDay1795449000000 implements MigrationInterface {
  name = 'FormulasByDay1795449000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${countRecords(`
          SELECT ctid FROM record_counts WHERE list = counted AND part = ANY (ARRAY[counted_part,
            (SELECT max(part) FROM record_counts WHERE list = counted AND part < counted_part)])
          FOR UPDATE SKIP LOCKED))
        RETURNING part, delta)
      INSERT INTO record_counts (list, part, delta)
      SELECT counted, part, sum(delta) FROM folded GROUP BY part HAVING sum(delta) <> 0;`)}

      LOCK TABLE formulas IN SHARE ROW EXCLUSIVE MODE;

      CREATE FUNCTION day_of(instant timestamptz) RETURNS text LANGUAGE sql IMMUTABLE AS $$
        SELECT to_char(instant AT TIME ZONE 'UTC', 'YYYY-MM-DD')
      $$;

      ${formulasCounts(`
        PERFORM count_records('formulas of day', part, CASE TG_OP WHEN 'INSERT' THEN n ELSE -n END)
        FROM (SELECT day_of(updated_at) AS part, count(*) AS n FROM changed GROUP BY part) counted;`)}

      CREATE FUNCTION formulas_dated() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM count_records('formulas of day', day_of(OLD.updated_at), -1);
        PERFORM count_records('formulas of day', day_of(NEW.updated_at), 1);
        RETURN NULL;
      END $$;
      CREATE TRIGGER tr_formulas_counts_dated AFTER UPDATE ON formulas
        FOR EACH ROW WHEN ((OLD.updated_at AT TIME ZONE 'UTC')::date
                           IS DISTINCT FROM (NEW.updated_at AT TIME ZONE 'UTC')::date)
        EXECUTE FUNCTION formulas_dated();

      INSERT INTO record_counts (list, part, delta)
      SELECT 'formulas of day', day_of(updated_at), count(*) FROM formulas GROUP BY 2;

      CREATE UNIQUE INDEX ix_formulas_id_times ON formulas (id) INCLUDE (updated_at, created_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      LOCK TABLE formulas IN SHARE ROW EXCLUSIVE MODE;

      DROP INDEX ix_formulas_id_times;
      DROP TRIGGER tr_formulas_counts_dated ON formulas;
      DROP FUNCTION formulas_dated();
      ${formulasCounts('')}
      ${countRecords(`
          SELECT ctid FROM record_counts WHERE list = counted AND part = counted_part
          FOR UPDATE SKIP LOCKED))
        RETURNING delta)
      INSERT INTO record_counts (list, part, delta)
      SELECT counted, counted_part, sum(delta) FROM folded HAVING sum(delta) <> 0;`)}
      DROP FUNCTION day_of(timestamptz);
      DELETE FROM record_counts WHERE list = 'formulas of day';
    `);
  }
}

/** @param folding which changes are folded, and what they become */
const countRecords = (folding: string): string => `
  CREATE OR REPLACE FUNCTION count_records(counted text, counted_part text, change bigint) RETURNS void
    LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO record_counts (list, part, delta) VALUES (counted, counted_part, change);
    -- One of sixteen folds, but one of a transaction: what it has folded before would be passed by anew
    -- each time. Under stricter isolation it would fail where others have folded since.
    IF random() < 0.0625 AND coalesce(current_setting('record_counts.folded', true), '') = ''
        AND current_setting('transaction_isolation') = 'read committed' THEN
      PERFORM set_config('record_counts.folded', 'yes', true);
      WITH folded AS (
        DELETE FROM record_counts WHERE ctid = ANY (ARRAY(${folding}
    END IF;
  END $$;`;

/** @param days what counts the formulas by their days */
const formulasCounts = (days: string): string => `
  CREATE OR REPLACE FUNCTION formulas_counts() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM count_records('formulas', '', CASE TG_OP WHEN 'INSERT' THEN n ELSE -n END)
    FROM (SELECT count(*) AS n FROM changed) counted WHERE n > 0;
    PERFORM count_records('formulas of project', part, CASE TG_OP WHEN 'INSERT' THEN n ELSE -n END)
    FROM (SELECT project_id::text AS part, count(*) AS n FROM changed
          WHERE project_id IS NOT NULL GROUP BY part) counted;${days}
    RETURN NULL;
  END $$;`;
