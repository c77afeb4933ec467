import { Injectable } from '@nestjs/common';
import { fieldNames, requestedFields } from '../common/validation/field-metadata';
import { Database, type Statement } from '../database/database';
import { EntityTable } from '../database/entity-table';
import { readable } from '../database/readable';
import { ColorFormulaEntity } from './color-formula.entity';
import { ColorFormulaFields } from './color-formula.fields';
import { type ColorFormulaDto, type CreateColorFormulaDto } from './color.dto';
import { type Lab, NearestColors, type Ranked } from './difference';
import { LabIndex } from './lab-index';
import { inOrder } from './ranked-rows';

/** The foreign key to the linked formula: violated, there is no such formula. */
export const LINKED_FORMULA = 'fk_color_formulas_formula';

const COLORS = new EntityTable(ColorFormulaEntity);
const MAY_READ = readable.color('color_formulas');
const SHOWN = COLORS.shown(fieldNames(ColorFormulaFields));
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
  text: `SELECT ${SHOWN} FROM color_formulas WHERE id = ANY ($1::uuid[]) AND ${MAY_READ}`,
};

@Injectable()
export class ColorFormulasRepository {
  private readonly colors: NearestColors;

  constructor(private readonly database: Database) {
    this.colors = new NearestColors(new LabIndex(database, 'color_formulas', MAY_READ));
  }

  /** @throws ConstraintViolation `fk_color_formulas_formula` when the linked formula does not exist */
  async create(color: CreateColorFormulaDto & { createdBy: string }): Promise<ColorFormulaDto> {
    const [created] = await this.database.query<ColorFormulaDto>(INSERT, COLORS.values(WRITTEN, color));
    return created!;
  }

  /** The `count` colours whose target is nearest by Euclidean difference, nearest first, ties by id. */
  nearest(target: Lab, count: number): Promise<Ranked[]> {
    return this.colors.byEuclidean(target, count);
  }

  /** Exactly the `count` colours whose target is nearest by CIEDE2000, nearest first, ties by id. */
  nearestByCiede2000(target: Lab, count: number): Promise<Ranked[]> {
    return this.colors.byCiede2000(target, count);
  }

  /** The ranked colours, in that order and with their distance; one that is no longer there is left out. */
  async findRanked(ranked: readonly Ranked[]): Promise<(ColorFormulaDto & { distance: number })[]> {
    if (ranked.length === 0) return [];
    const ids = ranked.map(({ id }) => id);
    return inOrder(ranked, await this.database.query<ColorFormulaDto>(BY_IDS, [ids]));
  }
}
