/**
 * Stores the number of records in each list, so that they need not be counted.
 *
 * `record_counts` contains changes; the sum of a part's changes is its number of records. Each change is a separate
 * row, so writers never wait for each other, and it commits and rolls back with the records that it counts. From time
 * to time the changes of a part are folded into one row, except those that another transaction is folding.
 *
 * | list                | part                |
 * | ------------------- | ------------------- |
 * | formulas            | '' (all)            |
 * | formulas of project | the project's id    |
 * | ingredients         | a function category |
 */
export const CREATE_RECORD_COUNTS = `
  CREATE TABLE record_counts (
    list text NOT NULL,
    part text NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    delta bigint NOT NULL,
    CONSTRAINT pk_record_counts PRIMARY KEY (list, part, id) INCLUDE (delta)
    -- Folded rows are dead ones that every read passes.
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

  -- Whether the present transaction folds: one in sixteen does, and once. Under stricter isolation it would fail where
  -- others have folded since.
  CREATE FUNCTION folds_records() RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
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
        SELECT ctid FROM record_counts WHERE list = counted AND part = counted_part FOR UPDATE SKIP LOCKED))
      RETURNING delta)
    INSERT INTO record_counts (list, part, delta)
    SELECT counted, counted_part, sum(delta) FROM folded HAVING sum(delta) <> 0;
  END $$;

  CREATE FUNCTION count_records(counted text, counted_part text, change bigint) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO record_counts (list, part, delta) VALUES (counted, counted_part, change);
    IF folds_records() THEN PERFORM fold_records(counted, counted_part); END IF;
  END $$;

  CREATE FUNCTION formulas_counts() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    sign int := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
  BEGIN
    INSERT INTO record_counts (list, part, delta)
    SELECT 'formulas', '', sign * count(*) FROM changed HAVING count(*) > 0
    UNION ALL
    SELECT 'formulas of project', project_id::text, sign * count(*) FROM changed
    WHERE project_id IS NOT NULL GROUP BY 2;
    IF folds_records() THEN
      PERFORM fold_records('formulas', '');
      PERFORM fold_records('formulas of project', part)
      FROM (SELECT DISTINCT project_id::text AS part FROM changed WHERE project_id IS NOT NULL) parts;
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER tr_formulas_counts_inserted AFTER INSERT ON formulas
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION formulas_counts();
  CREATE TRIGGER tr_formulas_counts_deleted AFTER DELETE ON formulas
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION formulas_counts();

  CREATE FUNCTION formulas_moved() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    -- The counts of a project that this statement deletes go with it.
    IF EXISTS (SELECT FROM projects WHERE id = OLD.project_id) THEN
      PERFORM count_records('formulas of project', OLD.project_id::text, -1);
    END IF;
    IF NEW.project_id IS NOT NULL THEN
      PERFORM count_records('formulas of project', NEW.project_id::text, 1);
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER tr_formulas_counts_moved AFTER UPDATE ON formulas
    FOR EACH ROW WHEN (OLD.project_id IS DISTINCT FROM NEW.project_id) EXECUTE FUNCTION formulas_moved();

  CREATE FUNCTION projects_counts() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM record_counts WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM record_counts WHERE list = 'formulas of project' AND part = OLD.id::text
      FOR UPDATE SKIP LOCKED));
    RETURN NULL;
  END $$;
  CREATE TRIGGER tr_projects_counts_deleted AFTER DELETE ON projects
    FOR EACH ROW EXECUTE FUNCTION projects_counts();

  CREATE FUNCTION ingredients_counts() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM count_records('ingredients', part, CASE TG_OP WHEN 'INSERT' THEN n ELSE -n END)
    FROM (SELECT function_category AS part, count(*) AS n FROM changed GROUP BY part) counted;
    RETURN NULL;
  END $$;
  CREATE TRIGGER tr_ingredients_counts_inserted AFTER INSERT ON ingredients
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ingredients_counts();
  CREATE TRIGGER tr_ingredients_counts_deleted AFTER DELETE ON ingredients
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ingredients_counts();

  CREATE FUNCTION ingredients_moved() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM count_records('ingredients', OLD.function_category, -1);
    PERFORM count_records('ingredients', NEW.function_category, 1);
    RETURN NULL;
  END $$;
  CREATE TRIGGER tr_ingredients_counts_moved AFTER UPDATE ON ingredients
    FOR EACH ROW WHEN (OLD.function_category IS DISTINCT FROM NEW.function_category)
    EXECUTE FUNCTION ingredients_moved();

  CREATE FUNCTION records_truncated() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    -- TRUNCATE also removes rows that an older snapshot does not show, whose changes would stay.
    IF current_setting('transaction_isolation') <> 'read committed' THEN
      RAISE EXCEPTION 'TRUNCATE of % needs the isolation level READ COMMITTED', TG_TABLE_NAME
        USING ERRCODE = 'feature_not_supported';
    END IF;
    DELETE FROM record_counts WHERE list = TG_TABLE_NAME OR list LIKE TG_TABLE_NAME || ' of %';
    RETURN NULL;
  END $$;
  CREATE TRIGGER tr_formulas_counts_truncated AFTER TRUNCATE ON formulas
    FOR EACH STATEMENT EXECUTE FUNCTION records_truncated();
  CREATE TRIGGER tr_ingredients_counts_truncated AFTER TRUNCATE ON ingredients
    FOR EACH STATEMENT EXECUTE FUNCTION records_truncated();
`;

export const DROP_RECORD_COUNTS = `
  DROP TRIGGER tr_ingredients_counts_truncated ON ingredients;
  DROP TRIGGER tr_formulas_counts_truncated ON formulas;
  DROP FUNCTION records_truncated();
  DROP TRIGGER tr_ingredients_counts_moved ON ingredients;
  DROP FUNCTION ingredients_moved();
  DROP TRIGGER tr_ingredients_counts_deleted ON ingredients;
  DROP TRIGGER tr_ingredients_counts_inserted ON ingredients;
  DROP FUNCTION ingredients_counts();
  DROP TRIGGER tr_projects_counts_deleted ON projects;
  DROP FUNCTION projects_counts();
  DROP TRIGGER tr_formulas_counts_moved ON formulas;
  DROP FUNCTION formulas_moved();
  DROP TRIGGER tr_formulas_counts_deleted ON formulas;
  DROP TRIGGER tr_formulas_counts_inserted ON formulas;
  DROP FUNCTION formulas_counts();
  DROP FUNCTION count_records(text, text, bigint);
  DROP FUNCTION fold_records(text, text);
  DROP FUNCTION folds_records();
  DROP TABLE record_counts;
`;
