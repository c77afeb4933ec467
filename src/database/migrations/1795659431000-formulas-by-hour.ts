import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Deep pages of formulas begin with the hour they are in, and not only with the day: where many formulas
 * change in a day, most of them are passed by unread (decision 20).
 *
 * `record_counts` gets a list `formulas of hour`, with the hour of the last change (`YYYY-MM-DD HH`, UTC) as
 * its part. The days stay: they tell which hours are to be asked for.
 */
export class FormulasByHour1795659431000 implements MigrationInterface {
  name = 'FormulasByHour1795659431000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION hour_of(instant timestamptz) RETURNS text LANGUAGE sql IMMUTABLE AS $$
        SELECT to_char(instant AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24')
      $$;

      -- Those who write are waited for, so that no formula is counted twice or left out.
      LOCK TABLE formulas IN SHARE ROW EXCLUSIVE MODE;

      ${countsBy('day', 'hour')}

      CREATE OR REPLACE FUNCTION formulas_dated() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO record_counts (list, part, delta)
        SELECT list, part, delta
        FROM (VALUES
          ('formulas of hour', hour_of(OLD.updated_at), -1), ('formulas of hour', hour_of(NEW.updated_at), 1),
          ('formulas of day', day_of(OLD.updated_at), -1), ('formulas of day', day_of(NEW.updated_at), 1)
        ) AS moved (list, part, delta)
        WHERE list = 'formulas of hour' OR day_of(OLD.updated_at) <> day_of(NEW.updated_at);
        IF folds_records() THEN
          PERFORM fold_records('formulas of hour', hour_of(OLD.updated_at));
          PERFORM fold_records('formulas of hour', hour_of(NEW.updated_at));
          PERFORM fold_records('formulas of day', day_of(OLD.updated_at));
          PERFORM fold_records('formulas of day', day_of(NEW.updated_at));
        END IF;
        RETURN NULL;
      END $$;
      CREATE OR REPLACE TRIGGER tr_formulas_counts_dated AFTER UPDATE ON formulas
        FOR EACH ROW WHEN (date_trunc('hour', OLD.updated_at AT TIME ZONE 'UTC')
                           IS DISTINCT FROM date_trunc('hour', NEW.updated_at AT TIME ZONE 'UTC'))
        EXECUTE FUNCTION formulas_dated();

      INSERT INTO record_counts (list, part, delta)
      SELECT 'formulas of hour', hour_of(updated_at), count(*) FROM formulas GROUP BY 2;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      LOCK TABLE formulas IN SHARE ROW EXCLUSIVE MODE;

      ${countsBy('day')}

      CREATE OR REPLACE FUNCTION formulas_dated() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM count_records('formulas of day', day_of(OLD.updated_at), -1);
        PERFORM count_records('formulas of day', day_of(NEW.updated_at), 1);
        RETURN NULL;
      END $$;
      CREATE OR REPLACE TRIGGER tr_formulas_counts_dated AFTER UPDATE ON formulas
        FOR EACH ROW WHEN ((OLD.updated_at AT TIME ZONE 'UTC')::date
                           IS DISTINCT FROM (NEW.updated_at AT TIME ZONE 'UTC')::date)
        EXECUTE FUNCTION formulas_dated();

      DROP FUNCTION hour_of(timestamptz);
      DELETE FROM record_counts WHERE list = 'formulas of hour';
    `);
  }
}

/** The trigger's function for formulas that come and go. @param units whose formulas are counted */
const countsBy = (...units: ('day' | 'hour')[]): string => `
  CREATE OR REPLACE FUNCTION formulas_counts() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    sign int := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
  BEGIN
    INSERT INTO record_counts (list, part, delta)
    SELECT 'formulas', '', sign * count(*) FROM changed HAVING count(*) > 0
    UNION ALL
    SELECT 'formulas of project', project_id::text, sign * count(*) FROM changed
    WHERE project_id IS NOT NULL GROUP BY 2
    ${units
      .map(
        (unit) => `
    UNION ALL
    SELECT 'formulas of ${unit}', ${unit}_of(updated_at), sign * count(*) FROM changed GROUP BY 2`,
      )
      .join('')};
    IF folds_records() THEN
      PERFORM fold_records('formulas', '');
      PERFORM fold_records('formulas of project', part)
      FROM (SELECT DISTINCT project_id::text AS part FROM changed WHERE project_id IS NOT NULL) parts;
      ${units
        .map(
          (unit) => `
      PERFORM fold_records('formulas of ${unit}', part)
      FROM (SELECT DISTINCT ${unit}_of(updated_at) AS part FROM changed) parts;`,
        )
        .join('')}
    END IF;
    RETURN NULL;
  END $$;`;
