import { Injectable } from '@nestjs/common';
import type { QueryDeepPartialEntity } from 'typeorm';
import { RowFilter } from '../platform/access/row-filter';
import { JsonText } from '../platform/common/json-text';
import type { Slice } from '../platform/http/envelope';
import { offsetOf } from '../platform/common/pagination';
import { hasTrigram, literal } from '../platform/common/search-pattern';
import { DatabaseService } from '../platform/database/database.service';
import type { ColorFormulaDto, ColorFormulaQuery, ColorMatchDto } from './color.dto';
import { toRecord } from '../platform/database/entity-table';
import { ColorFormulaEntity } from './color.entity';
import { ColorFormulaFields } from './color.fields';
import { CieLabIndex, inOrder } from './cie-lab-index';
import { type CieLab, NearestColors, type Ranked } from './difference';

/** A colour, and the distance of its target from a query. */
export type RankedColor = ColorFormulaDto & { readonly distance: number };

/** The foreign key to the linked formula. It is violated if that formula does not exist. */
export const LINKED_FORMULA = 'fk_color_formulas_formula';

const SHOWN = `
  id, name, json_build_object('L', l, 'a', a, 'b', b) AS "targetLab",
  CASE WHEN actual_l IS NOT NULL
    THEN json_build_object('L', actual_l, 'a', actual_a, 'b', actual_b) END AS "actualLab",
  delta_e AS "deltaE", colorant_composition AS "colorantComposition", formula_id AS "formulaId",
  created_by AS "createdBy", iso_time(created_at) AS "createdAt"`;

/** Columns of a colour that users set. */
export type ColorValues = Partial<Omit<ColorFormulaEntity, 'id' | 'formula' | 'creator' | 'createdAt'>>;

const NOT_MEASURED = { L: null, a: null, b: null };

@Injectable()
export class ColorFormulasRepository {
  constructor(private readonly database: DatabaseService) {}

  /** @throws ConstraintViolation `fk_color_formulas_formula` if the linked formula does not exist */
  create(color: ColorValues, id?: string): Promise<ColorFormulaDto> {
    return this.database.orm(async (manager) => {
      const created = manager.create(ColorFormulaEntity, { ...color, id });
      await manager.insert(ColorFormulaEntity, created as QueryDeepPartialEntity<ColorFormulaEntity>);
      const record = toRecord<ColorFormulaDto>(ColorFormulaFields, created);
      return color.actualLab ? record : { ...record, actualLab: null };
    });
  }

  /** Returns a page of colours, the newest first. */
  async list(filter: RowFilter, listing: ColorFormulaQuery): Promise<Slice<ColorFormulaDto>> {
    const { search, formulaId } = listing;
    const values: unknown[] = [listing.limit, offsetOf(listing)];
    const conditions: string[] = [];
    if (search !== undefined) {
      values.push(literal(search));
      // Without a trigram PostgreSQL would read the entire index and then the rows. `|| ''` excludes the index.
      const key = hasTrigram(search) ? 'search_key(c.name)' : `search_key(c.name) || ''`;
      conditions.push(`${key} LIKE '%' || search_key($${values.length}::text) || '%'`);
    }
    if (formulaId !== undefined) {
      values.push(formulaId);
      conditions.push(`c.formula_id = $${values.length}::uuid`);
    }
    const kind = `${search === undefined ? '' : hasTrigram(search) ? '.search' : '.short'}${formulaId ? '.formula' : ''}`;
    const [found] = await this.database.query<Slice<ColorFormulaDto>>(
      ...filter.statement(`color-formulas.list${kind}`, values, (readable) => {
        const where = [...conditions, readable('color', 'c')].join(' AND ');
        return `
          SELECT (SELECT count(*) FROM color_formulas c WHERE ${where})::integer AS total,
            array_to_json(ARRAY(SELECT row_to_json(shown) FROM (
              SELECT ${SHOWN} FROM color_formulas c WHERE ${where}
              ORDER BY c.created_at DESC, c.id LIMIT $1 OFFSET $2) shown)) AS rows`;
      }),
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
  async update(id: string, changes: ColorValues): Promise<ColorFormulaDto | undefined> {
    // TypeORM knows no null for an embedded class.
    const values = changes.actualLab === null ? { ...changes, actualLab: NOT_MEASURED } : changes;
    await this.database.orm((manager) =>
      manager.update(ColorFormulaEntity, { id }, values as QueryDeepPartialEntity<ColorFormulaEntity>),
    );
    return this.find(RowFilter.EVERYTHING, id);
  }

  /** Returns false if there is no such colour. */
  async delete(id: string): Promise<boolean> {
    const { affected } = await this.database.orm((manager) => manager.delete(ColorFormulaEntity, { id }));
    return affected === 1;
  }

  /** Returns the `count` colours whose target is nearest by Euclidean difference, nearest first, ties by id. */
  nearest(filter: RowFilter, target: CieLab, count: number): Promise<Ranked[]> {
    return this.colorsOf(filter).byEuclidean(target, count);
  }

  /** Returns exactly the `count` colours whose target is nearest by CIEDE2000, nearest first, ties by id. */
  nearestByCiede2000(filter: RowFilter, target: CieLab, count: number): Promise<Ranked[]> {
    return this.colorsOf(filter).byCiede2000(target, count);
  }

  /** Returns the ranked colours in their order, with their distance. Omits colours that no longer exist. */
  async findRanked(filter: RowFilter, ranked: readonly Ranked[]): Promise<RankedColor[]> {
    if (ranked.length === 0) return [];
    const ids = ranked.map(({ id }) => id);
    return inOrder(ranked, await this.findMany(filter, ids));
  }

  /** Returns the ranked colours in their order, as a match shows them. Omits colours that have been deleted. */
  async matched(filter: RowFilter, ranked: readonly Ranked[]): Promise<JsonText<ColorMatchDto[]>> {
    if (ranked.length === 0) return new JsonText('[]');
    const ids = ranked.map(({ id }) => id);
    const rows = await this.database.query<{ id: string; row: string }>(
      ...filter.statement(
        'color-formulas.matched',
        [ids],
        (readable) => `
          SELECT id, row_to_json(shown)::text AS row FROM (
            SELECT id, name, json_build_object('L', l, 'a', a, 'b', b) AS "targetLab", delta_e AS "deltaE",
              colorant_composition AS "colorantComposition"
            FROM color_formulas c WHERE id = ANY ($1::uuid[]) AND ${readable('color', 'c')}) shown`,
      ),
    );
    const matches = inOrder(ranked, rows).map(
      ({ row, distance }) => `${row.slice(0, -1)},"distance":${distance}}`,
    );
    return new JsonText(`[${matches.join(',')}]`);
  }

  private findMany(filter: RowFilter, ids: readonly string[]): Promise<ColorFormulaDto[]> {
    return this.database.query<ColorFormulaDto>(
      ...filter.statement(
        'color-formulas.by-ids',
        [ids],
        (readable) =>
          `SELECT ${SHOWN} FROM color_formulas c WHERE id = ANY ($1::uuid[]) AND ${readable('color', 'c')}`,
      ),
    );
  }

  private colorsOf(filter: RowFilter): NearestColors {
    return new NearestColors(new CieLabIndex(this.database, 'color_formulas', filter));
  }
}
