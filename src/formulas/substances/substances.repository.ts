import { Injectable } from '@nestjs/common';
import type { Readable, RowFilter } from '../../platform/access/row-filter';
import { inTurns } from '../../platform/common/in-turns';
import { distinct } from '../../platform/common/collections';
import { JsonPage, JsonText } from '../../platform/common/json-text';
import { nameKey, plainText } from '../../platform/common/name-forms';
import { offsetOf, type PageQuery } from '../../platform/common/pagination';
import { containing } from '../../platform/common/search-pattern';
import { DatabaseService } from '../../platform/database/database.service';
import type { Slice } from '../../platform/http/envelope';
import { plainNumber } from '../../ingredients/raw-materials/registry-numbers';
import type { SubstanceRole } from '../../ingredients/raw-materials/substance';
import { substanceKey } from '../../ingredients/raw-materials/substance-names';
import { isUnknownBlend } from '../composition/expansion';
import type { SearchedVersions } from '../lists/lists.dto';
import type { KnownFrom, SubstanceFormulasQuery, UnknownFormulasDto } from './substances.dto';

type Blend = Pick<Part, 'ingredientId' | 'inciName' | 'role'>;

/** A substance in the composition of a raw material, or a raw material that counts as its own name. */
export interface Part {
  readonly key: string;
  readonly ingredientId: string;
  readonly inciName: string;
  readonly role: SubstanceRole | null;
  readonly chineseName: string | null;
  readonly casNumbers: readonly string[];
  readonly ecNumbers: readonly string[];
  readonly knownFrom: Exclude<KnownFrom, 'itself'>;
  /** Percent of the raw material, exact decimals. */
  readonly min: string;
  readonly max: string;
  /** Sums over the complete composition. */
  readonly least: string;
  readonly most: string;
}

/** A raw material with its share of a substance. */
export interface Material {
  readonly ingredientId: string;
  /** Percent of the raw material, exact decimals. */
  readonly least: string;
  readonly most: string;
  readonly knownFrom: KnownFrom;
  readonly roles: readonly SubstanceRole[];
  readonly isNano: boolean;
}

/**
 * Every name that `isBlendName` accepts matches this: it has what joins names, says that it is a blend, or has two CI
 * numbers, or a character beyond ASCII. Few others do.
 */
export const MAY_BE_BLEND = String.raw`[^\x01-\x7f]|[&+;,]|\s(and|und|et)\s|[([]\s*and|\s/|/\s|blend|mix|compound|[0-9]{5}.*[0-9]{5}`;

/** The substances of compositions, and the solvents of raw materials that have a strength instead, as a FROM item. */
const GIVEN = `(
    SELECT ingredient_id, substance_key, inci_name, chinese_name, cas_number, ec_number, role, min_percentage,
      max_percentage, 'composition' AS known_from
    FROM ingredient_substances
    UNION ALL
    SELECT c.ingredient_id, substance_key(c.solvent ->> 'inciName'), c.solvent ->> 'inciName',
      c.solvent ->> 'chineseName', c.solvent ->> 'casNumber', c.solvent ->> 'ecNumber', 'solvent', 100 - c.strength,
      100 - c.strength, 'strength'
    FROM ingredient_cards c
    WHERE c.solvent IS NOT NULL
      AND NOT EXISTS (SELECT FROM ingredient_substances own WHERE own.ingredient_id = c.ingredient_id)
  )`;

/**
 * Names of substances, as a FROM item. $1 the key of the search, $2 its text, null for all names, $3 the pattern of
 * further names, $4 the number.
 */
const named = (readable: Readable): string => `(
    SELECT s.ingredient_id AS "ingredientId", s.substance_key AS key, s.inci_name AS "inciName", s.role
    FROM ${GIVEN} s JOIN ingredients i ON i.id = s.ingredient_id AND ${readable('ingredient', 'i')}
    WHERE $2::text IS NULL OR s.substance_key = $1 OR strpos(s.substance_key, $2) > 0
      OR strpos(search_text(s.chinese_name), $2) > 0 OR s.cas_number = $4 OR s.ec_number = $4
    UNION ALL
    SELECT i.id, i.substance_key, i.inci_name, NULL FROM ingredients i
    WHERE ${readable('ingredient', 'i')}
      AND NOT EXISTS (SELECT FROM ingredient_substances s WHERE s.ingredient_id = i.id)
      AND ($2::text IS NULL OR i.substance_key = $1 OR strpos(i.substance_key, $2) > 0
        OR strpos(i.search_key, (SELECT search_key($2))) > 0
        OR i.id IN (SELECT n.ingredient_id FROM ingredient_names n WHERE n.key LIKE $3 AND $3 <> '%%'))
  ) named`;

/** Names that the search finds and that may be blends. From $5 on: what the condition needs. */
const findBlends = (readable: Readable): string => `
  SELECT "ingredientId", "inciName", role FROM ${named(readable)} WHERE "inciName" ~* '${MAY_BE_BLEND}'`;

