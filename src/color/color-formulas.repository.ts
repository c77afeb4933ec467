import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database/database';
import { type Lab, nearestByCiede2000, nearestByEuclidean, type Ranked } from './difference';
import { LabIndex } from './lab-index';

/** The foreign key to the linked formula: violated, there is no such formula. */
export const LINKED_FORMULA = 'fk_color_formulas_formula';

export interface ColorFormula {
  id: string;
  name: string;
  targetLab: Lab;
  actualLab: Lab | null;
  deltaE: number | null;
  colorantComposition: unknown;
  formulaId: string | null;
  createdBy: string;
  createdAt: Date;
}

export type NewColorFormula = Omit<ColorFormula, 'id' | 'createdAt'>;

/** Columns as they come from the database. */
interface Row {
  id: string;
  name: string;
  L: number;
  a: number;
  b: number;
  actualL: number | null;
  actualA: number | null;
  actualB: number | null;
  deltaE: number | null;
  colorantComposition: unknown;
  formulaId: string | null;
  createdBy: string;
  createdAt: Date;
}

const COLUMNS = `id, name, l AS "L", a, b, actual_l AS "actualL", actual_a AS "actualA", actual_b AS "actualB",
  delta_e AS "deltaE", colorant_composition AS "colorantComposition", formula_id AS "formulaId",
  created_by AS "createdBy", created_at AS "createdAt"`;

const INSERT: Statement = {
  name: 'color-formulas.insert',
  text: `INSERT INTO color_formulas (name, l, a, b, actual_l, actual_a, actual_b, delta_e, colorant_composition, formula_id, created_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING ${COLUMNS}`,
};

const BY_IDS: Statement = {
  name: 'color-formulas.by-ids',
  text: `SELECT ${COLUMNS} FROM color_formulas WHERE id = ANY ($1::uuid[])`,
};

@Injectable()
export class ColorFormulasRepository {
  private readonly index: LabIndex;

  constructor(private readonly database: Database) {
    this.index = new LabIndex(database, 'color_formulas');
  }

  /** @throws ConstraintViolation `fk_color_formulas_formula` when the linked formula does not exist */
  async create(color: NewColorFormula): Promise<ColorFormula> {
    const { name, targetLab, actualLab, deltaE, colorantComposition, formulaId, createdBy } = color;
    const [row] = await this.database.query<Row>(INSERT, [
      name,
      ...[targetLab.L, targetLab.a, targetLab.b],
      ...[actualLab?.L, actualLab?.a, actualLab?.b],
      deltaE,
      colorantComposition === null ? null : JSON.stringify(colorantComposition),
      formulaId,
      createdBy,
    ]);
    return toColorFormula(row!);
  }

  /** The `count` colours whose target is nearest by Euclidean difference, nearest first, ties by id. */
  nearest(target: Lab, count: number): Promise<Ranked[]> {
    return nearestByEuclidean(this.index, target, count);
  }

  /** Exactly the `count` colours whose target is nearest by CIEDE2000, nearest first, ties by id. */
  nearestByCiede2000(target: Lab, count: number): Promise<Ranked[]> {
    return nearestByCiede2000(this.index, target, count);
  }

  /** The colours with these ids, in that order; an id that is no longer there is left out. */
  async findByIds(ids: readonly string[]): Promise<ColorFormula[]> {
    if (ids.length === 0) return [];
    const rows = await this.database.query<Row>(BY_IDS, [ids]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => {
      const row = byId.get(id);
      return row ? [toColorFormula(row)] : [];
    });
  }
}

function toColorFormula({ L, a, b, actualL, actualA, actualB, ...row }: Row): ColorFormula {
  return {
    id: row.id,
    name: row.name,
    targetLab: { L, a, b },
    actualLab: actualL === null ? null : { L: actualL, a: actualA!, b: actualB! },
    deltaE: row.deltaE,
    colorantComposition: row.colorantComposition,
    formulaId: row.formulaId,
    createdBy: row.createdBy,
    createdAt: row.createdAt,
  };
}
