import { Injectable } from '@nestjs/common';
import type { Readable, RowFilter } from '../../platform/access/row-filter';
import type { Slice } from '../../platform/http/envelope';
import { offsetOf, type PageQuery } from '../../platform/common/pagination';
import { ConflictError } from '../../platform/common/errors/service-error';
import { DatabaseService } from '../../platform/database/database.service';
import { ConstraintViolation } from '../../platform/database/pg-errors';
import { text } from '../../platform/texts/text';
import { FORMULA_COLUMNS } from '../formula.fields';
import type { TrashedFormulaDto } from './trash.dto';

/*
 * A deleted formula is copied into tables of the trash before it is deleted, so that nothing else in the service
 * has to know of it.
 */

/** $1 the formula. No version can be added until the transaction ends. */
const LOCK_FORMULA = 'SELECT id FROM formulas WHERE id = $1 FOR UPDATE';

/** $1 the formula, $2 who deletes it, $3 when, $4 rows of extensions. */
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
  SELECT t.id, t.created_by AS "createdBy"
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

/** Most characters of the rows that the trash keeps of one formula. */
const MAX_CHARACTERS = 10_000_000;

/** A foreign key that deletes rows together with others, or sets their columns to null. Names are quoted. */
type ForeignKey = Record<'child' | 'parent' | 'columns' | 'references' | 'nulls', string> & {
  deletes: boolean;
};

/** Matches a list of columns that a foreign key sets to null, if it does not set all of its columns. */
const NULLS = String.raw`SET NULL \((.+)\)`;

/** All of them, except those of our tables with rows of a formula. */
const FOREIGN_KEYS = `
  SELECT conrelid::regclass::text AS child, confrelid::regclass::text AS parent, key[1] AS columns,
    key[2] AS references, coalesce(substring(definition FROM '${NULLS}'), key[1]) AS nulls, confdeltype = 'c' AS deletes
  FROM pg_constraint, pg_get_constraintdef(oid) definition,
    regexp_match(regexp_replace(definition, '${NULLS}', ''), 'KEY \\((.+)\\) REFERENCES .+?\\((.+?)\\)') key
  WHERE contype = 'f' AND confdeltype IN ('c', 'n') AND conparentid = 0
    AND conrelid <> ALL ('{formula_versions,formula_phases,formula_ingredients,formula_words}'::regclass[])`;

/** Our rows of formula $1. */
const OF_VERSIONS =
  'WHERE formula_version_id IN (SELECT id FROM formula_versions WHERE formula_id = $1::uuid)';
const OWN_ROWS = new Map([
  ['formulas', 'formulas WHERE id = $1::uuid'],
  ['formula_versions', 'formula_versions WHERE formula_id = $1::uuid'],
  ['formula_phases', `formula_phases ${OF_VERSIONS}`],
  ['formula_ingredients', `formula_ingredients ${OF_VERSIONS}`],
]);

/**
 * The rows that are deleted with rows of the parent; $1: the formula, or these rows as JSON. They are locked, so that
 * no transaction changes them or refers to them meanwhile. The last row may exceed the limit.
 */
const deletedRows = ({ child, parent, columns, references }: ForeignKey): string => `
  SELECT place, row FROM (
    SELECT place, row, sum(length(row)) OVER (ROWS UNBOUNDED PRECEDING) - length(row) AS before FROM (
      SELECT concat(tableoid, ctid) AS place, row_to_json(c)::text AS row FROM ${child} c WHERE (${columns}) IN (
        SELECT ${references} FROM ${OWN_ROWS.get(parent) ?? `json_populate_recordset(NULL::${parent}, $1::json)`}
      ) FOR UPDATE
    ) found
  ) measured WHERE before <= ${MAX_CHARACTERS}`;

/** The rows of formula $1 in the trash by table, where it still exists. Earlier builds kept an object for one row. */
const KEPT_ROWS = `
  SELECT key AS "table", CASE json_typeof(value) WHEN 'object' THEN concat('[', value, ']') ELSE value::text END AS rows,
    ARRAY(SELECT quote_ident(attname)
      FROM pg_attribute JOIN json_object_keys(coalesce(value -> 0, value)) stored ON stored = attname
      WHERE attrelid = to_regclass(key) AND attgenerated = '') AS columns
  FROM trashed_formulas t, json_each(t.custom_fields) WHERE t.id = $1 AND to_regclass(key) IS NOT NULL`;

