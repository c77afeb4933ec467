import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many records the lists have, without counting them (decision 20).
 *
 * `record_counts` holds changes, and the sum of a part's changes is its number of records. A change is a row
 * of its own, so writers never wait for each other, and it is seen and rolled back with what it counts. Now
 * and then the changes of a part are folded into one row: those that somebody else is folding are left to
 * them.
 *
 * | list                | part            |
 * | ------------------- | --------------- |
 * | formulas            | '' (all)        |
 * | formulas of project | id of a project |
 * | ingredients         | their category  |
 */
export class RecordCounts1795366680000 implements MigrationInterface {
  name = 'RecordCounts1795366680000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE record_counts (
        list text NOT NULL,
        part text NOT NULL,
        id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
        delta bigint NOT NULL,
        CONSTRAINT pk_record_counts PRIMARY KEY (list, part, id) INCLUDE (delta)
        -- Folded rows are dead ones that every read passes by.
      ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

      CREATE FUNCTION count_records(counted text, counted_part text, change bigint) RETURNS void
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

      CREATE FUNCTION formulas_counts() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM count_records('formulas', '', CASE TG_OP WHEN 'INSERT' THEN n ELSE -n END)
        FROM (SELECT count(*) AS n FROM changed) counted WHERE n > 0;
        PERFORM count_records('formulas of project', part, CASE TG_OP WHEN 'INSERT' THEN n ELSE -n END)
        FROM (SELECT project_id::text AS part, count(*) AS n FROM changed
              WHERE project_id IS NOT NULL GROUP BY part) counted;
        RETURN NULL;
      END $$;

      CREATE FUNCTION formulas_moved() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- Of a project that goes with this statement nothing is left to be told.
        IF EXISTS (SELECT FROM projects WHERE id = OLD.project_id) THEN
          PERFORM count_records('formulas of project', OLD.project_id::text, -1);
        END IF;
        IF NEW.project_id IS NOT NULL THEN
          PERFORM count_records('formulas of project', NEW.project_id::text, 1);
        END IF;
        RETURN NULL;
      END $$;

      CREATE FUNCTION ingredients_counts() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM count_records('ingredients', part, CASE TG_OP WHEN 'INSERT' THEN n ELSE -n END)
        FROM (SELECT function_category AS part, count(*) AS n FROM changed GROUP BY part) counted;
        RETURN NULL;
      END $$;

      CREATE FUNCTION ingredients_moved() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM count_records('ingredients', OLD.function_category, -1);
        PERFORM count_records('ingredients', NEW.function_category, 1);
        RETURN NULL;
      END $$;

      CREATE FUNCTION projects_counts() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM record_counts WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM record_counts WHERE list = 'formulas of project' AND part = OLD.id::text
          FOR UPDATE SKIP LOCKED));
        RETURN NULL;
      END $$;

      CREATE FUNCTION records_truncated() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- TRUNCATE takes rows that an older snapshot does not show, whose changes would stay.
        IF current_setting('transaction_isolation') <> 'read committed' THEN
          RAISE EXCEPTION 'TRUNCATE of % needs the isolation level READ COMMITTED', TG_TABLE_NAME
            USING ERRCODE = 'feature_not_supported';
        END IF;
        DELETE FROM record_counts WHERE list = TG_TABLE_NAME OR list LIKE TG_TABLE_NAME || ' of %';
        RETURN NULL;
      END $$;
    `);
    // Those who write are waited for, so that no record is counted twice or left out.
    await runner.query(`
      LOCK TABLE ingredients, projects, formulas IN SHARE ROW EXCLUSIVE MODE;

      CREATE TRIGGER tr_formulas_counts_inserted AFTER INSERT ON formulas
        REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION formulas_counts();
      CREATE TRIGGER tr_formulas_counts_deleted AFTER DELETE ON formulas
        REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION formulas_counts();
      CREATE TRIGGER tr_formulas_counts_moved AFTER UPDATE ON formulas
        FOR EACH ROW WHEN (OLD.project_id IS DISTINCT FROM NEW.project_id) EXECUTE FUNCTION formulas_moved();
      CREATE TRIGGER tr_formulas_counts_truncated AFTER TRUNCATE ON formulas
        FOR EACH STATEMENT EXECUTE FUNCTION records_truncated();

      CREATE TRIGGER tr_projects_counts_deleted AFTER DELETE ON projects
        FOR EACH ROW EXECUTE FUNCTION projects_counts();

      CREATE TRIGGER tr_ingredients_counts_inserted AFTER INSERT ON ingredients
        REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ingredients_counts();
      CREATE TRIGGER tr_ingredients_counts_deleted AFTER DELETE ON ingredients
        REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ingredients_counts();
      CREATE TRIGGER tr_ingredients_counts_moved AFTER UPDATE ON ingredients
        FOR EACH ROW WHEN (OLD.function_category IS DISTINCT FROM NEW.function_category)
        EXECUTE FUNCTION ingredients_moved();
      CREATE TRIGGER tr_ingredients_counts_truncated AFTER TRUNCATE ON ingredients
        FOR EACH STATEMENT EXECUTE FUNCTION records_truncated();

      INSERT INTO record_counts (list, part, delta)
      SELECT 'formulas', '', count(*) FROM formulas HAVING count(*) > 0
      UNION ALL SELECT 'formulas of project', project_id::text, count(*) FROM formulas
        WHERE project_id IS NOT NULL GROUP BY project_id
      UNION ALL SELECT 'ingredients', function_category, count(*) FROM ingredients GROUP BY function_category;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER tr_formulas_counts_inserted ON formulas;
      DROP TRIGGER tr_formulas_counts_deleted ON formulas;
      DROP TRIGGER tr_formulas_counts_moved ON formulas;
      DROP TRIGGER tr_formulas_counts_truncated ON formulas;
      DROP TRIGGER tr_projects_counts_deleted ON projects;
      DROP TRIGGER tr_ingredients_counts_inserted ON ingredients;
      DROP TRIGGER tr_ingredients_counts_deleted ON ingredients;
      DROP TRIGGER tr_ingredients_counts_moved ON ingredients;
      DROP TRIGGER tr_ingredients_counts_truncated ON ingredients;
      DROP FUNCTION formulas_counts();
      DROP FUNCTION formulas_moved();
      DROP FUNCTION projects_counts();
      DROP FUNCTION ingredients_counts();
      DROP FUNCTION ingredients_moved();
      DROP FUNCTION records_truncated();
      DROP FUNCTION count_records(text, text, bigint);
      DROP TABLE record_counts;
    `);
  }
}
