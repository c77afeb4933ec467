import { Injectable } from '@nestjs/common';
import type { Readable, RowFilter } from '../../platform/access/row-filter';
import { DatabaseService } from '../../platform/database/database.service';
import { profileOf } from '../profile/profiles.repository';
import type { CatalogueEntry, Composition, CompositionLine } from './composition';

const NAMES = "json_build_object('id', i.id, 'inciName', i.inci_name, 'chineseName', i.chinese_name)";

/** Of a card c. */
const PREFERRED_SUPPLIER =
  "(SELECT s FROM json_array_elements(c.suppliers) s WHERE (s ->> 'preferred')::boolean LIMIT 1)";

/** Of an ingredient i with its card c. */
const CATALOGUE_ENTRY = `json_build_object(
  'functionCategory', i.function_category, 'unit', i.unit, 'unitPrice', i.unit_price, 'casNumbers', ARRAY(
    SELECT n.name FROM ingredient_names n WHERE n.ingredient_id = i.id AND n.kind = 'cas' ORDER BY n.position
  ),
  'card', CASE WHEN c.ingredient_id IS NOT NULL THEN json_build_object(
    'density', c.density, 'strength', c.strength, 'solvent', c.solvent, 'supplier', ${PREFERRED_SUPPLIER}
  ) END)`;

/**
 * Versions of formulas with their lines, one row for each readable formula that is asked for. `composition` is
 * null where the formula has no such version.
 *
 * $1 the formulas, $2 the numbers of their versions, null for the latest; from $3 on what the conditions need.
 */
const readCompositions = (filter: RowFilter, readable: Readable): string => `
  SELECT wanted.position::integer AS position, (
    SELECT row_to_json(shown) FROM (
      SELECT f.id AS "formulaId", f.name AS "formulaName", v.version_number AS "versionNumber",
        iso_time(v.created_at) AS "createdAt", ${profileOf(filter, readable)} AS profile,
        array_to_json(ARRAY(
          SELECT row_to_json(phase_shown) FROM (
            SELECT phase.name, phase.sort_order AS "sortOrder", array_to_json(ARRAY(
              SELECT row_to_json(line_shown) FROM (
                SELECT line.id, line.ingredient_id AS "ingredientId", line.percentage,
                  line.process_notes AS "processNotes",
                  ${NAMES} AS ingredient,
                  CASE WHEN ${readable('ingredient', 'i')} THEN ${CATALOGUE_ENTRY} END AS catalogue
                FROM formula_ingredients line JOIN ingredients i ON i.id = line.ingredient_id
                LEFT JOIN ingredient_cards c ON c.ingredient_id = i.id
                WHERE line.phase_id = phase.id
                ORDER BY line.position
              ) line_shown)) AS ingredients
            FROM formula_phases phase WHERE phase.formula_version_id = v.id
            ORDER BY phase.sort_order, phase.position
          ) phase_shown)) AS phases
      FROM formula_versions v
      WHERE v.formula_id = f.id AND v.version_number = coalesce(wanted.version_number, f.current_version)
    ) shown) AS composition
  FROM unnest($1::uuid[], $2::integer[]) WITH ORDINALITY AS wanted (formula_id, version_number, position)
  JOIN formulas f ON f.id = wanted.formula_id AND ${readable('formula', 'f')}
  ORDER BY wanted.position`;

/**
 * Of each category the ingredients with the lowest numbers as prices. $1 the categories, $2 ids that are left out, $3
 * most ingredients of a category, $4 ids that do not count; from $5 on what the condition needs.
 */
const readCandidates = (readable: Readable): string => `
  SELECT ${NAMES} AS ingredient, ${CATALOGUE_ENTRY} AS catalogue, found.total::integer
  FROM (
    SELECT i.id, count(*) OVER (PARTITION BY i.function_category) AS total,
      row_number() OVER (PARTITION BY i.function_category ORDER BY i.id = ANY ($4::uuid[]),
        coalesce(i.unit_price, (${PREFERRED_SUPPLIER} ->> 'price')::numeric), i.id) AS place
    FROM ingredients i LEFT JOIN ingredient_cards c ON c.ingredient_id = i.id
    WHERE ${readable('ingredient', 'i')} AND i.function_category = ANY ($1::text[]) AND i.id <> ALL ($2::uuid[])
  ) found JOIN ingredients i ON i.id = found.id LEFT JOIN ingredient_cards c ON c.ingredient_id = i.id
  WHERE found.place <= $3 OR i.id = ANY ($4::uuid[]) ORDER BY i.function_category, found.place`;

/** Of each category at most `most` ingredients, those with the lowest prices, and those with these ids. */
export interface CandidateQuery {
  readonly categories: readonly string[];
  readonly without: readonly string[];
  readonly most: number;
  readonly ids: readonly string[];
}

/** An ingredient that may come into a formula. */
export interface CandidateIngredient extends Pick<CompositionLine, 'ingredient'> {
  readonly catalogue: CatalogueEntry;
  /** Ingredients of its category, without those that are left out. */
  readonly total: number;
}

/** A version of a formula: its number, or the latest. */
export interface VersionReference {
  readonly formulaId: string;
  readonly version?: number;
}

interface FoundComposition {
  readonly position: number;
  readonly composition: Composition | null;
}

@Injectable()
export class CompositionsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Reads these versions in one statement. Formulas that the user may not read are left out. */
  find(filter: RowFilter, references: readonly VersionReference[]): Promise<FoundComposition[]> {
    const ids = references.map(({ formulaId }) => formulaId);
    const versions = references.map(({ version }) => version ?? null);
    return this.database.query<FoundComposition>(
      ...filter.statement('compositions', [ids, versions], (readable) => readCompositions(filter, readable)),
    );
  }

  findCandidates(
    filter: RowFilter,
    { categories, without, most, ids }: CandidateQuery,
  ): Promise<CandidateIngredient[]> {
    return this.database.query<CandidateIngredient>(
      ...filter.statement('compositions.candidates', [categories, without, most, ids], readCandidates),
    );
  }
}