type KeptRows = Record<'table' | 'rows', string> & { columns: string[] };

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
}

/** Reads and writes deleted formulas. Times are in milliseconds. */
@Injectable()
export class TrashRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Copies a formula before its deletion. Call it within the transaction of the deletion. */
  async copy(id: string, deletedBy: string, deletedAt: number): Promise<void> {
    await this.database.query({ name: 'trash.lock', text: LOCK_FORMULA }, [id]);
    await this.database.query({ name: 'trash.copy', text: COPY_FORMULA }, [
      id,
      deletedBy,
      timestamp(deletedAt),
      await this.extensionRows(id),
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
    await this.restoreExtensionRows(id);
    await this.remove(id);
  }

  /** Returns the rows of extensions that are deleted with a formula as JSON, a list by table. */
  private async extensionRows(formulaId: string): Promise<string> {
    const keys = await this.database.query<ForeignKey>({ name: 'trash.keys', text: FOREIGN_KEYS });
    const referring = (table: string, rows: string) =>
      keys.filter((key) => key.deletes && key.parent === table).map((key) => ({ key, rows }));
    const kept = new Map<string, string[]>();
    const places = new Set<string>();
    let characters = 0;
    const steps = [...OWN_ROWS.keys()].flatMap((table) => referring(table, formulaId));
    for (const { key, rows } of steps) {
      const statement = { text: deletedRows(key) };
      const found = await this.database.query<{ place: string; row: string }>(statement, [rows]);
      const list = found
        .filter(({ place }) => !places.has(place))
        .map(({ row }) => row)
        .join();
      if (list === '') continue;
      for (const { place } of found) places.add(place);
      characters += list.length;
      if (characters > MAX_CHARACTERS)
        throw new ConflictError(text('trash.rows-too-large', { table: key.child }));
      kept.set(key.child, [...(kept.get(key.child) ?? []), list]);
      steps.push(...referring(key.child, `[${list}]`));
    }
    return `{${[...kept].map(([table, lists]) => `${JSON.stringify(table)}:[${lists.join()}]`).join()}}`;
  }

  /** Writes the rows of extensions, without those that another foreign key would have deleted meanwhile. */
  private async restoreExtensionRows(formulaId: string): Promise<void> {
    const keys = await this.database.query<ForeignKey>({ name: 'trash.keys', text: FOREIGN_KEYS });
    const kept = await this.database.query<KeptRows>({ name: 'trash.kept-rows', text: KEPT_ROWS }, [
      formulaId,
    ]);
    if (kept.length === 0) return;
    const tables = kept.map(({ table }) => table);
    // One statement for all tables, because PostgreSQL checks the keys between them at its end.
    const inserts = kept.map(({ table, columns }, at) => {
      const others = keys.filter(({ child, parent }) => child === table && !tables.includes(parent));
      const exists = (key: ForeignKey) =>
        `(num_nulls(${key.columns}) > 0 OR (${key.columns}) IN (SELECT ${key.references} FROM ${key.parent}))`;
      const values = columns.map((column) => {
        const key = others.find((other) => !other.deletes && other.nulls.split(', ').includes(column));
        return key ? `CASE WHEN ${exists(key)} THEN ${column} END` : column;
      });
      return `table${at} AS (
        INSERT INTO ${table} (${columns.join()}) OVERRIDING SYSTEM VALUE
        SELECT ${values.join()} FROM json_populate_recordset(NULL::${table}, $${at + 1}::json)
        WHERE ${['true', ...others.filter((key) => key.deletes).map(exists)].join(' AND ')})`;
    });
    const lists = kept.map(({ rows }) => rows);
    try {
      await this.database.query({ text: `WITH ${inserts.join()} SELECT` }, lists);
    } catch (error) {
      const { code = '' } = error as { code?: string };
      // PostgreSQL refuses a value or its length, or a trigger does.
      if (!(error instanceof ConstraintViolation) && !/^(22|23|54|P0)/.test(code)) throw error;
      throw new ConflictError(text('trash.field-conflict', { tables: tables.join(', ') }));
    }
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
