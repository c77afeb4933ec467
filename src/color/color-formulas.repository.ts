import { Injectable } from '@nestjs/common';
import type { RowFilter } from '../access/row-filter';
import { JsonText } from '../common/json-text';
import { DatabaseService } from '../database/database.service';
import type { ColorFormulaDto, ColorMatchDto, CreateColorFormulaDto } from './color.dto';
import { LabIndex } from './lab-index';
import { type Lab, NearestColors, type Ranked } from './matching';
import { inOrder } from './ranked-rows';

/** The foreign key to the linked formula: violated, there is no such formula. */
export const LINKED_FORMULA = 'fk_color_formulas_formula';

const SHOWN = `
  id, name, json_build_object('L', l, 'a', a, 'b', b) AS "targetLab",
  CASE WHEN actual_l IS NOT NULL
    THEN json_build_object('L', actual_l, 'a', actual_a, 'b', actual_b) END AS "actualLab",
  delta_e AS "deltaE", colorant_composition AS "colorantComposition", formula_id AS "formulaId",
  created_by AS "createdBy", to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt"`;

@Injectable()
export class ColorFormulasRepository {
  constructor(private readonly database: DatabaseService) {}

  /** @throws ConstraintViolation `fk_color_formulas_formula` when the linked formula does not exist */
  async create(color: CreateColorFormulaDto & { createdBy: string }): Promise<ColorFormulaDto> {
    const { targetLab, actualLab, colorantComposition } = color;
    const [created] = await this.database.query<ColorFormulaDto>(
      {
        name: 'color-formulas.insert',
        text: `
          INSERT INTO color_formulas (name, l, a, b, actual_l, actual_a, actual_b, delta_e, colorant_composition,
            formula_id, created_by)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
          RETURNING ${SHOWN}`,
      },
      [
        color.name,
        ...[targetLab.L, targetLab.a, targetLab.b],
        ...[actualLab?.L ?? null, actualLab?.a ?? null, actualLab?.b ?? null],
        color.deltaE ?? null,
        // The driver would write a list as an array of PostgreSQL's.
        colorantComposition === null || colorantComposition === undefined
          ? null
          : JSON.stringify(colorantComposition),
        color.formulaId ?? null,
        color.createdBy,
      ],
    );
    return created!;
  }

  /** Whether there is such a formula and the caller may read it. */
  async formulaExists(filter: RowFilter, id: string): Promise<boolean> {
    const readable = filter.for('formula', 'f', 2);
    const found = await this.database.query(
      {
        name: filter.named('color-formulas.readable-formula'),
        text: `SELECT f.id FROM formulas f WHERE f.id = $1 AND ${readable.sql}`,
      },
      [id, ...readable.values],
    );
    return found.length > 0;
  }

  /** The `count` colours whose target is nearest by Euclidean difference, nearest first, ties by id. */
  nearest(filter: RowFilter, target: Lab, count: number): Promise<Ranked[]> {
    return this.colorsOf(filter).byEuclidean(target, count);
  }

  /** Exactly the `count` colours whose target is nearest by CIEDE2000, nearest first, ties by id. */
  nearestByCiede2000(filter: RowFilter, target: Lab, count: number): Promise<Ranked[]> {
    return this.colorsOf(filter).byCiede2000(target, count);
  }

  /** The ranked colours, in that order and with their distance; one that is no longer there is left out. */
  async findRanked(
    filter: RowFilter,
    ranked: readonly Ranked[],
  ): Promise<(ColorFormulaDto & { distance: number })[]> {
    if (ranked.length === 0) return [];
    const ids = ranked.map(({ id }) => id);
    const readable = filter.for('color', 'c', 2);
    const colors = await this.database.query<ColorFormulaDto>(
      {
        name: filter.named('color-formulas.by-ids'),
        text: `SELECT ${SHOWN} FROM color_formulas c WHERE id = ANY ($1::uuid[]) AND ${readable.sql}`,
      },
      [ids, ...readable.values],
    );
    return inOrder(ranked, colors);
  }

  /**
   * The ranked colours as a match shows them, in that order; one that has been deleted meanwhile is left out.
   */
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

  private colorsOf(filter: RowFilter): NearestColors {
    return new NearestColors(new LabIndex(this.database, 'color_formulas', filter));
  }
}
