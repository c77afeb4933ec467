import { Injectable } from '@nestjs/common';
import type { Readable, RowFilter } from '../../platform/access/row-filter';
import type { Slice } from '../../platform/http/envelope';
import { offsetOf, type PageQuery } from '../../platform/common/pagination';
import { DatabaseService } from '../../platform/database/database.service';
import { FORMULA_COLUMNS } from '../formula.fields';
import type { TrashedFormulaDto } from './trash.dto';

/*
 * A deleted formula is copied into tables of the trash before it is deleted, so that nothing else in the service
 * has to know of it.
 */

/** $1 the formula. No version can be added until the transaction ends. */
const LOCK_FORMULA = 'SELECT id FROM formulas WHERE id = $1 FOR UPDATE';

/** $1 the formula, $2 who deletes it, $3 when, $4 its custom fields. */
const COPY_FORMULA = `
  INSERT INTO trashed_formulas (id, formula, custom_fields, colors, created_by, deleted_by, deleted_at)
  SELECT f.id,
    (SELECT row_to_json(stored) FROM (
       SELECT f.id, ${FORMULA_COLUMNS.map(({ column }) => `f.${column}`).join(', ')},
         f.current_version, f.created_by, f.created_at, f.updated_at
     ) stored),
    $4::json, ARRAY(SELECT c.id FROM color_formulas c WHERE c.formula_id = f.id ORDER BY c.id),
    f.created_by, $2::uuid, $3::timestamptz
  FROM formulas f WHERE f.id = $1`;

/** $1 the formula. */
const COPY_VERSIONS = `
  INSERT INTO trashed_versions (id, formula_id, version_number, description, snapshot_data, created_by, created_at,
    phases, line_ids, line_phases, line_ingredients, line_percentages, line_notes, line_positions)
  SELECT v.id, v.formula_id, v.version_number, v.description, v.snapshot_data, v.created_by, v.created_at,
    (SELECT coalesce(json_agg(row_to_json(phase)), '[]') FROM formula_phases phase
     WHERE phase.formula_version_id = v.id),
    coalesce(line.ids, '{}'), coalesce(line.phases, '{}'), coalesce(line.ingredients, '{}'),
    coalesce(line.percentages, '{}'), coalesce(line.notes, '{}'), coalesce(line.positions, '{}')
  FROM formula_versions v CROSS JOIN LATERAL (
    SELECT array_agg(l.id) AS ids, array_agg(l.phase_id) AS phases, array_agg(l.ingredient_id) AS ingredients,
      array_agg(l.percentage) AS percentages, array_agg(l.process_notes) AS notes, array_agg(l.position) AS positions
    FROM formula_ingredients l WHERE l.formula_version_id = v.id
  ) line
  WHERE v.formula_id = $1`;

/** The formula of trash row `t` as a row `f`, so that a policy's condition on formulas applies to it. */
const AS_FORMULA = 'CROSS JOIN LATERAL json_populate_record(NULL::formulas, t.formula) f';

/** $1 from when on, $2 the creator or null for all, $3 limit, $4 offset; from $5 on what the condition needs. */
const listTrash = (readable: Readable): string => {
  const found = `
    FROM trashed_formulas t ${AS_FORMULA}
    WHERE t.deleted_at > $1 AND ($2::uuid IS NULL OR t.created_by = $2) AND ${readable('formula', 'f')}`;
  return `
    SELECT (SELECT count(*) ${found})::integer AS total,
      array_to_json(ARRAY(SELECT row_to_json(shown) FROM (
        SELECT t.id, f.name, t.created_by AS "createdBy",
          iso_time(t.deleted_at) AS "deletedAt",
          (SELECT row_to_json(named) FROM (
             SELECT u.id, u.username FROM users u WHERE u.id = t.deleted_by) named) AS "deletedBy"
        ${found}
        ORDER BY t.deleted_at DESC, t.id LIMIT $3 OFFSET $4) shown)) AS rows`;
};

