import { Injectable } from '@nestjs/common';
import type { Readable, RowFilter } from '../../platform/access/row-filter';
import { DatabaseService } from '../../platform/database/database.service';
import type { Substance } from './substance';

const SUBSTANCE = `
  s.inci_name AS "inciName", s.chinese_name AS "chineseName", s.cas_number AS "casNumber", s.ec_number AS "ecNumber",
  s.min_percentage AS "minPercentage", s.max_percentage AS "maxPercentage", s.role`;

/** An ingredient with its substances. $1 the ingredient; from $2 on what the condition needs. */
const readRawMaterial = (readable: Readable): string => `
  SELECT i.id AS "ingredientId", i.inci_name AS "inciName", c.strength, array_to_json(ARRAY(
    SELECT row_to_json(shown) FROM (
      SELECT ${SUBSTANCE} FROM ingredient_substances s WHERE s.ingredient_id = i.id ORDER BY s.position
    ) shown)) AS substances
  FROM ingredients i LEFT JOIN ingredient_cards c ON c.ingredient_id = i.id
  WHERE i.id = $1 AND ${readable('ingredient', 'i')}`;

/** Substances of ingredients. $1 the ingredients, $2 most rows; from $3 on what the condition needs. */
const readSubstances = (readable: Readable): string => `
  SELECT s.ingredient_id AS "ingredientId", ${SUBSTANCE}
  FROM ingredient_substances s JOIN ingredients i ON i.id = s.ingredient_id AND ${readable('ingredient', 'i')}
  WHERE s.ingredient_id = ANY ($1::uuid[])
  ORDER BY s.ingredient_id, s.position LIMIT $2`;

/** All rows of an export. $1 most rows; from $2 on what the condition needs. */
const readAllSubstances = (readable: Readable): string => `
  SELECT i.id AS "ingredientId", i.inci_name AS ingredient, i.supplier, ${SUBSTANCE}
  FROM ingredient_substances s JOIN ingredients i ON i.id = s.ingredient_id AND ${readable('ingredient', 'i')}
  ORDER BY lower(i.inci_name), i.id, s.position LIMIT $1`;

const DELETE_SUBSTANCES = 'DELETE FROM ingredient_substances WHERE ingredient_id = ANY ($1::uuid[])';

/** $1 the ingredient; $2 the one that gets its substances, unless it has some. */
const MOVE_SUBSTANCES = `
  UPDATE ingredient_substances SET ingredient_id = $2
  WHERE ingredient_id = $1 AND NOT EXISTS (SELECT FROM ingredient_substances WHERE ingredient_id = $2)`;

/** $1 a JSON list of rows. */
const INSERT_SUBSTANCES = `
  INSERT INTO ingredient_substances (ingredient_id, position, inci_name, chinese_name, cas_number, ec_number,
    min_percentage, max_percentage, role)
  SELECT "ingredientId", position, "inciName", "chineseName", "casNumber", "ecNumber",
    "minPercentage", "maxPercentage", role
  FROM json_to_recordset($1::json) AS sent ("ingredientId" uuid, position integer, "inciName" text,
    "chineseName" text, "casNumber" text, "ecNumber" text, "minPercentage" numeric, "maxPercentage" numeric,
    role text)`;

/** An ingredient with the substances that it consists of; none where they are not given. */
export interface RawMaterial {
  readonly ingredientId: string;
  readonly inciName: string;
  /** Of its card. */
  readonly strength: number | null;
  readonly substances: readonly Substance[];
}

export type SubstanceOfIngredient = Substance & { readonly ingredientId: string };

export type ExportedSubstance = SubstanceOfIngredient & {
  readonly ingredient: string;
  readonly supplier: string | null;
};

@Injectable()
export class RawMaterialsRepository {
  constructor(private readonly database: DatabaseService) {}

  async find(filter: RowFilter, id: string): Promise<RawMaterial | undefined> {
    const [found] = await this.database.query<RawMaterial>(
      ...filter.statement('raw-materials.read', [id], readRawMaterial),
    );
    return found;
  }

  /** In the order of their positions, those of one ingredient together. */
  substancesOf(
    filter: RowFilter,
    ingredientIds: readonly string[],
    maxRows: number,
  ): Promise<SubstanceOfIngredient[]> {
    return this.database.query<SubstanceOfIngredient>(
      ...filter.statement('raw-materials.substances', [ingredientIds, maxRows], readSubstances),
    );
  }

  listAll(filter: RowFilter, maxRows: number): Promise<ExportedSubstance[]> {
    return this.database.query<ExportedSubstance>(
      ...filter.statement('raw-materials.export', [maxRows], readAllSubstances),
    );
  }

  /** Replaces the substances of these ingredients. Call it within a transaction. */
  async replace(substancesOf: ReadonlyMap<string, readonly Substance[]>): Promise<void> {
    const rows = [...substancesOf].flatMap(([ingredientId, substances]) =>
      substances.map((substance, position) => ({ ...substance, ingredientId, position })),
    );
    await this.database.query({ name: 'raw-materials.delete', text: DELETE_SUBSTANCES }, [
      [...substancesOf.keys()],
    ]);
    if (rows.length === 0) return;
    await this.database.query({ name: 'raw-materials.insert', text: INSERT_SUBSTANCES }, [
      JSON.stringify(rows),
    ]);
  }

  /** Gives the substances of one ingredient to another, unless that has one. Call it within a transaction. */
  async move(id: string, into: string): Promise<void> {
    await this.database.query({ name: 'raw-materials.move', text: MOVE_SUBSTANCES }, [id, into]);
  }
}
