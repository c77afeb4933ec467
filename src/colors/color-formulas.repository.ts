import { Injectable } from '@nestjs/common';
import type { RowFilter } from '../platform/access/row-filter';
import { JsonText } from '../platform/common/json-text';
import type { Slice } from '../platform/http/envelope';
import { offsetOf } from '../platform/common/pagination';
import { containing, hasTrigram } from '../platform/common/search-pattern';
import { DatabaseService, type Statement } from '../platform/database/database.service';
import type {
  ColorFormulaDto,
  ColorListing,
  ColorMatchDto,
  CreateColorFormulaDto,
  UpdateColorFormulaDto,
} from './color.dto';
import { LabIndex } from './lab-index';
import { type Lab, NearestColors, type Ranked } from './difference';
import { inOrder } from './ranked-rows';

/** The foreign key to the linked formula. It is violated if that formula does not exist. */
export const LINKED_FORMULA = 'fk_color_formulas_formula';

const SHOWN = `
  id, name, json_build_object('L', l, 'a', a, 'b', b) AS "targetLab",
  CASE WHEN actual_l IS NOT NULL
    THEN json_build_object('L', actual_l, 'a', actual_a, 'b', actual_b) END AS "actualLab",
  delta_e AS "deltaE", colorant_composition AS "colorantComposition", formula_id AS "formulaId",
  created_by AS "createdBy", iso_time(created_at) AS "createdAt"`;

/** $2: the fields to change. */
const UPDATE: Statement = {
  name: 'color-formulas.update',
  text: `
    UPDATE color_formulas SET
      name = CASE WHEN 'name' = ANY ($2::text[]) THEN $3::text ELSE name END,
      l = CASE WHEN 'targetLab' = ANY ($2::text[]) THEN $4::float8 ELSE l END,
      a = CASE WHEN 'targetLab' = ANY ($2::text[]) THEN $5::float8 ELSE a END,
      b = CASE WHEN 'targetLab' = ANY ($2::text[]) THEN $6::float8 ELSE b END,
      actual_l = CASE WHEN 'actualLab' = ANY ($2::text[]) THEN $7::float8 ELSE actual_l END,
      actual_a = CASE WHEN 'actualLab' = ANY ($2::text[]) THEN $8::float8 ELSE actual_a END,
      actual_b = CASE WHEN 'actualLab' = ANY ($2::text[]) THEN $9::float8 ELSE actual_b END,
      delta_e = CASE WHEN 'deltaE' = ANY ($2::text[]) THEN $10::float8 ELSE delta_e END,
      colorant_composition = CASE WHEN 'colorantComposition' = ANY ($2::text[]) THEN $11::json
        ELSE colorant_composition END,
      formula_id = CASE WHEN 'formulaId' = ANY ($2::text[]) THEN $12::uuid ELSE formula_id END
    WHERE id = $1
    RETURNING ${SHOWN}`,
};

const labValues = (color: Lab | null | undefined): (number | null)[] => [
  color?.L ?? null,
  color?.a ?? null,
  color?.b ?? null,
];

/** The driver would write a list as a PostgreSQL array. */
const jsonValue = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);

@Injectable()
export class ColorFormulasRepository {
  constructor(private readonly database: DatabaseService) {}

  /** @throws ConstraintViolation `fk_color_formulas_formula` if the linked formula does not exist */
  async create(color: CreateColorFormulaDto & { createdBy: string }, id?: string): Promise<ColorFormulaDto> {
    const { targetLab, actualLab, colorantComposition } = color;
    const [created] = await this.database.query<ColorFormulaDto>(
      {
        name: 'color-formulas.insert',
        text: `
          INSERT INTO color_formulas (name, l, a, b, actual_l, actual_a, actual_b, delta_e, colorant_composition,
            formula_id, created_by, id)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, coalesce($12::uuid, gen_random_uuid()))
          RETURNING ${SHOWN}`,
      },
      [
        color.name,
        ...labValues(targetLab),
        ...labValues(actualLab),
        color.deltaE ?? null,
        jsonValue(colorantComposition),
        color.formulaId ?? null,
        color.createdBy,
        id ?? null,
      ],
    );
    return created!;
  }

  /** Returns a page of colours, the newest first. */
  async list(filter: RowFilter, listing: ColorListing): Promise<Slice<ColorFormulaDto>> {
    const { search, formulaId } = listing;
    const values: unknown[] = [listing.limit, offsetOf(listing)];
    const conditions: string[] = [];
    if (search !== undefined) {
      values.push(containing(search));
      // Without a trigram PostgreSQL would read the entire index and then the rows. `|| ''` excludes the index.
      const key = hasTrigram(search) ? 'search_key(c.name)' : `search_key(c.name) || ''`;
      conditions.push(`${key} LIKE search_key($${values.length}::text)`);
    }
    if (formulaId !== undefined) {
      values.push(formulaId);
      conditions.push(`c.formula_id = $${values.length}::uuid`);
    }
    const readable = filter.for('color', 'c', values.length + 1);
    const where = [...conditions, readable.sql].join(' AND ');
    const kind = `${search === undefined ? '' : hasTrigram(search) ? '.search' : '.short'}${formulaId ? '.formula' : ''}`;
    const [found] = await this.database.query<{ total: number; rows: ColorFormulaDto[] }>(
      {
        name: filter.named(`color-formulas.list${kind}`),
        text: `
          SELECT (SELECT count(*) FROM color_formulas c WHERE ${where})::integer AS total,
            array_to_json(ARRAY(SELECT row_to_json(shown) FROM (
              SELECT ${SHOWN} FROM color_formulas c WHERE ${where}
              ORDER BY c.created_at DESC, c.id LIMIT $1 OFFSET $2) shown)) AS rows`,
      },
      [...values, ...readable.values],
    );
    return found!;
  }