/** $1 the formula, $2 from when on; from $3 on what the condition needs. The row is locked. */
const readTrashed = (readable: Readable): string => `
  SELECT t.id, t.created_by AS "createdBy", t.custom_fields AS "customFields"
  FROM trashed_formulas t ${AS_FORMULA}
  WHERE t.id = $1 AND t.deleted_at > $2 AND ${readable('formula', 'f')} FOR UPDATE OF t`;

/**
 * The ingredients of its lines that are no longer there, with the names that they had in a version. The others
 * cannot be deleted until the transaction ends. $1 the formula, $2 most rows.
 */
const MISSING_INGREDIENTS = `
  WITH used AS MATERIALIZED (
    SELECT DISTINCT line.id FROM trashed_versions v, unnest(v.line_ingredients) AS line (id) WHERE v.formula_id = $1
  ),
  found AS MATERIALIZED (
    SELECT i.id FROM ingredients i WHERE i.id IN (SELECT id FROM used) ORDER BY i.id FOR KEY SHARE
  )
  SELECT coalesce(named.name, missing.id::text) AS name
  FROM (SELECT id FROM used EXCEPT SELECT id FROM found ORDER BY id LIMIT $2) missing
  LEFT JOIN LATERAL (
    SELECT coalesce(line ->> 'chineseName', line ->> 'inciName') AS name
    FROM trashed_versions v, json_array_elements(v.snapshot_data -> 'phases') phase,
      json_array_elements(phase -> 'ingredients') line
    WHERE v.formula_id = $1 AND v.line_ingredients @> ARRAY[missing.id] AND line ->> 'ingredientId' = missing.id::text
    LIMIT 1
  ) named ON true`;

/* Six statements write a restored formula. $1: its id. */

/**
 * A project that is no longer there is left out. Clients that ask what has changed since their last
 * request see the formula return, because its `updated_at` is now.
 */
const RESTORE_FORMULA = `
  INSERT INTO formulas (id, ${FORMULA_COLUMNS.map(({ column }) => column).join(', ')},
    current_version, created_by, created_at, updated_at)
  SELECT f.id,
    ${FORMULA_COLUMNS.map(({ column }) =>
      column === 'project_id'
        ? '(SELECT p.id FROM projects p WHERE p.id = f.project_id FOR KEY SHARE)'
        : `f.${column}`,
    ).join(', ')},
    f.current_version, f.created_by, f.created_at, clock_timestamp()
  FROM trashed_formulas t ${AS_FORMULA} WHERE t.id = $1`;

const RESTORE_VERSIONS = `
  INSERT INTO formula_versions (id, formula_id, version_number, description, snapshot_data, created_by, created_at)
  SELECT id, formula_id, version_number, description, snapshot_data, created_by, created_at
  FROM trashed_versions WHERE formula_id = $1`;

const RESTORE_PHASES = `
  INSERT INTO formula_phases (id, formula_version_id, name, sort_order, position)
  SELECT phase.id, phase.formula_version_id, phase.name, phase.sort_order, phase.position
  FROM trashed_versions v, json_populate_recordset(NULL::formula_phases, v.phases) phase
  WHERE v.formula_id = $1`;

const RESTORE_LINES = `
  INSERT INTO formula_ingredients (id, formula_version_id, phase_id, ingredient_id, percentage, process_notes, position)
  SELECT line.id, v.id, line.phase_id, line.ingredient_id, line.percentage, line.notes, line.position
  FROM trashed_versions v,
    unnest(v.line_ids, v.line_phases, v.line_ingredients, v.line_percentages, v.line_notes, v.line_positions)
      AS line (id, phase_id, ingredient_id, percentage, notes, position)
  WHERE v.formula_id = $1`;

/** Colours that have been linked to another formula meanwhile stay with that. */
const RESTORE_COLORS = `
  UPDATE color_formulas SET formula_id = $1
  WHERE formula_id IS NULL AND id IN (SELECT unnest(colors) FROM trashed_formulas WHERE id = $1)`;

