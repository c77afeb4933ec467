import { fieldNames } from '../common/validation/field-metadata';
import type { Statement } from '../database/database';
import { readable } from '../database/readable';
import {
  CHANGEABLE,
  FORMULAS,
  LINES,
  PHASES,
  SENT_OF_FORMULA,
  SENT_OF_LINE,
  SENT_OF_PHASE,
  VERSIONS,
} from './formula-tables';
import { FormulaFields } from './formula.fields';

/*
 * Formulas are read and written as JSON text that the database builds, in one statement each: assembling the
 * rows of three levels in JavaScript, or hydrating entities, costs several times as much. `row_to_json` and
 * `array_to_json` write JSON exactly as JSON.stringify does (no spaces).
 *
 * Every statement ends in the same detail document; they differ in where formula, version, phases and lines
 * come from: tables for a read, the rows just written for a creation or a revision.
 */

/** The project of a formula, as JSON. */
export const projectOf = (formula: string) => `
  (SELECT row_to_json(named) FROM (
     SELECT p.id, p.name FROM projects p WHERE p.id = ${formula}.project_id AND ${readable.project('p')}
   ) named) AS project`;

/** The metadata of a formula, without versions. */
const METADATA = `
  ${FORMULAS.shown(
    fieldNames(FormulaFields).filter((name) => name !== 'project'),
    'formula',
  )}, ${projectOf('formula')}`;

/** One line of a formula with its ingredient's names. */
const LINE = `
  (SELECT row_to_json(shown) FROM (
     SELECT ${LINES.shown(['id', ...SENT_OF_LINE], 'line')},
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
    SELECT ${METADATA}, array_to_json(ARRAY(
      SELECT row_to_json(latest) FROM (
        SELECT ${VERSIONS.shown(
          ['id', 'versionNumber', 'description', 'snapshotData', 'createdBy', 'createdAt'],
          'version',
        )},
               array_to_json(ARRAY(
                 SELECT row_to_json(phase_shown) FROM (
                   SELECT phase.id, version.id AS "formulaId", ${PHASES.shown(SENT_OF_PHASE, 'phase')},
                          phase.ingredients
                   FROM ${sources.phases} ORDER BY phase.sort_order, phase.position
                 ) phase_shown)) AS phases
      ) latest)) AS versions
    FROM ${sources.formula}
  ) shown`;

/** They wait for a formula's row, or write many lines: reads do not wait with them. */
const WRITES = 'formulas/written';

/** Held to be changed or deleted. $1: formula. */
export const LOCK_FORMULA: Statement = {
  name: 'formulas.lock',
  group: WRITES,
  text: 'SELECT id FROM formulas WHERE id = $1 FOR UPDATE',
};

/** $1: formula. Each on its own: a small one is not answered together with somebody else's 300 KB. */
export const READ_FORMULA: Statement = {
  name: 'formulas.read',
  mayPipeline: true,
  text: detail({
    formula: `formulas formula
      JOIN formula_versions version
        ON version.formula_id = formula.id AND version.version_number = formula.current_version
      WHERE formula.id = $1 AND ${readable.formula('formula')}`,
    phases: `(
      SELECT p.*, array_to_json(ARRAY(
          SELECT ${LINE}
          FROM (SELECT l.*, i.inci_name, i.chinese_name
                FROM formula_ingredients l JOIN ingredients i ON i.id = l.ingredient_id
                WHERE l.phase_id = p.id) line
          ORDER BY line.position)) AS ingredients
      FROM formula_phases p WHERE p.formula_version_id = version.id) phase`,
  }),
};

/** One line as a snapshot keeps it, with the names of that time. */
const LINE_THEN = `
  (SELECT row_to_json(line_then) FROM (
     SELECT ${LINES.shown(['ingredientId'], 'line')},
            line.inci_name AS "inciName", line.chinese_name AS "chineseName",
            ${LINES.shown(
              SENT_OF_LINE.filter((property) => property !== 'ingredientId'),
              'line',
            )}
   ) line_then)`;

/** Numbers of the first parameters of a writing statement: of phases, of lines, of the formula itself. */
const FIRST_OF_PHASES = 2;
const FIRST_OF_LINES = FIRST_OF_PHASES + SENT_OF_PHASE.length;
const FIRST_OF_FORMULA = FIRST_OF_LINES + 1 + SENT_OF_LINE.length;

/**
 * What creating and revising share: from a CTE `formula` (the row inserted or updated) they write the version
 * with its snapshot, the phases and the lines, and answer with the detail document. Parameters:
 *
 * - $1 the user;
 * - arrays of what was sent of the phases, one for each property;
 * - the phase of each line (counted from 1), then arrays of what was sent of the lines;
 * - what the statement itself needs of the formula.
 *
 * The version's description is SQL as well.
 *
 * Names come by an outer join: a line whose ingredient does not exist reaches the foreign key, which refuses
 * it. The lines of all phases are grouped in one pass: looking them up phase by phase, among rows that no
 * index leads to, would take phases × lines.
 */
