import type { RowCondition } from '../../platform/access/row-filter';
import { metadata, STORED_PHASES, versionColumns } from '../formula.sql';

/** The versions of each formula that an export contains. */
export const EXPORTED_VERSIONS = ['current', 'all'] as const;
export type ExportedVersions = (typeof EXPORTED_VERSIONS)[number];

const CONDITIONS: Readonly<Record<ExportedVersions, string>> = {
  current: 'v.version_number = f.current_version AND (f.created_at, f.id) > ($1::timestamptz, $2::uuid)',
  all: '(f.created_at, f.id, v.version_number) > ($1::timestamptz, $2::uuid, $3::integer)',
};

/**
 * Returns the versions after a given one, ordered by the creation time of the formula, which never
 * changes. A page counts versions, because a formula can have any number of them. The condition of
 * the current versions uses $3 only so that both statements have the same parameters.
 *
 * $1 to $3 the end of the previous page; $4 the project, null for all; $5 maximum number of versions;
 * $6 and later: the parameters of the conditions.
 */
export const pageOfVersions = (
  versions: ExportedVersions,
  readable: RowCondition,
  readableProject: RowCondition,
): string => `
  SELECT f.id, f.created_at::text AS "createdAt", v.version_number AS "versionNumber",
    (SELECT row_to_json(shown) FROM (SELECT ${metadata(readableProject)}) shown)::text AS formula,
    (SELECT row_to_json(shown) FROM (SELECT ${versionColumns(STORED_PHASES)}) shown)::text AS version
  FROM (
    SELECT f.id, f.name, f.description, f.project_id, f.current_version, f.created_by, f.created_at, f.updated_at
    FROM formulas f
    WHERE (f.created_at, f.id) >= ($1::timestamptz, $2::uuid) AND ($4::uuid IS NULL OR f.project_id = $4)
      AND ${readable.sql}
    ORDER BY f.created_at, f.id LIMIT $5::integer + 1
  ) f CROSS JOIN LATERAL (
    SELECT v.* FROM formula_versions v
    WHERE v.formula_id = f.id AND $3::integer IS NOT NULL AND ${CONDITIONS[versions]}
    ORDER BY v.version_number LIMIT $5
  ) v
  ORDER BY f.created_at, f.id, v.version_number LIMIT $5`;

/**
 * Writes many versions at once. `formula` are the rows just inserted or updated, each with its `position`
 * in the lists of the parameters. $1 the user; the lists are JSON: $2 formulas, $3 phases, $4 lines.
 */
const writeVersions = (formula: string): string => `
  WITH sent_formula AS MATERIALIZED (
    SELECT coalesce(sent.id, gen_random_uuid()) AS id, sent.position, sent.name, sent.description,
      sent.project_id, sent.reason
    FROM json_to_recordset($2::json) AS sent (position integer, id uuid, name text, description text,
      project_id uuid, reason text)
  ),
  formula AS (${formula}),
  sent_phase AS MATERIALIZED (
    SELECT gen_random_uuid() AS id, sent.*
    FROM json_to_recordset($3::json) AS sent (formula integer, position integer, name text, sort_order integer)
  ),
  line AS MATERIALIZED (
    SELECT gen_random_uuid() AS id, sent_phase.id AS phase_id, sent_phase.formula, sent.position,
      sent.ingredient_id, sent.percentage, sent.process_notes, i.inci_name, i.chinese_name
    FROM json_to_recordset($4::json) AS sent (formula integer, phase integer, position integer,
      ingredient_id uuid, percentage numeric, process_notes text)
    JOIN sent_phase ON sent_phase.formula = sent.formula AND sent_phase.position = sent.phase
    LEFT JOIN ingredients i ON i.id = sent.ingredient_id
  ),
  phase AS MATERIALIZED (
    SELECT sent_phase.*, grouped.snapshot
    FROM sent_phase JOIN (
      SELECT phase_id, array_to_json(array_agg(
        (SELECT row_to_json(at_this_version) FROM (
           SELECT line.ingredient_id AS "ingredientId", line.inci_name AS "inciName",
             line.chinese_name AS "chineseName", line.percentage, line.process_notes AS "processNotes"
         ) at_this_version) ORDER BY line.position)) AS snapshot
      FROM line GROUP BY phase_id
    ) grouped ON grouped.phase_id = sent_phase.id
  ),
  snapshot AS MATERIALIZED (
    SELECT formula, (SELECT row_to_json(shown) FROM (SELECT phases) shown) AS data
    FROM (
      SELECT phase.formula, array_to_json(array_agg(
        (SELECT row_to_json(at_this_version) FROM (
           SELECT phase.name, phase.sort_order AS "sortOrder", phase.snapshot AS ingredients
         ) at_this_version) ORDER BY phase.sort_order, phase.position)) AS phases
      FROM phase GROUP BY phase.formula
    ) grouped
  ),
  version AS (
    INSERT INTO formula_versions (formula_id, version_number, description, snapshot_data, created_by, created_at)
    SELECT formula.id, formula.current_version, sent_formula.reason, snapshot.data, $1::uuid, formula.updated_at
    FROM formula
    JOIN sent_formula ON sent_formula.id = formula.id
    JOIN snapshot ON snapshot.formula = sent_formula.position
    RETURNING id, formula_id, version_number
  ),
  stored AS MATERIALIZED (
    SELECT version.id, sent_formula.position, version.formula_id, version.version_number
    FROM version JOIN sent_formula ON sent_formula.id = version.formula_id
  ),
  stored_phases AS (
    INSERT INTO formula_phases (id, formula_version_id, name, sort_order, position)
    SELECT sent_phase.id, stored.id, sent_phase.name, sent_phase.sort_order, sent_phase.position
    FROM sent_phase JOIN stored ON stored.position = sent_phase.formula
  ),
  stored_lines AS (
    INSERT INTO formula_ingredients
      (id, formula_version_id, phase_id, ingredient_id, percentage, process_notes, position)
    SELECT line.id, stored.id, line.phase_id, line.ingredient_id, line.percentage, line.process_notes, line.position
    FROM line JOIN stored ON stored.position = line.formula
  )
  SELECT stored.position, stored.formula_id AS id, stored.version_number AS "versionNumber"
  FROM stored ORDER BY stored.position`;

/** Creates formulas with their version 1. */
export const CREATE_FORMULAS = writeVersions(`
  INSERT INTO formulas (id, name, description, project_id, created_by)
  SELECT sent_formula.id, sent_formula.name, sent_formula.description, sent_formula.project_id, $1::uuid
  FROM sent_formula ORDER BY sent_formula.position
  RETURNING id, current_version, updated_at`);

/** Adds a version to each of the formulas, which must be different. */
export const REVISE_FORMULAS = writeVersions(`
  UPDATE formulas SET current_version = formulas.current_version + 1, updated_at = clock_timestamp()
  FROM sent_formula WHERE formulas.id = sent_formula.id
  RETURNING formulas.id, formulas.current_version, formulas.updated_at`);

/** $1 the formulas; $2 and later: the parameters of the condition. */
export const ownersOf = (readable: RowCondition): string => `
  SELECT f.id, f.created_by AS "createdBy" FROM formulas f WHERE f.id = ANY ($1::uuid[]) AND ${readable.sql}`;

/** $1 names of formulas, $2 their creator; $3 and later: the parameters of the condition. */
export const ownNamed = (readable: RowCondition): string => `
  SELECT f.id, f.name FROM formulas f
  WHERE f.name = ANY ($1::text[]) AND f.created_by = $2 AND ${readable.sql} ORDER BY f.name, f.created_at, f.id`;
