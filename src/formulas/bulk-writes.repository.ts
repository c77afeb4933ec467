import { Injectable } from '@nestjs/common';
import type { RowFilter } from '../platform/access/row-filter';
import { DatabaseService } from '../platform/database/database.service';
import type { PhaseDto } from './formula.dto';
import { FORMULA_COLUMNS, type FormulaValues } from './formula.fields';
import { SNAPSHOT_LINE } from './formula.sql';

const COLUMNS = FORMULA_COLUMNS.map(({ column }) => column).join(', ');

/** Locks formulas for a change, always in the same order, so that concurrent writes wait for each other. $1: ids. */
const LOCK_FORMULAS = `
  SELECT id, current_version AS "currentVersion" FROM formulas
  WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`;

/**
 * Writes many versions at once. `formula` are the rows just inserted or updated, each with its `position`
 * in the lists of the parameters. $1 the user; the lists are JSON: $2 formulas, $3 phases, $4 lines.
 */
const writeVersions = (formula: string): string => `
  WITH sent_formula AS MATERIALIZED (
    SELECT coalesce(sent.id, gen_random_uuid()) AS id, sent.position, ${COLUMNS}, sent.reason
    FROM json_to_recordset($2::json) AS sent (position integer, id uuid, reason text,
      ${FORMULA_COLUMNS.map(({ column, type }) => `${column} ${type}`).join(', ')})
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
      SELECT phase_id, array_to_json(array_agg(${SNAPSHOT_LINE} ORDER BY line.position)) AS snapshot
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

const CREATE_FORMULAS = writeVersions(`
  INSERT INTO formulas (id, ${COLUMNS}, created_by)
  SELECT id, ${COLUMNS}, $1::uuid
  FROM sent_formula ORDER BY sent_formula.position
  RETURNING id, current_version, updated_at`);

/** Adds a version to each of the formulas, which must be different. */
const REVISE_FORMULAS = writeVersions(`
  UPDATE formulas SET current_version = formulas.current_version + 1, updated_at = clock_timestamp()
  FROM sent_formula WHERE formulas.id = sent_formula.id
  RETURNING formulas.id, formulas.current_version, formulas.updated_at`);

/**
 * Moves the formulas that are not in the project yet, and returns their ids. $1: the formulas; $2:
 * the project, or null.
 */
const MOVE_FORMULAS = `
  UPDATE formulas SET project_id = $2::uuid, updated_at = clock_timestamp()
  WHERE id = ANY ($1::uuid[]) AND project_id IS DISTINCT FROM $2::uuid
  RETURNING id`;

/** A version to write. A new formula may have an id that no formula has. A revision has no name. */
export interface WrittenVersion extends Readonly<Partial<FormulaValues>> {
  readonly id?: string;
  readonly reason?: string | null;
  readonly phases: readonly PhaseDto[];
}

interface StoredVersion {
  /** Index in the list of written versions, from 0. */
  readonly position: number;
  readonly id: string;
  readonly versionNumber: number;
}

/** Writes many formulas, each kind of write with one statement. */
@Injectable()
export class BulkWritesRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns the formulas of a user that have one of these names. */
  ownNamed(filter: RowFilter, createdBy: string, names: readonly string[]) {
    return this.database.query<{ id: string; name: string }>(
      ...filter.statement(
        'formulas.own-named',
        [names, createdBy],
        (readable) => `
          SELECT f.id, f.name FROM formulas f
          WHERE f.name = ANY ($1::text[]) AND f.created_by = $2 AND ${readable('formula', 'f')}
          ORDER BY f.name, f.created_at, f.id`,
      ),
    );
  }

  /**
   * Locks formulas against changes and deletion until the transaction ends.
   * @returns the numbers of their latest versions, by id
   */
  async lock(ids: readonly string[]): Promise<Map<string, number>> {
    const statement = { name: 'formulas.lock-all', text: LOCK_FORMULAS };
    const locked = await this.database.query<{ id: string; currentVersion: number }>(statement, [ids]);
    return new Map(locked.map(({ id, currentVersion }) => [id, currentVersion]));
  }

  /** @throws ConstraintViolation if an ingredient or a project does not exist */
  create(createdBy: string, versions: readonly WrittenVersion[]): Promise<StoredVersion[]> {
    return this.database.query<StoredVersion>(
      { name: 'formulas.create-many', text: CREATE_FORMULAS },
      valuesOf(createdBy, versions),
    );
  }

  /** Adds the next version to each formula. @throws ConstraintViolation if an ingredient does not exist */
  revise(createdBy: string, versions: readonly WrittenVersion[]): Promise<StoredVersion[]> {
    return this.database.query<StoredVersion>(
      { name: 'formulas.revise-many', text: REVISE_FORMULAS },
      valuesOf(createdBy, versions),
    );
  }

  /** Returns the ids of the formulas that were not in the project. @throws ConstraintViolation `fk_formulas_project` */
  async move(ids: readonly string[], projectId: string | null): Promise<string[]> {
    const moved = await this.database.query<{ id: string }>({ name: 'formulas.move', text: MOVE_FORMULAS }, [
      ids,
      projectId,
    ]);
    return moved.map(({ id }) => id);
  }
}

function valuesOf(createdBy: string, versions: readonly WrittenVersion[]): unknown[] {
  const formulas = versions.map((version, position) => ({
    ...{ position, id: version.id, reason: version.reason },
    ...Object.fromEntries(FORMULA_COLUMNS.map(({ field, column }) => [column, version[field]])),
  }));
  const phases = versions.flatMap((version, formula) =>
    version.phases.map(({ name, sortOrder }, index) => ({
      ...{ formula, position: index + 1, name, sort_order: sortOrder },
    })),
  );
  const lines = versions.flatMap((version, formula) => {
    let position = 0;
    return version.phases.flatMap(({ ingredients }, index) =>
      ingredients.map(({ ingredientId, percentage, processNotes }) => ({
        ...{ formula, phase: index + 1, position: ++position, ingredient_id: ingredientId, percentage },
        process_notes: processNotes,
      })),
    );
  });
  return [createdBy, ...[formulas, phases, lines].map((rows) => JSON.stringify(rows))];
}