const writeVersion = (formula: string, description: string) => `
  WITH formula AS (${formula}),
  sent_phase AS MATERIALIZED (
    SELECT gen_random_uuid() AS id, sent.* FROM unnest(${PHASES.arrays(SENT_OF_PHASE, FIRST_OF_PHASES)})
      WITH ORDINALITY AS sent (${PHASES.names(SENT_OF_PHASE)}, position)
  ),
  line AS MATERIALIZED (
    SELECT gen_random_uuid() AS id, p.id AS phase_id, sent.*, i.inci_name, i.chinese_name
    FROM unnest($${FIRST_OF_LINES}::int[], ${LINES.arrays(SENT_OF_LINE, FIRST_OF_LINES + 1)})
      WITH ORDINALITY AS sent (phase_number, ${LINES.names(SENT_OF_LINE)}, position)
    JOIN sent_phase p ON p.position = sent.phase_number
    LEFT JOIN ingredients i ON i.id = sent.ingredient_id
  ),
  phase AS MATERIALIZED (
    SELECT p.*, grouped.ingredients, grouped.ingredients_then
    FROM sent_phase p JOIN (
      SELECT phase_id, array_to_json(array_agg(${LINE} ORDER BY line.position)) AS ingredients,
             array_to_json(array_agg(${LINE_THEN} ORDER BY line.position)) AS ingredients_then
      FROM line GROUP BY phase_id
    ) grouped ON grouped.phase_id = p.id
  ),
  version AS (
    INSERT INTO formula_versions (formula_id, version_number, description, snapshot_data, created_by, created_at)
    SELECT formula.id, formula.current_version, ${description}, (
        SELECT row_to_json(snapshot) FROM (SELECT array_to_json(ARRAY(
          SELECT row_to_json(phase_then) FROM (
            SELECT ${PHASES.shown(SENT_OF_PHASE, 'phase')}, phase.ingredients_then AS ingredients
            FROM phase ORDER BY phase.sort_order, phase.position
          ) phase_then)) AS phases
        ) snapshot),
      $1::uuid, formula.updated_at
    FROM formula
    RETURNING *
  ),
  stored_phases AS (
    INSERT INTO formula_phases (id, formula_version_id, ${PHASES.names(SENT_OF_PHASE)}, position)
    SELECT phase.id, version.id, ${PHASES.names(SENT_OF_PHASE, 'phase')}, phase.position
    FROM sent_phase phase, version
  ),
  stored_lines AS (
    INSERT INTO formula_ingredients (id, formula_version_id, phase_id, ${LINES.names(SENT_OF_LINE)}, position)
    SELECT line.id, version.id, line.phase_id, ${LINES.names(SENT_OF_LINE, 'line')}, line.position
    FROM line, version
  )
  ${detail({
    formula: 'formula, version',
    phases: 'phase',
  })}`;

/** Of the formula: what was sent of it. */
export const CREATE_FORMULA: Statement = {
  name: 'formulas.create',
  group: WRITES,
  text: writeVersion(
    `INSERT INTO formulas (${FORMULAS.names(SENT_OF_FORMULA)}, created_by)
    VALUES (${FORMULAS.parameters(SENT_OF_FORMULA, FIRST_OF_FORMULA)}, $1::uuid)
    RETURNING *`,
    'NULL',
  ),
};

/**
 * Of the formula: its id, and the version's description. The update locks the formula's row, so revisions of
 * one formula take turns and their numbers are consecutive. The time is read after the lock is held: a
 * later version never has an earlier time.
 */
export const REVISE_FORMULA: Statement = {
  name: 'formulas.revise',
  group: WRITES,
  text: writeVersion(
    `UPDATE formulas SET current_version = current_version + 1, updated_at = clock_timestamp()
    WHERE id = $${FIRST_OF_FORMULA}::uuid
    RETURNING *`,
    `$${FIRST_OF_FORMULA + 1}::text`,
  ),
};

const changed = CHANGEABLE.map((property, index) => {
  const column = FORMULAS.column(property);
  const value = FORMULAS.parameters([property], 3 + 2 * index);
  return `${column} = CASE WHEN $${2 + 2 * index}::boolean THEN ${value} ELSE ${column} END`;
});

/** $1 formula; for each of what is changeable, whether and how to change it. */
export const UPDATE_METADATA: Statement = {
  name: 'formulas.update-metadata',
  group: WRITES,
  text: `
    WITH formula AS (
      UPDATE formulas SET ${changed.join(', ')}, updated_at = clock_timestamp()
      WHERE id = $1
      RETURNING *
    )
    SELECT row_to_json(shown)::text AS json FROM (SELECT ${METADATA} FROM formula) shown`,
};

/** $1 formula: its metadata. */
export const READ_METADATA: Statement = {
  name: 'formulas.read-metadata',
  text: `SELECT row_to_json(shown)::text AS json
         FROM (SELECT ${METADATA} FROM formulas formula
               WHERE id = $1 AND ${readable.formula('formula')}) shown`,
};
