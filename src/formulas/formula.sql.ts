import type { Statement } from '../database/database';
import { isoTimestamp } from '../database/json-columns';

/*
 * Formulas are read and written as JSON text that the database builds, in one statement each: assembling the
 * rows of three levels in JavaScript, or hydrating entities, costs several times as much. `row_to_json` and
 * `array_to_json` write JSON exactly as JSON.stringify does (no spaces).
 *
 * Every statement ends in the same detail document; they differ in where formula, version, phases and lines
 * come from: tables for a read, the rows just written for a creation or a revision.
 */

/** The metadata of a formula, without versions. */
const formulaColumns = `
  formula.id, formula.name, formula.description, formula.project_id AS "projectId",
  formula.current_version AS "currentVersion", formula.created_by AS "createdBy",
  ${isoTimestamp('formula.created_at')} AS "createdAt", ${isoTimestamp('formula.updated_at')} AS "updatedAt"`;

const projectColumn = `
  (SELECT row_to_json(shown) FROM (SELECT p.id, p.name FROM projects p WHERE p.id = formula.project_id) shown)
    AS project`;

/** One line of a formula with its ingredient's names. */
const lineShown = `
  (SELECT row_to_json(shown) FROM (
     SELECT line.id, line.ingredient_id AS "ingredientId", line.percentage, line.process_notes AS "processNotes",
            (SELECT row_to_json(named) FROM (
               SELECT line.ingredient_id AS id, line.inci_name AS "inciName", line.chinese_name AS "chineseName"
             ) named) AS ingredient
   ) shown)`;

/**
 * @param sources where the formula with its version, and the version's phases come from; a phase brings its
 *   lines as `ingredients`, a JSON array
 */
const detail = (sources: { formula: string; phases: string }) => `
  SELECT row_to_json(shown)::text AS json FROM (
    SELECT ${formulaColumns}, ${projectColumn}, array_to_json(ARRAY(
      SELECT row_to_json(latest) FROM (
        SELECT version.id, version.version_number AS "versionNumber", version.description,
               version.snapshot_data AS "snapshotData", version.created_by AS "createdBy",
               ${isoTimestamp('version.created_at')} AS "createdAt",
               array_to_json(ARRAY(
                 SELECT row_to_json(phase_shown) FROM (
                   SELECT phase.id, version.id AS "formulaId", phase.name, phase.sort_order AS "sortOrder",
                          phase.ingredients
                   FROM ${sources.phases} ORDER BY phase.sort_order, phase.position
                 ) phase_shown)) AS phases
      ) latest)) AS versions
    FROM ${sources.formula}
  ) shown`;

/** $1: formula. */
export const READ_FORMULA: Statement = {
  name: 'formulas.read',
  text: detail({
    formula: `formulas formula
      JOIN formula_versions version
        ON version.formula_id = formula.id AND version.version_number = formula.current_version
      WHERE formula.id = $1`,
    phases: `(
      SELECT p.*, array_to_json(ARRAY(
          SELECT ${lineShown}
          FROM (SELECT l.*, i.inci_name, i.chinese_name
                FROM formula_ingredients l JOIN ingredients i ON i.id = l.ingredient_id
                WHERE l.phase_id = p.id) line
          ORDER BY line.position)) AS ingredients
      FROM formula_phases p WHERE p.formula_version_id = version.id) phase`,
  }),
};

/** One line as a snapshot keeps it, with the names of that time. */
const lineThen = `
  (SELECT row_to_json(line_then) FROM (
     SELECT line.ingredient_id AS "ingredientId", line.inci_name AS "inciName", line.chinese_name AS "chineseName",
            line.percentage, line.process_notes AS "processNotes"
   ) line_then)`;

/**
 * What creating and revising share: from a CTE `formula` (the row inserted or updated) they write the version
 * with its snapshot, the phases and the lines, and answer with the detail document. Parameters:
 *
 * - $1 the user;
 * - $2, $3 names and sort orders of the phases, as sent;
 * - $4 to $7 the phase of each line (counted from 1), its ingredient, percentage and notes, as sent.
 *
 * Names come by an outer join: a line whose ingredient does not exist reaches the foreign key, which refuses
 * it. The lines of all phases are grouped in one pass: looking them up phase by phase, among rows that no
 * index leads to, would take phases × lines.
 */