/**
 * A page of keys, those that equal or begin with the search first. $5 the blends, each with its role, $6 limit,
 * $7 offset; from $8 on what the condition needs.
 */
const listKeys = (readable: Readable): string => `
  WITH found AS MATERIALIZED (
    SELECT DISTINCT key FROM ${named(readable)}
    WHERE key <> '' AND coalesce(role, '') || '|' || "inciName" NOT IN (SELECT unnest($5::text[]))
  )
  SELECT array_to_json(ARRAY(
    SELECT key FROM found ORDER BY key = $1 DESC, starts_with(key, $1) DESC, key COLLATE "C" LIMIT $6 OFFSET $7
  )) AS rows, (SELECT count(*) FROM found) AS total`;

/** Parts with these keys. $1 the keys; from $2 on what the condition needs. */
const findParts = (readable: Readable): string => `
  SELECT s.substance_key AS key, s.ingredient_id AS "ingredientId", s.inci_name AS "inciName",
    s.chinese_name AS "chineseName", array_remove(ARRAY[s.cas_number], NULL) AS "casNumbers",
    array_remove(ARRAY[s.ec_number], NULL) AS "ecNumbers", s.role, s.known_from AS "knownFrom",
    s.min_percentage::text AS min, s.max_percentage::text AS max, complete.least, complete.most
  FROM ${GIVEN} s JOIN ingredients i ON i.id = s.ingredient_id AND ${readable('ingredient', 'i')}
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(part.min_percentage), 100)::text AS least,
      coalesce(sum(part.max_percentage), 100)::text AS most
    FROM ingredient_substances part WHERE part.ingredient_id = s.ingredient_id) complete
  WHERE s.substance_key = ANY ($1::text[])
  UNION ALL
  SELECT i.substance_key, i.id, i.inci_name, i.chinese_name,
    ARRAY(SELECT n.name FROM ingredient_names n WHERE n.ingredient_id = i.id AND n.kind = 'cas' ORDER BY n.position),
    ARRAY(SELECT n.name FROM ingredient_names n WHERE n.ingredient_id = i.id AND n.kind = 'ec' ORDER BY n.position),
    NULL, CASE WHEN c.strength IS NULL THEN 'own-name' ELSE 'strength' END, coalesce(c.strength, 100)::text,
    coalesce(c.strength, 100)::text, '100', '100'
  FROM ingredients i LEFT JOIN ingredient_cards c ON c.ingredient_id = i.id
  WHERE i.substance_key = ANY ($1::text[]) AND ${readable('ingredient', 'i')}
    AND NOT EXISTS (SELECT FROM ingredient_substances s WHERE s.ingredient_id = i.id)`;

const share = (least: string, most: string): string => `
  json_build_object('min', trim_scale(${least})::text, 'middle', trim_scale((${least} + ${most}) * 0.5)::text,
    'max', trim_scale(${most})::text)`;

/** The ingredient itself, and its substance in other raw materials. */
const USAGE = `,
      sum(line.percentage) FILTER (WHERE m."knownFrom" = 'itself') AS directly,
      sum(line.percentage * m.least) FILTER (WHERE m."knownFrom" <> 'itself') * 0.01 AS "throughLeast",
      sum(line.percentage * m.most) FILTER (WHERE m."knownFrom" <> 'itself') * 0.01 AS "throughMost"`;

const SHOWN_USAGE = `
        trim_scale(directly)::text AS directly,
        CASE WHEN "throughMost" IS NOT NULL THEN ${share('"throughLeast"', '"throughMost"')} END AS through`;

/**
 * Formulas that contain raw materials, with their share of a substance, the greatest first. $1 the raw materials as a
 * JSON list, $2 true for the latest versions only, $3 the least percent, $4 limit, $5 offset; from $6 on what the
 * condition needs. OFFSET 0 keeps the planner, when it has no statistics, from reading all lines for each formula.
 */
