import { Injectable } from '@nestjs/common';
import type { RowFilter } from '../../../platform/access/row-filter';
import { DatabaseService } from '../../../platform/database/database.service';
import { type NamedShare } from './composition';

export interface BaseFormula {
  name: string;
  ingredients: NamedShare[];
}

@Injectable()
export class BaseFormulaRepository {
  constructor(private readonly database: DatabaseService) {}

  /**
   * Returns the latest version of a formula as the base of an exploration, or undefined if the user
   * cannot read such a formula.
   */
  async latest(filter: RowFilter, id: string): Promise<BaseFormula | undefined> {
    const readable = filter.for('formula', 'f', 2);
    const [row] = await this.database.query<{ name: string; ingredients: NamedShare[] | null }>(
      {
        name: filter.named('ai.base-formula'),
        text: `
          SELECT f.name, (
            SELECT json_agg(json_build_object(
                     'name', i.chinese_name, 'inciName', i.inci_name, 'percentage', l.percentage)
                     ORDER BY ph.sort_order, ph.position, l.position)
            FROM formula_versions v
            JOIN formula_phases ph ON ph.formula_version_id = v.id
            JOIN formula_ingredients l ON l.phase_id = ph.id
            JOIN ingredients i ON i.id = l.ingredient_id
            WHERE v.formula_id = f.id AND v.version_number = f.current_version) AS ingredients
          FROM formulas f WHERE f.id = $1 AND ${readable.sql}`,
      },
      [id, ...readable.values],
    );
    return row && { name: row.name, ingredients: row.ingredients ?? [] };
  }
}
