import { Injectable } from '@nestjs/common';
import type { RowCondition, RowFilter } from '../../access/row-filter';
import { DatabaseService } from '../../database/database.service';

/** The formulas of a replacement; all if neither is given. */
export interface FormulaSelection {
  readonly ids?: readonly string[];
  readonly projectId?: string;
}

/** A formula whose latest version contains an ingredient. */
export interface UsingFormula {
  readonly id: string;
  readonly name: string;
  readonly createdBy: string;
  readonly currentVersion: number;
  /** Number of lines of all ingredients. */
  readonly lines: number;
}

/** $1 formulas, $2 a project; from $3 on parameters of the conditions. */
const readSelection = (readable: RowCondition, readableProject: RowCondition): string => `
  SELECT ARRAY(SELECT f.id FROM formulas f WHERE f.id = ANY ($1::uuid[]) AND ${readable.sql}) AS ids,
    EXISTS (SELECT FROM projects p WHERE p.id = $2::uuid AND ${readableProject.sql}) AS "hasProject"`;

/** $1 the ingredient, $2 formulas or null, $3 a project or null, $4 limit; from $5 on parameters of the condition. */
const readUsing = (readable: RowCondition): string => `
  SELECT f.id, f.name, f.created_by AS "createdBy", f.current_version AS "currentVersion",
    (SELECT count(*) FROM formula_ingredients every WHERE every.formula_version_id = used.id) AS lines
  FROM (
    SELECT v.id, v.formula_id, v.version_number
    FROM formula_versions v JOIN formula_ingredients line ON line.formula_version_id = v.id
    WHERE line.ingredient_id = $1 GROUP BY v.id
  ) used
  JOIN formulas f ON f.id = used.formula_id AND f.current_version = used.version_number AND ${readable.sql}
  WHERE ($2::uuid[] IS NULL OR f.id = ANY ($2)) AND ($3::uuid IS NULL OR f.project_id = $3)
  ORDER BY f.name, f.id LIMIT $4`;

@Injectable()
export class ReplacementRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns the selected formulas that exist for the reader, and whether the selected project exists. */
  async find(
    filter: RowFilter,
    { ids = [], projectId }: FormulaSelection,
  ): Promise<{ ids: string[]; hasProject: boolean }> {
    const readable = filter.for('formula', 'f', 3);
    const readableProject = filter.for('project', 'p', 3 + readable.values.length);
    const [found] = await this.database.query<{ ids: string[]; hasProject: boolean }>(
      { name: filter.named('lab.replacement.selection'), text: readSelection(readable, readableProject) },
      [ids, projectId ?? null, ...readable.values, ...readableProject.values],
    );
    return found!;
  }

  /** Returns at most `limit` formulas of the selection that currently contain the ingredient, by name. */
  listUsing(
    filter: RowFilter,
    ingredientId: string,
    { ids, projectId }: FormulaSelection,
    limit: number,
  ): Promise<UsingFormula[]> {
    const readable = filter.for('formula', 'f', 5);
    return this.database.query<UsingFormula>({ text: readUsing(readable) }, [
      ingredientId,
      ids ?? null,
      projectId ?? null,
      limit,
      ...readable.values,
    ]);
  }
}
