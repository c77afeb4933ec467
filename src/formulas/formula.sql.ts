import type { Readable } from '../platform/access/row-filter';
import { FORMULA_COLUMNS } from './formula.fields';

/*
 * Formulas are read and written as JSON text that the database builds, in one statement each.
 * Assembling the rows of three levels in JavaScript, or hydrating entities, costs several times as
 * much. `row_to_json` and `array_to_json` write JSON exactly as JSON.stringify does (no spaces).
 *
 * Every statement ends in the same document. They differ in the source of the formula `f`, the
 * version `v` and the phases: tables for a read, the rows just written for a creation or a revision.
 */

export const projectOfFormula = (readable: Readable): string => `
  (SELECT row_to_json(named) FROM (
     SELECT p.id, p.name FROM projects p WHERE p.id = f.project_id AND ${readable('project', 'p')}) named)`;

export const metadata = (readable: Readable): string => `
  f.id, ${FORMULA_COLUMNS.map(({ field, column }) => `f.${column} AS "${field}"`).join(', ')},
  f.current_version AS "currentVersion", f.created_by AS "createdBy",
  iso_time(f.created_at) AS "createdAt",
  iso_time(f.updated_at) AS "updatedAt",
  ${projectOfFormula(readable)} AS project`;

/** A line with the names of its ingredient, as JSON. */
const LINE = `
  (SELECT row_to_json(shown) FROM (
     SELECT line.id, line.ingredient_id AS "ingredientId", line.percentage, line.process_notes AS "processNotes",
       (SELECT row_to_json(named) FROM (
          SELECT line.ingredient_id AS id, line.inci_name AS "inciName", line.chinese_name AS "chineseName"
        ) named) AS ingredient
   ) shown)`;

/** A line with the names of its ingredient at this version, as JSON. */
export const SNAPSHOT_LINE = `
  (SELECT row_to_json(at_this_version) FROM (
     SELECT line.ingredient_id AS "ingredientId", line.inci_name AS "inciName",
       line.chinese_name AS "chineseName", line.percentage, line.process_notes AS "processNotes"
   ) at_this_version)`;

/**
 * The columns of version `v`.
 * @param phases FROM item `phase`, which has its lines as `ingredients`, a JSON array
 */
export const versionColumns = (phases: string): string => `
  v.id, v.version_number AS "versionNumber", v.description, v.snapshot_data AS "snapshotData",
  v.created_by AS "createdBy",
  iso_time(v.created_at) AS "createdAt",
  array_to_json(ARRAY(
    SELECT row_to_json(phase_shown) FROM (
      SELECT phase.id, v.id AS "formulaId", phase.name, phase.sort_order AS "sortOrder", phase.ingredients
      FROM ${phases} ORDER BY phase.sort_order, phase.position
    ) phase_shown)) AS phases`;

/** @param phases see `versionColumns` */
const formulaDocument = (readable: Readable, from: string, phases: string): string => `
  SELECT row_to_json(shown)::text AS json FROM (
    SELECT ${metadata(readable)},
      array_to_json(ARRAY(
        SELECT row_to_json(latest) FROM (SELECT ${versionColumns(phases)}) latest)) AS versions
    FROM ${from}
  ) shown`;

/** The stored phases of version `v` with their lines. */
export const STORED_PHASES = `
  (SELECT stored.*, array_to_json(ARRAY(
     SELECT ${LINE}
     FROM (SELECT l.*, i.inci_name, i.chinese_name
           FROM formula_ingredients l JOIN ingredients i ON i.id = l.ingredient_id
           WHERE l.phase_id = stored.id) line
     ORDER BY line.position)) AS ingredients
   FROM formula_phases stored WHERE stored.formula_version_id = v.id) phase`;

/** $1: the formula's id. */
export const readFormula = (readable: Readable): string =>
  formulaDocument(
    readable,
    `formulas f JOIN formula_versions v ON v.formula_id = f.id AND v.version_number = f.current_version
     WHERE f.id = $1 AND ${readable('formula', 'f')}`,
    STORED_PHASES,
  );

/** $1: the formula's id; $2: the version's number. `json` is null if the formula has no such version. */
export const readVersion = (readable: Readable): string => `
  SELECT (SELECT row_to_json(shown) FROM (
            SELECT ${versionColumns(STORED_PHASES)} FROM formula_versions v
            WHERE v.formula_id = f.id AND v.version_number = $2) shown)::text AS json
  FROM formulas f WHERE f.id = $1 AND ${readable('formula', 'f')}`;

/** $1: the formula's id; $2: the version's number; $3: its description. */
export const describeVersion = `
  WITH v AS (
    UPDATE formula_versions SET description = $3::text WHERE formula_id = $1 AND version_number = $2 RETURNING *
  )
  SELECT row_to_json(shown)::text AS json FROM (SELECT ${versionColumns(STORED_PHASES)} FROM v) shown`;