const REMOVE = 'DELETE FROM trashed_formulas WHERE id = $1 RETURNING id';

/** Key of the advisory lock for the deletion of expired rows. */
const PURGE_LOCK = 4_020_331_102;

/** $1 latest time of deletion, $2 most rows. Deletes nothing while another instance does. */
const PURGE = `
  WITH turn AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${PURGE_LOCK}) AS mine),
    expired AS MATERIALIZED (
      SELECT id FROM trashed_formulas WHERE (SELECT mine FROM turn) AND deleted_at <= $1
      ORDER BY deleted_at, id LIMIT $2)
  DELETE FROM trashed_formulas WHERE id IN (SELECT id FROM expired) RETURNING id`;

export type ListedTrash = Omit<TrashedFormulaDto, 'until' | 'canRestore'> & { readonly createdBy: string };

export interface Trashed {
  readonly id: string;
  readonly createdBy: string;
  readonly customFields: Readonly<Record<string, object>>;
}

/** Reads and writes deleted formulas. Times are in milliseconds. */
@Injectable()
export class TrashRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Copies a formula before its deletion. Call it within the transaction of the deletion. */
  async copy(id: string, deletedBy: string, deletedAt: number, customFields: object): Promise<void> {
    await this.database.query({ name: 'trash.lock', text: LOCK_FORMULA }, [id]);
    await this.database.query({ name: 'trash.copy', text: COPY_FORMULA }, [
      id,
      deletedBy,
      timestamp(deletedAt),
      JSON.stringify(customFields),
    ]);
    await this.database.query({ name: 'trash.copy-versions', text: COPY_VERSIONS }, [id]);
  }

  /**
   * Returns formulas deleted after `since`, the latest first.
   * @param createdBy only formulas of this user; undefined for all
   */
  async list(
    filter: RowFilter,
    since: number,
    createdBy: string | undefined,
    query: PageQuery,
  ): Promise<Slice<ListedTrash>> {
    const values = [timestamp(since), createdBy ?? null, query.limit, offsetOf(query)];
    const [found] = await this.database.query<Slice<ListedTrash>>(
      ...filter.statement('trash.list', values, listTrash),
    );
    return found!;
  }

  /** Returns a formula deleted after `since`, locked until the transaction ends. */
  async findLocked(filter: RowFilter, id: string, since: number): Promise<Trashed | undefined> {
    const [found] = await this.database.query<Trashed>(
      ...filter.statement('trash.read', [id, timestamp(since)], readTrashed),
    );
    return found;
  }

  /** Returns names of ingredients that its lines need and that no longer exist, at most `most`. */
  async missingIngredients(id: string, most: number): Promise<string[]> {
    const found = await this.database.query<{ name: string }>(
      { name: 'trash.missing', text: MISSING_INGREDIENTS },
      [id, most],
    );
    return found.map(({ name }) => name);
  }

  /** Writes the formula with all versions, and removes it from the trash. Call it within a transaction. */
  async writeRestoredFormula(id: string): Promise<void> {
    await this.database.query({ name: 'trash.restore', text: RESTORE_FORMULA }, [id]);
    await this.database.query({ name: 'trash.restore-versions', text: RESTORE_VERSIONS }, [id]);
    await this.database.query({ name: 'trash.restore-phases', text: RESTORE_PHASES }, [id]);
    await this.database.query({ name: 'trash.restore-lines', text: RESTORE_LINES }, [id]);
    await this.database.query({ name: 'trash.restore-colors', text: RESTORE_COLORS }, [id]);
    await this.remove(id);
  }

  async remove(id: string): Promise<void> {
    await this.database.query({ name: 'trash.remove', text: REMOVE }, [id]);
  }

  /** @returns the number of purged formulas, deleted up to `until`; also 0 while another instance purges */
  async purge(until: number, most: number): Promise<number> {
    const purged = await this.database.query({ name: 'trash.purge', text: PURGE }, [timestamp(until), most]);
    return purged.length;
  }
}

const timestamp = (ms: number): string => new Date(ms).toISOString();