  /** Returns undefined if there is no such colour that the user can read. */
  async find(filter: RowFilter, id: string): Promise<ColorFormulaDto | undefined> {
    const [color] = await this.findMany(filter, [id]);
    return color;
  }

  /** Like `find`, but locks the row until the end of the transaction, for a change or a deletion. */
  async findLocked(filter: RowFilter, id: string): Promise<ColorFormulaDto | undefined> {
    await this.database.query(
      { name: 'color-formulas.lock', text: 'SELECT id FROM color_formulas WHERE id = $1 FOR UPDATE' },
      [id],
    );
    return this.find(filter, id);
  }

  /**
   * Changes the given fields. Returns undefined if there is no such colour.
   * @throws ConstraintViolation `fk_color_formulas_formula` if the linked formula does not exist
   */
  async update(id: string, changes: UpdateColorFormulaDto): Promise<ColorFormulaDto | undefined> {
    const [updated] = await this.database.query<ColorFormulaDto>(UPDATE, [
      id,
      Object.entries(changes).flatMap(([field, value]) => (value === undefined ? [] : [field])),
      changes.name ?? null,
      ...labValues(changes.targetLab),
      ...labValues(changes.actualLab),
      changes.deltaE ?? null,
      jsonValue(changes.colorantComposition),
      changes.formulaId ?? null,
    ]);
    return updated;
  }

  /** Returns false if there is no such colour. */
  async delete(id: string): Promise<boolean> {
    const deleted = await this.database.query(
      { name: 'color-formulas.delete', text: 'DELETE FROM color_formulas WHERE id = $1 RETURNING id' },
      [id],
    );
    return deleted.length > 0;
  }

  /** Returns the ids of those formulas that exist and that the user can read. */
  async readableFormulas(filter: RowFilter, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const readable = filter.for('formula', 'f', 2);
    const found = await this.database.query<{ id: string }>(
      {
        name: filter.named('color-formulas.readable-formulas'),
        text: `SELECT f.id FROM formulas f WHERE f.id = ANY ($1::uuid[]) AND ${readable.sql}`,
      },
      [ids, ...readable.values],
    );
    return new Set(found.map(({ id }) => id));
  }

  /** Returns the `count` colours whose target is nearest by Euclidean difference, nearest first, ties by id. */
  nearest(filter: RowFilter, target: Lab, count: number): Promise<Ranked[]> {
    return this.colorsOf(filter).byEuclidean(target, count);
  }

  /** Returns exactly the `count` colours whose target is nearest by CIEDE2000, nearest first, ties by id. */
  nearestByCiede2000(filter: RowFilter, target: Lab, count: number): Promise<Ranked[]> {
    return this.colorsOf(filter).byCiede2000(target, count);
  }

  /** Returns the ranked colours in their order, with their distance. Omits colours that no longer exist. */
  async findRanked(
    filter: RowFilter,
    ranked: readonly Ranked[],
  ): Promise<(ColorFormulaDto & { distance: number })[]> {
    if (ranked.length === 0) return [];
    const ids = ranked.map(({ id }) => id);
    return inOrder(ranked, await this.findMany(filter, ids));
  }

  /** Returns the ranked colours in their order, as a match shows them. Omits colours that have been deleted. */
  async matched(filter: RowFilter, ranked: readonly Ranked[]): Promise<JsonText<ColorMatchDto[]>> {
    if (ranked.length === 0) return new JsonText('[]');
    const readable = filter.for('color', 'c', 2);
    const rows = await this.database.query<{ id: string; row: string }>(
      {
        name: filter.named('color-formulas.matched'),
        text: `
          SELECT id, row_to_json(shown)::text AS row FROM (
            SELECT id, name, json_build_object('L', l, 'a', a, 'b', b) AS "targetLab", delta_e AS "deltaE",
              colorant_composition AS "colorantComposition"
            FROM color_formulas c WHERE id = ANY ($1::uuid[]) AND ${readable.sql}) shown`,
      },
      [ranked.map(({ id }) => id), ...readable.values],
    );
    const matches = inOrder(ranked, rows).map(
      ({ row, distance }) => `${row.slice(0, -1)},"distance":${distance}}`,
    );
    return new JsonText(`[${matches.join(',')}]`);
  }

  private findMany(filter: RowFilter, ids: readonly string[]): Promise<ColorFormulaDto[]> {
    const readable = filter.for('color', 'c', 2);
    return this.database.query<ColorFormulaDto>(
      {
        name: filter.named('color-formulas.by-ids'),
        text: `SELECT ${SHOWN} FROM color_formulas c WHERE id = ANY ($1::uuid[]) AND ${readable.sql}`,
      },
      [ids, ...readable.values],
    );
  }

  private colorsOf(filter: RowFilter): NearestColors {
    return new NearestColors(new LabIndex(this.database, 'color_formulas', filter));
  }
}
