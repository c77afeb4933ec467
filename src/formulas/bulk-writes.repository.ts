import { Injectable } from '@nestjs/common';
import type { RowFilter } from '../platform/access/row-filter';
import { DatabaseService } from '../platform/database/database.service';
import type { RevisionDto } from './formula.dto';
import { compositionValues } from './formulas.repository';
import { SNAPSHOT_LINE } from './formula.sql';

/** Locks formulas for a change, always in the same order, so that concurrent writes wait for each other. $1: ids. */
const LOCK_FORMULAS = `
  SELECT id, name, current_version AS "currentVersion" FROM formulas
  WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`;

/**
 * Adds the next version to each of several formulas, with snapshot, phases and lines, as
 * `reviseFormula` does for one. Returns the formulas and the numbers of their new versions. Parameters:
 *
 * - $1 the user;
 * - $2, $3 names and sort orders of the phases of all formulas;
 * - $4 to $7 for each line: number of its phase, ingredient, percentage and notes;
 * - $8 for each phase: number of its formula;
 * - $9, $10 the formulas and the descriptions of their versions.
 */
const REVISE_FORMULAS = `
  WITH sent_formula AS MATERIALIZED (
    SELECT * FROM unnest($9::uuid[], $10::text[]) WITH ORDINALITY AS sent (id, description, number)
  ),
  formula AS (
    UPDATE formulas SET current_version = current_version + 1, updated_at = clock_timestamp()
    FROM sent_formula WHERE formulas.id = sent_formula.id
    RETURNING formulas.id, formulas.current_version, formulas.updated_at, sent_formula.description,
      sent_formula.number
  ),
  sent_phase AS MATERIALIZED (
    SELECT gen_random_uuid() AS id, sent.*,
      row_number() OVER (PARTITION BY formula_number ORDER BY place) AS position
    FROM unnest($2::text[], $3::integer[], $8::integer[])
      WITH ORDINALITY AS sent (name, sort_order, formula_number, place)
  ),
  line AS MATERIALIZED (
    SELECT gen_random_uuid() AS id, sent_phase.id AS phase_id, sent_phase.formula_number, sent.*,
      row_number() OVER (PARTITION BY sent_phase.formula_number ORDER BY sent.place) AS position,
      i.inci_name, i.chinese_name
    FROM unnest($4::integer[], $5::uuid[], $6::numeric[], $7::text[])
      WITH ORDINALITY AS sent (phase_number, ingredient_id, percentage, process_notes, place)
    JOIN sent_phase ON sent_phase.place = sent.phase_number
    LEFT JOIN ingredients i ON i.id = sent.ingredient_id
  ),
  snapshot AS MATERIALIZED (
    SELECT phase.formula_number, array_to_json(array_agg(
      (SELECT row_to_json(at_this_version) FROM (
         SELECT phase.name, phase.sort_order AS "sortOrder", grouped.lines AS ingredients
       ) at_this_version) ORDER BY phase.sort_order, phase.position)) AS phases
    FROM sent_phase phase JOIN (
      SELECT phase_id, array_to_json(array_agg(${SNAPSHOT_LINE} ORDER BY line.position)) AS lines
      FROM line GROUP BY phase_id
    ) grouped ON grouped.phase_id = phase.id
    GROUP BY phase.formula_number
  ),
  version AS (
    INSERT INTO formula_versions (formula_id, version_number, description, snapshot_data, created_by, created_at)
    SELECT formula.id, formula.current_version, formula.description,
      (SELECT row_to_json(shown) FROM (SELECT snapshot.phases) shown), $1::uuid, formula.updated_at
    FROM formula JOIN snapshot ON snapshot.formula_number = formula.number
    RETURNING id, formula_id, version_number
  ),
  numbered_version AS (
    SELECT version.id, formula.number FROM version JOIN formula ON formula.id = version.formula_id
  ),
  stored_phases AS (
    INSERT INTO formula_phases (id, formula_version_id, name, sort_order, position)
    SELECT sent_phase.id, version.id, sent_phase.name, sent_phase.sort_order, sent_phase.position
    FROM sent_phase JOIN numbered_version version ON version.number = sent_phase.formula_number
  ),
  stored_lines AS (
    INSERT INTO formula_ingredients
      (id, formula_version_id, phase_id, ingredient_id, percentage, process_notes, position)
    SELECT line.id, version.id, line.phase_id, line.ingredient_id, line.percentage, line.process_notes, line.position
    FROM line JOIN numbered_version version ON version.number = line.formula_number
  )
  SELECT formula_id AS id, version_number AS "versionNumber" FROM version`;

/**
 * Moves the formulas that are not in the project yet, and returns their ids. $1: the formulas; $2:
 * the project, or null.
 */
const MOVE_FORMULAS = `
  UPDATE formulas SET project_id = $2::uuid, updated_at = clock_timestamp()
  WHERE id = ANY ($1::uuid[]) AND project_id IS DISTINCT FROM $2::uuid
  RETURNING id`;

/** A revision of a formula, based on the version that its author has read. */
export interface FormulaRevision {
  readonly id: string;
  readonly versionNumber: number;
  readonly input: RevisionDto;
}

export interface RevisedFormula {
  readonly id: string;
  readonly versionNumber: number;
}

export interface LockedFormula {
  readonly id: string;
  readonly name: string;
  readonly currentVersion: number;
}

/** Writes several formulas with one statement per kind of write. */
@Injectable()
export class BulkWritesRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns the creators of these formulas, by formula id, without formulas that the user cannot read. */
  async findOwners(filter: RowFilter, ids: readonly string[]): Promise<Map<string, string>> {
    const readable = filter.for('formula', 'f', 2);
    const found = await this.database.query<{ id: string; createdBy: string }>(
      {
        name: filter.named('formulas.owners'),
        text: `SELECT f.id, f.created_by AS "createdBy" FROM formulas f WHERE f.id = ANY ($1::uuid[]) AND ${readable.sql}`,
      },
      [ids, ...readable.values],
    );
    return new Map(found.map(({ id, createdBy }) => [id, createdBy]));
  }

  /** Returns the formulas that exist, and locks them against changes and deletion until the transaction ends. */
  lock(ids: readonly string[]): Promise<LockedFormula[]> {
    return this.database.query<LockedFormula>({ name: 'formulas.lock-all', text: LOCK_FORMULAS }, [ids]);
  }

  /** Adds the next version to each formula. @throws ConstraintViolation `fk_formula_ingredients_ingredient` */
  revise(userId: string, revisions: readonly FormulaRevision[]): Promise<RevisedFormula[]> {
    const phases = revisions.flatMap(({ input }) => input.phases);
    return this.database.query<RevisedFormula>({ name: 'formulas.revise-all', text: REVISE_FORMULAS }, [
      userId,
      ...compositionValues(phases),
      revisions.flatMap(({ input }, index) => input.phases.map(() => index + 1)),
      revisions.map(({ id }) => id),
      revisions.map(({ input }) => input.description ?? null),
    ]);
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