const writeVersion = (formula: string) => `
  WITH formula AS (${formula}),
  sent_phase AS MATERIALIZED (
    SELECT gen_random_uuid() AS id, sent.* FROM unnest($2::text[], $3::int[])
      WITH ORDINALITY AS sent (name, sort_order, position)
  ),
  line AS MATERIALIZED (
    SELECT gen_random_uuid() AS id, p.id AS phase_id, p.name AS phase_name, p.sort_order,
           p.position AS phase_position, sent.*, i.inci_name, i.chinese_name
    FROM unnest($4::int[], $5::uuid[], $6::numeric[], $7::text[])
      WITH ORDINALITY AS sent (phase_number, ingredient_id, percentage, process_notes, position)
    JOIN sent_phase p ON p.position = sent.phase_number
    LEFT JOIN ingredients i ON i.id = sent.ingredient_id
  ),
  phase AS MATERIALIZED (
    SELECT phase_id AS id, phase_name AS name, sort_order, phase_position AS position,
           array_to_json(array_agg(${lineShown} ORDER BY line.position)) AS ingredients,
           array_to_json(array_agg(${lineThen} ORDER BY line.position)) AS ingredients_then
    FROM line GROUP BY phase_id, phase_name, sort_order, phase_position
  ),
  version AS (
    INSERT INTO formula_versions (formula_id, version_number, snapshot_data, created_by, created_at)
    SELECT formula.id, formula.current_version, (
        SELECT row_to_json(snapshot) FROM (SELECT array_to_json(ARRAY(
          SELECT row_to_json(phase_then) FROM (
            SELECT phase.name, phase.sort_order AS "sortOrder", phase.ingredients_then AS ingredients
            FROM phase ORDER BY phase.sort_order, phase.position
          ) phase_then)) AS phases
        ) snapshot),
      $1::uuid, formula.updated_at
    FROM formula
    RETURNING *
  ),
  stored_phases AS (
    INSERT INTO formula_phases (id, formula_version_id, name, sort_order, position)
    SELECT phase.id, version.id, phase.name, phase.sort_order, phase.position
    FROM sent_phase phase, version
  ),
  stored_lines AS (
    INSERT INTO formula_ingredients
      (id, formula_version_id, phase_id, ingredient_id, percentage, process_notes, position)
    SELECT line.id, version.id, line.phase_id, line.ingredient_id, line.percentage, line.process_notes, line.position
    FROM line, version
  )
  ${detail({
    formula: 'formula, version',
    phases: 'phase',
  })}`;

/** $8 name, $9 description, $10 project. */
export const CREATE_FORMULA: Statement = {
  name: 'formulas.create',
  text: writeVersion(`
    INSERT INTO formulas (name, description, project_id, created_by)
    VALUES ($8, $9, $10::uuid, $1::uuid)
    RETURNING *`),
};

/**
 * $8 formula. The update locks the formula's row, so revisions of one formula take turns and their numbers
 * are consecutive. The time is read after the lock is held: a later version never has an earlier time.
 */
export const REVISE_FORMULA: Statement = {
  name: 'formulas.revise',
  text: writeVersion(`
    UPDATE formulas SET current_version = current_version + 1, updated_at = clock_timestamp()
    WHERE id = $8::uuid
    RETURNING *`),
};

/** $1 formula, $2 and $3 whether and how to change the name, $4 and $5 the description. */
export const UPDATE_METADATA: Statement = {
  name: 'formulas.update-metadata',
  text: `
    WITH formula AS (
      UPDATE formulas SET name = CASE WHEN $2::boolean THEN $3 ELSE name END,
        description = CASE WHEN $4::boolean THEN $5 ELSE description END,
        updated_at = clock_timestamp()
      WHERE id = $1
      RETURNING *
    )
    SELECT row_to_json(shown)::text AS json
    FROM (SELECT ${formulaColumns}, ${projectColumn} FROM formula) shown`,
};

/** $1 formula: its metadata. */
export const READ_METADATA: Statement = {
  name: 'formulas.read-metadata',
  text: `SELECT row_to_json(shown)::text AS json
         FROM (SELECT ${formulaColumns}, ${projectColumn} FROM formulas formula WHERE id = $1) shown`,
};
