import { Injectable } from '@nestjs/common';
import type { ChangeScope } from '../../platform/access/access-policy';
import type { Readable, RowCondition, RowFilter } from '../../platform/access/row-filter';
import { DatabaseService } from '../../platform/database/database.service';
import { formulaCondition } from '../lists/list-conditions';
import type { FormulaNameDto, FormulaSelectionDto } from './replacement.dto';
import type { AccountNameDto } from '../../users/people/people.dto';

export interface UsingFormula extends FormulaNameDto {
  readonly createdBy: AccountNameDto;
  readonly currentVersion: number;
  /** Number of lines of all ingredients. */
  readonly lines: number;
  /** Percent of the ingredient, all its lines together. */
  readonly share: number;
  /** Whether the user may change it unless the access policy refuses this formula. */
  readonly isCandidate: boolean;
}

interface UsingFormulas {
  /** By name. */
  readonly formulas: readonly UsingFormula[];
  /** Number of all formulas that are no candidates. */
  readonly otherCount: number;
}

/**
 * $1 the ingredient, $2 formulas or null, $3 which formulas the user changes (a `ChangeScope`), $4 the user, $5 most
 * candidates, $6 most other formulas; from $7 on parameters of the conditions. A formula with an ingredient that is
 * hidden from the user is no candidate: as in the contract, its next version cannot be written.
 */
const readUsing = (readable: Readable, selected: RowCondition) => `
  WITH found AS MATERIALIZED (
    SELECT f.id, f.name, f.created_by, f.current_version, used.version_id, used.share,
      ($3::text IN ('all', 'some') OR ($3 = 'own' AND f.created_by = $4::uuid)) AND NOT EXISTS (
        SELECT FROM formula_ingredients line JOIN ingredients i ON i.id = line.ingredient_id
        WHERE line.formula_version_id = used.version_id AND ${readable('ingredient', 'i')} IS NOT TRUE
      ) AS "isCandidate"
    FROM (
      SELECT v.id AS version_id, v.formula_id, v.version_number, sum(line.percentage) AS share
      FROM formula_versions v JOIN formula_ingredients line ON line.formula_version_id = v.id
      WHERE line.ingredient_id = $1 GROUP BY v.id
    ) used
    JOIN formulas f ON f.id = used.formula_id AND f.current_version = used.version_number AND ${readable('formula', 'f')}
    WHERE ($2::uuid[] IS NULL OR f.id = ANY ($2)) AND ${selected.sql}
  ),
  listed AS (
    (SELECT * FROM found WHERE "isCandidate" ORDER BY name, id LIMIT $5)
    UNION ALL
    (SELECT * FROM found WHERE NOT "isCandidate" ORDER BY name, id LIMIT $6)
  )
  SELECT array_to_json(ARRAY(SELECT row_to_json(shown) FROM (
      SELECT listed.id, listed.name, listed.current_version AS "currentVersion", listed.share, listed."isCandidate",
        (SELECT row_to_json(creator) FROM (
           SELECT u.id, u.username FROM users u WHERE u.id = listed.created_by) creator) AS "createdBy",
        (SELECT count(*) FROM formula_ingredients every WHERE every.formula_version_id = listed.version_id) AS lines
      FROM listed ORDER BY listed.name, listed.id
    ) shown)) AS formulas,
    (SELECT count(*) FROM found WHERE NOT "isCandidate") AS "otherCount"`;

@Injectable()
export class ReplacementRepository {
  constructor(private readonly database: DatabaseService) {}

  /**
   * Returns the formulas of the selection that currently contain the ingredient.
   * @param scope which formulas the policy lets the user change, before it decides about each
   * @param most how many candidates and how many others are listed
   */
  async listUsing(
    filter: RowFilter,
    ingredientId: string,
    { ids, projectId }: FormulaSelectionDto,
    { scope, userId }: { scope: ChangeScope; userId: string },
    most: { candidates: number; others: number },
  ): Promise<UsingFormulas> {
    const own = [ingredientId, ids ?? null, scope, userId, most.candidates, most.others];
    const selected = formulaCondition(filter, { projectId })('f', own.length + 1);
    const [found] = await this.database.query<UsingFormulas>(
      ...filter.statement(undefined, [...own, ...selected.values], (readable) =>
        readUsing(readable, selected),
      ),
    );
    return found!;
  }
}
