import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Where deep pages of formulas begin, and the formulas of a search in their order, without reading what is
 * passed by (decisions 20 and 19).
 *
 * `record_counts` gets a list `formulas of day`, with the day of the last change (`YYYY-MM-DD`, UTC) as its
 * part. Whoever folds a part's changes folds those of the part before it, too: hardly anybody comes back to a
 * day that is over. What a creation changes is written in one statement.
 *
 * The primary key of formulas has what searches sort by beside the ids: those found by words need not be
 * read.
 */
export class FormulasByDay1795449000000 implements MigrationInterface {
  name = 'FormulasByDay1795449000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION folds_records() RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN
        -- One of sixteen folds, but one of a transaction: what it has folded before would be passed by anew
        -- each time. Under stricter isolation it would fail where others have folded since.
        IF random() < 0.0625 AND coalesce(current_setting('record_counts.folded', true), '') = ''
            AND current_setting('transaction_isolation') = 'read committed' THEN
          PERFORM set_config('record_counts.folded', 'yes', true);
          RETURN true;
        END IF;
        RETURN false;
      END $$;

      CREATE FUNCTION fold_records(counted text, counted_part text) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        WITH folded AS (
          DELETE FROM record_counts WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM record_counts WHERE list = counted AND part = ANY (ARRAY[counted_part,
              (SELECT max(part) FROM record_counts WHERE list = counted AND part < counted_part)])
            FOR UPDATE SKIP LOCKED))
          RETURNING part, delta)
        INSERT INTO record_counts (list, part, delta)
        SELECT counted, part, sum(delta) FROM folded GROUP BY part HAVING sum(delta) <> 0;
      END $$;

      CREATE OR REPLACE FUNCTION count_records(counted text, counted_part text, change bigint) RETURNS void
        LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO record_counts (list, part, delta) VALUES (counted, counted_part, change);
        IF folds_records() THEN PERFORM fold_records(counted, counted_part); END IF;
      END $$;

      CREATE FUNCTION day_of(instant timestamptz) RETURNS text LANGUAGE sql IMMUTABLE AS $$
        SELECT to_char(instant AT TIME ZONE 'UTC', 'YYYY-MM-DD')
      $$;

      -- At once as the primary key needs it: who reads and then writes must not be waited for by half.
      LOCK TABLE formulas;

      CREATE OR REPLACE FUNCTION formulas_counts() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        sign int := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
      BEGIN
        INSERT INTO record_counts (list, part, delta)
        SELECT 'formulas', '', sign * count(*) FROM changed HAVING count(*) > 0
        UNION ALL
        SELECT 'formulas of project', project_id::text, sign * count(*) FROM changed
        WHERE project_id IS NOT NULL GROUP BY 2
        UNION ALL
        SELECT 'formulas of day', day_of(updated_at), sign * count(*) FROM changed GROUP BY 2;
        IF folds_records() THEN
          PERFORM fold_records('formulas', '');
          PERFORM fold_records('formulas of project', part)
          FROM (SELECT DISTINCT project_id::text AS part FROM changed WHERE project_id IS NOT NULL) parts;
          PERFORM fold_records('formulas of day', part)
          FROM (SELECT DISTINCT day_of(updated_at) AS part FROM changed) parts;
        END IF;
        RETURN NULL;
      END $$;

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
    `);
    await runner.query(withPrimaryKey('(id) INCLUDE (updated_at, created_at)'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('LOCK TABLE formulas');
    await runner.query(withPrimaryKey('(id)'));
    await runner.query(`
      DROP TRIGGER tr_formulas_counts_dated ON formulas;
      DROP FUNCTION formulas_dated();

      CREATE OR REPLACE FUNCTION formulas_counts() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM count_records('formulas', '', CASE TG_OP WHEN 'INSERT' THEN n ELSE -n END)
        FROM (SELECT count(*) AS n FROM changed) counted WHERE n > 0;
        PERFORM count_records('formulas of project', part, CASE TG_OP WHEN 'INSERT' THEN n ELSE -n END)
        FROM (SELECT project_id::text AS part, count(*) AS n FROM changed
              WHERE project_id IS NOT NULL GROUP BY part) counted;
        RETURN NULL;
      END $$;

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
            DELETE FROM record_counts WHERE ctid = ANY (ARRAY(
              SELECT ctid FROM record_counts WHERE list = counted AND part = counted_part
              FOR UPDATE SKIP LOCKED))
            RETURNING delta)
          INSERT INTO record_counts (list, part, delta)
          SELECT counted, counted_part, sum(delta) FROM folded HAVING sum(delta) <> 0;
        END IF;
      END $$;

      DROP FUNCTION fold_records(text, text);
      DROP FUNCTION folds_records();
      DROP FUNCTION day_of(timestamptz);
      DELETE FROM record_counts WHERE list = 'formulas of day';
    `);
  }
}

/** Makes the primary key of formulas anew, and the foreign keys that refer to it, an extension's too. */
const withPrimaryKey = (columns: string): string => `
  DO $$
  DECLARE
    dropped text[] := '{}';
    made text[] := '{}';
    reference record;
    command text;
  BEGIN
    FOR reference IN
      SELECT conrelid::regclass AS referring, conname AS name, pg_get_constraintdef(oid) AS definition
      FROM pg_constraint WHERE confrelid = 'formulas'::regclass AND contype = 'f' AND conparentid = 0
    LOOP
      dropped := dropped || format('ALTER TABLE %s DROP CONSTRAINT %I', reference.referring, reference.name);
      made := made
        || format('ALTER TABLE %s ADD CONSTRAINT %I %s', reference.referring, reference.name, reference.definition);
    END LOOP;
    FOREACH command IN ARRAY dropped LOOP EXECUTE command; END LOOP;
    ALTER TABLE formulas DROP CONSTRAINT pk_formulas, ADD CONSTRAINT pk_formulas PRIMARY KEY ${columns};
    FOREACH command IN ARRAY made LOOP EXECUTE command; END LOOP;
  END $$`;