const listFormulas = (readable: Readable, isUsage: boolean): string => `
  WITH material AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS sent ("ingredientId" uuid, least numeric, most numeric,
      "knownFrom" text, roles json, "isNano" boolean)
  ),
  used AS MATERIALIZED (
    SELECT line.formula_version_id AS version_id,
      sum(line.percentage * m.least) * 0.01 AS least, sum(line.percentage * m.most) * 0.01 AS most
      ${isUsage ? USAGE : ''}
    FROM material m JOIN formula_ingredients line ON line.ingredient_id = m."ingredientId"
    GROUP BY line.formula_version_id
    HAVING sum(line.percentage * m.most) >= $3::numeric * 100
  ),
  found AS MATERIALIZED (
    SELECT f.id, f.name, f.current_version, v.version_number, used.*
    FROM used JOIN formula_versions v ON v.id = used.version_id
    JOIN formulas f ON f.id = v.formula_id AND ${readable('formula', 'f')}
    WHERE NOT $2::boolean OR v.version_number = f.current_version
  )
  SELECT array_to_json(ARRAY(
    SELECT row_to_json(formula) FROM (
      SELECT page.id, page.name, page.current_version AS "currentVersion", page.version_number AS "versionNumber",
        ${isUsage ? SHOWN_USAGE : `${share('least', 'most')} AS share`},
        array_to_json(ARRAY(
          SELECT row_to_json(line_shown) FROM (
            SELECT line.id, phase.name AS phase,
              json_build_object('id', i.id, 'inciName', i.inci_name, 'chineseName', i.chinese_name) AS ingredient,
              line.percentage,
              ${share('line.percentage * m.least * 0.01', 'line.percentage * m.most * 0.01')} AS share,
              m."knownFrom", m.roles, m."isNano"
            FROM (SELECT * FROM formula_ingredients WHERE formula_version_id = page.version_id OFFSET 0) line
            JOIN material m ON m."ingredientId" = line.ingredient_id
            JOIN formula_phases phase ON phase.id = line.phase_id
            JOIN ingredients i ON i.id = line.ingredient_id
            ORDER BY phase.sort_order, phase.position, line.position
          ) line_shown)) AS lines
      FROM (SELECT * FROM found ORDER BY most DESC, name, id, version_number DESC LIMIT $4 OFFSET $5) page
      ORDER BY most DESC, name, id, version_number DESC
    ) formula))::text AS data, (SELECT count(*) FROM found) AS total`;

/**
 * Counts formulas with a hidden ingredient or one of these. $1 the ingredients, $2 true for the latest versions only;
 * from $3 on what the conditions need.
 */
const countUnknown = (readable: Readable): string => `
  WITH used AS MATERIALIZED (
    SELECT DISTINCT line.formula_version_id AS version_id FROM formula_ingredients line
    WHERE line.ingredient_id IN (
      SELECT unnest($1::uuid[])
      UNION ALL SELECT i.id FROM ingredients i WHERE ${readable('ingredient', 'i')} IS NOT TRUE)
  )
  SELECT count(DISTINCT f.id) AS formulas
  FROM used JOIN formula_versions v ON v.id = used.version_id
  JOIN formulas f ON f.id = v.formula_id AND ${readable('formula', 'f')}
  WHERE NOT $2::boolean OR v.version_number = f.current_version`;

@Injectable()
export class SubstancesRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns a page of the keys of the substances that a search finds, or of all. */
  async listKeys(filter: RowFilter, search: string, query: PageQuery): Promise<Slice<string>> {
    const blends = (await this.findBlends(filter, search)).map((one) => `${one.role ?? ''}|${one.inciName}`);
    const values = [...soughtIn(search), distinct(blends), query.limit, offsetOf(query)];
    const [slice] = await this.database.query<Slice<string>>(
      ...filter.statement('substances.keys', values, listKeys),
    );
    return slice!;
  }

  /** Returns the names that a search finds, or all names, that are those of blends without a composition. */
  private async findBlends(filter: RowFilter, search: string): Promise<Blend[]> {
    const found = await this.database.query<Blend>(
      ...filter.statement('substances.blends', soughtIn(search), findBlends),
    );
    const areBlends = await inTurns(found, isUnknownBlend);
    return found.filter((_, index) => areBlends[index]);
  }

  findParts(filter: RowFilter, keys: readonly string[]): Promise<Part[]> {
    return this.database.query<Part>(...filter.statement('substances.parts', [keys], findParts));
  }

  /** Finds and sums the formulas in one statement. */
  async listFormulas<Listed>(
    filter: RowFilter,
    materials: readonly Material[],
    { versions, minShare = 0, ...query }: SubstanceFormulasQuery,
    isUsage = false,
  ): Promise<JsonPage<Listed>> {
    const values = [
      JSON.stringify(materials),
      versions === 'current',
      minShare,
      query.limit,
      offsetOf(query),
    ];
    const name = isUsage ? 'substances.usage' : 'substances.formulas';
    const [found] = await this.database.query<{ data: string; total: number }>(
      ...filter.statement(name, values, (readable) => listFormulas(readable, isUsage)),
    );
    return new JsonPage<Listed>(new JsonText(found!.data), found!.total);
  }

  /** Returns the number of formulas whose chosen versions have a hidden ingredient or a blend without a composition. */
  async countUnknown(filter: RowFilter, versions: SearchedVersions): Promise<UnknownFormulasDto> {
    const blends = await this.findBlends(filter, '');
    const ids = distinct(blends.map(({ ingredientId }) => ingredientId));
    const [found] = await this.database.query<UnknownFormulasDto>(
      ...filter.statement('substances.unknown', [ids, versions === 'current'], countUnknown),
    );
    return found!;
  }
}

/** Values of $1 to $4 of `named`. */
const soughtIn = (search: string): unknown[] => [
  substanceKey(search),
  plainText(search) || null,
  containing(nameKey(search)),
  plainNumber(search),
];
