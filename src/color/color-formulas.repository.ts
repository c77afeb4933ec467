import { Injectable } from '@nestjs/common';
import { JsonText } from '../common/json-text';
import { fieldNames, requestedFields } from '../common/validation/field-metadata';
import { Database, type Statement } from '../database/database';
import { EntityTable } from '../database/entity-table';
import type { ReadAccess } from '../database/read-access';
import { readable } from '../database/readable';
import { ColorFormulaEntity } from './color-formula.entity';
import { ColorFormulaFields } from './color-formula.fields';
import {
  type ColorFormulaDto,
  type ColorMatchDto,
  type CreateColorFormulaDto,
  MATCH_FIELDS,
} from './color.dto';
import { type Lab, NearestColors, type Ranked } from './difference';
import { LabIndex } from './lab-index';
import { inOrder } from './ranked-rows';

/** The foreign key to the linked formula: violated, there is no such formula. */
export const LINKED_FORMULA = 'fk_color_formulas_formula';

const COLORS = new EntityTable(ColorFormulaEntity);
const MAY_READ = readable.color('color_formulas');
const SHOWN = COLORS.shown(fieldNames(ColorFormulaFields));
const MATCH_SHOWN = COLORS.shown(MATCH_FIELDS);
const WRITTEN = [...requestedFields(ColorFormulaFields).map(({ name }) => name), 'createdBy'];

const INSERT: Statement = {
  name: 'color-formulas.insert',
  // It refers to one.
  group: 'formulas/colors',
  text: `INSERT INTO color_formulas (${COLORS.names(WRITTEN)}) VALUES (${COLORS.parameters(WRITTEN)})
         RETURNING ${SHOWN}`,
};

const BY_IDS: Statement = {
  name: 'color-formulas.by-ids',
  mayPipeline: true,
  text: `SELECT ${SHOWN} FROM color_formulas WHERE id = ANY ($1::uuid[]) AND ${MAY_READ}`,
};

const MATCHED: Statement = {
  name: 'color-formulas.matched',
  mayPipeline: true,
  text: `SELECT id, row_to_json(shown)::text AS row FROM (
           SELECT ${MATCH_SHOWN} FROM color_formulas WHERE id = ANY ($1::uuid[]) AND ${MAY_READ}) shown`,
};

/** $1: formula. */
const READABLE_FORMULA: Statement = {
  name: 'color-formulas.readable-formula',
  group: 'formulas/colors',
  text: `SELECT id FROM formulas WHERE id = $1 AND ${readable.formula('formulas')}`,
};

@Injectable()
export class ColorFormulasRepository {
  constructor(private readonly database: Database) {}

  /** @throws ConstraintViolation `fk_color_formulas_formula` when the linked formula does not exist */
  async create(color: CreateColorFormulaDto & { createdBy: string }): Promise<ColorFormulaDto> {
    const [created] = await this.database.query<ColorFormulaDto>(INSERT, COLORS.values(WRITTEN, color));
    return created!;
  }

  /** Whether there is such a formula and the caller may read it. */
  async formulaExists(access: ReadAccess, id: string): Promise<boolean> {
    return (await this.database.query(...access.reading(READABLE_FORMULA, [id]))).length > 0;
  }

  /** The `count` colours whose target is nearest by Euclidean difference, nearest first, ties by id. */
  nearest(access: ReadAccess, target: Lab, count: number): Promise<Ranked[]> {
    return this.colorsOf(access).byEuclidean(target, count);
  }

  /** Exactly the `count` colours whose target is nearest by CIEDE2000, nearest first, ties by id. */
  nearestByCiede2000(access: ReadAccess, target: Lab, count: number): Promise<Ranked[]> {
    return this.colorsOf(access).byCiede2000(target, count);
  }

  /** The ranked colours, in that order and with their distance; one that is no longer there is left out. */
  async findRanked(
    access: ReadAccess,
    ranked: readonly Ranked[],
  ): Promise<(ColorFormulaDto & { distance: number })[]> {
    if (ranked.length === 0) return [];
    const ids = ranked.map(({ id }) => id);
    return inOrder(ranked, await this.database.query<ColorFormulaDto>(...access.reading(BY_IDS, [ids])));
  }

  /**
   * The ranked colours as a match shows them, in that order; one that has been deleted meanwhile is left out.
   */
  async matched(access: ReadAccess, ranked: readonly Ranked[]): Promise<JsonText<ColorMatchDto[]>> {
    if (ranked.length === 0) return new JsonText('[]');
    const ids = ranked.map(({ id }) => id);
    const rows = await this.database.query<{ id: string; row: string }>(...access.reading(MATCHED, [ids]));
    const matches = inOrder(ranked, rows).map(
      ({ row, distance }) => `${row.slice(0, -1)},"distance":${distance}}`,
    );
    return new JsonText(`[${matches.join(',')}]`);
  }

  private colorsOf(access: ReadAccess): NearestColors {
    return new NearestColors(new LabIndex(this.database, 'color_formulas', { access, mayRead: MAY_READ }));
  }
}