/**
 * The common part of creating and revising: writes the version of `formula`, the row just inserted or
 * updated, with its snapshot, phases and lines, and returns the document. Parameters:
 *
 * - $1 the user;
 * - $2, $3 names and sort orders of the phases;
 * - $4 to $7 for each line: number of its phase, ingredient, percentage and notes;
 * - $8 the version's description;
 * - $9 and later: the parameters of `formula`.
 *
 * The outer join retains lines whose ingredient does not exist, so that the foreign key rejects them. The
 * lines of all phases are grouped in one pass: looking them up phase by phase would take phases × lines.
 */
const writeVersion = (formula: string, readable: Readable): string => `
  WITH formula AS (${formula}),
  sent_phase AS MATERIALIZED (
    SELECT gen_random_uuid() AS id, sent.*
    FROM unnest($2::text[], $3::integer[]) WITH ORDINALITY AS sent (name, sort_order, position)
  ),
  line AS MATERIALIZED (
    SELECT gen_random_uuid() AS id, sent_phase.id AS phase_id, sent.*, i.inci_name, i.chinese_name
    FROM unnest($4::integer[], $5::uuid[], $6::numeric[], $7::text[])
      WITH ORDINALITY AS sent (phase_number, ingredient_id, percentage, process_notes, position)
    JOIN sent_phase ON sent_phase.position = sent.phase_number
    LEFT JOIN ingredients i ON i.id = sent.ingredient_id
  ),
  phase AS MATERIALIZED (
    SELECT sent_phase.*, grouped.ingredients, grouped.snapshot
    FROM sent_phase JOIN (
      SELECT phase_id, array_to_json(array_agg(${LINE} ORDER BY line.position)) AS ingredients,
        array_to_json(array_agg(${SNAPSHOT_LINE} ORDER BY line.position)) AS snapshot
      FROM line GROUP BY phase_id
    ) grouped ON grouped.phase_id = sent_phase.id
  ),
  version AS (
    INSERT INTO formula_versions (formula_id, version_number, description, snapshot_data, created_by, created_at)
    SELECT formula.id, formula.current_version, $8::text,
      (SELECT row_to_json(snapshot) FROM (
         SELECT array_to_json(ARRAY(
           SELECT row_to_json(at_this_version) FROM (
             SELECT phase.name, phase.sort_order AS "sortOrder", phase.snapshot AS ingredients
             FROM phase ORDER BY phase.sort_order, phase.position
           ) at_this_version)) AS phases
       ) snapshot),
      $1::uuid, formula.updated_at
    FROM formula
    RETURNING *
  ),
  stored_phases AS (
    INSERT INTO formula_phases (id, formula_version_id, name, sort_order, position)
    SELECT sent_phase.id, version.id, sent_phase.name, sent_phase.sort_order, sent_phase.position
    FROM sent_phase, version
  ),
  stored_lines AS (
    INSERT INTO formula_ingredients
      (id, formula_version_id, phase_id, ingredient_id, percentage, process_notes, position)
    SELECT line.id, version.id, line.phase_id, line.ingredient_id, line.percentage, line.process_notes, line.position
    FROM line, version
  )
  ${formulaDocument(readable, 'formula f, version v', 'phase')}`;

/** From $9 on: the values of `FORMULA_COLUMNS`. */
export const createFormula = (readable: Readable): string =>
  writeVersion(
    `INSERT INTO formulas (${FORMULA_COLUMNS.map(({ column }) => column).join(', ')}, created_by)
     VALUES (${FORMULA_COLUMNS.map(({ type }, index) => `$${9 + index}::${type}`).join(', ')}, $1::uuid)
     RETURNING *`,
    readable,
  );

/**
 * $9: the formula. The update locks its row, so revisions of one formula run one after the other and their
 * numbers are consecutive. The time is read after the lock, so a later version never has an earlier time.
 */
export const reviseFormula = (readable: Readable): string =>
  writeVersion(
    `UPDATE formulas SET current_version = current_version + 1, updated_at = clock_timestamp()
     WHERE id = $9::uuid
     RETURNING *`,
    readable,
  );

/** The columns that an update of the metadata may change. */
export const UPDATABLE_COLUMNS = FORMULA_COLUMNS.filter(({ field }) => field !== 'projectId');

/** $1 the formula; then for each of `UPDATABLE_COLUMNS` true to change it, and its value. */
export const updateMetadata = (readable: Readable): string => `
  WITH f AS (
    UPDATE formulas SET ${UPDATABLE_COLUMNS.map(
      ({ column, type }, index) => `${column} =
        CASE WHEN $${2 * index + 2}::boolean THEN $${2 * index + 3}::${type} ELSE ${column} END, `,
    ).join('')}updated_at = clock_timestamp()
    WHERE id = $1
    RETURNING *
  )
  SELECT row_to_json(shown)::text AS json FROM (SELECT ${metadata(readable)} FROM f) shown`;

/** $1: the formula's id. */
export const readMetadata = (readable: Readable): string => `
  SELECT row_to_json(shown)::text AS json
  FROM (SELECT ${metadata(readable)} FROM formulas f WHERE f.id = $1 AND ${readable('formula', 'f')}) shown`;
