import { Injectable } from '@nestjs/common';
import type { DateRange, PercentBounds } from './phrase/phrase-values';
import type { RowFilter } from '../../../platform/access/row-filter';
import { DatabaseService } from '../../../platform/database/database.service';

/** The ingredients of a search term. */
export interface NamedIngredients {
  /** PostgreSQL array. */
  readonly ids: string;
  readonly count: number;
  /** Bounds of the sum of their percentages. */
  readonly bounds?: PercentBounds;
}

/** A pattern for a keyword in a formula's own texts. */
export interface OwnText {
  /** LIKE pattern. */
  readonly pattern: string;
  /** True if the trigram index supports the pattern. */
  readonly isIndexed: boolean;
  /** Regular expression that a search key must match as well. */
  readonly word?: string;
}

export interface WantedKeyword extends NamedIngredients {
  readonly texts: readonly OwnText[];
}

/** The question of a search, with its ingredients looked up. */
export interface SearchQuestion {
  readonly keywords: readonly WantedKeyword[];
  /** The formula must contain an ingredient of each of these. */
  readonly holds: readonly NamedIngredients[];
  /** The formula must not contain any of these. */
  readonly avoids: readonly NamedIngredients[];
  /** LIKE pattern. */
  readonly project: string | null;
  /** LIKE pattern. */
  readonly name: string | null;
  readonly updated?: DateRange;
  readonly created?: DateRange;
}

export interface FoundFormula {
  id: string;
  name: string;
  description: string | null;
  currentVersion: number;
  project: { name: string } | null;
}

export interface MatchedFormula extends FoundFormula {
  /** Number of keywords that the formula matches. */
  matched: number;
}

/** A way to look up the ingredients of a term. */
export interface IngredientLookup {
  /** Index of the term in its list. */
  readonly term: number;
  /** PostgreSQL array of ingredient ids. */
  readonly ids?: string;
  /** LIKE pattern of the names. */
  readonly pattern?: string;
  /** Regular expression that the names must match as well. */
  readonly regex?: string | null;
  readonly category?: string;
}

export interface FoundIngredients extends NamedIngredients {
  /** Number of terms that match an ingredient. */
  readonly termsFound: number;
}

@Injectable()
export class FormulaSearchRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns the ingredients of each list of terms. */
  async ingredients(
    filter: RowFilter,
    lists: readonly (readonly IngredientLookup[])[],
  ): Promise<FoundIngredients[]> {
    if (lists.length === 0) return [];
    const lookups = lists.flatMap((terms, number) => [
      { number },
      ...terms.map((term) => ({ number, ...term })),
    ]);
    const readable = filter.for('ingredient', 'i', 2);
    return this.database.query<FoundIngredients>(
      {
        name: filter.named('ai-search.ingredients'),
        text: `
          WITH lookup AS MATERIALIZED (
            SELECT number, term, ids, search_key(pattern) AS pattern, regex, category
            FROM json_to_recordset($1::json)
              AS lookup (number integer, term integer, ids uuid[], pattern text, regex text, category text))
          SELECT coalesce(array_agg(DISTINCT found.id) FILTER (WHERE found.id IS NOT NULL), '{}')::text AS ids,
            count(DISTINCT found.id)::int AS count, count(DISTINCT found.term)::int AS "termsFound"
          FROM (SELECT DISTINCT number FROM lookup) list LEFT JOIN LATERAL (
            SELECT term, unnest(ids) AS id FROM lookup WHERE lookup.number = list.number
            UNION
            SELECT term, i.id FROM lookup
            JOIN ingredients i ON i.search_key LIKE pattern AND (regex IS NULL OR i.search_key ~ regex)
            WHERE lookup.number = list.number AND ${readable.sql}
            UNION
            SELECT term, i.id FROM lookup JOIN ingredients i ON i.function_category = lookup.category
            WHERE lookup.number = list.number AND ${readable.sql}) found ON true
          GROUP BY number ORDER BY number`,
      },
      [JSON.stringify(lookups), ...readable.values],
    );
  }

  /** Returns the formulas that match a keyword and meet all filters, the best first. */
  async candidates(filter: RowFilter, question: SearchQuestion): Promise<MatchedFormula[]> {
    if (question.holds.some(({ count }) => count === 0)) return [];
    // For a common word, in the names of more than 300 ingredients, reading all lines takes several times as long.
    if (question.keywords.some(({ count }) => count > 300)) {
      const newest = await this.candidatesAmong('newest', filter, question);
      if (newest.length === CANDIDATES) return newest;
    }
    return this.candidatesAmong('all', filter, question);
  }

  private candidatesAmong(
    among: Among,
    filter: RowFilter,
    question: SearchQuestion,
  ): Promise<MatchedFormula[]> {
    const { text, values } = candidatesStatement(among, filter, question);
    return this.database.query<MatchedFormula>({ text }, values);
  }

  /**
   * Returns the cosine similarity of each formula's embedding to the query, without formulas that have none by this
   * maker. Both are unit vectors, so it is the sum of products. Only the query's few non-zero features are read.
   */
  async similarities(
    ids: readonly string[],
    maker: string,
    query: Float32Array,
  ): Promise<Map<string, number>> {
    const features = [...query.entries()].filter(([, weight]) => weight !== 0);
    const rows = await this.database.query<{ id: string; similarity: number }>(
      {
        name: 'ai-search.similarity',
        // The concatenation unpacks each vector once instead of once per feature.
        text: `
          WITH candidates AS MATERIALIZED (
            SELECT id, embedding || '{}'::real[] AS vector FROM formulas
            WHERE id = ANY ($1::uuid[]) AND embedding_maker = $2)
          SELECT id, sum(vector[place] * weight)::float8 AS similarity
          FROM candidates CROSS JOIN unnest($3::integer[], $4::real[]) AS query (place, weight)
          GROUP BY id`,
      },
      [ids, maker, features.map(([at]) => at + 1), features.map(([, weight]) => weight)],
    );
    return new Map(rows.map(({ id, similarity }) => [id, similarity]));
  }
}

/** Maximum number of candidates. More than the results, so that similarity can decide among equally good ones. */
const CANDIDATES = 200;

/** Number of the newest formulas that are searched first for common words. */
const NEWEST = 2_000;

/**
 * Always true. PostgreSQL's planner ignores that long texts are stored out of line: without this
 * condition it would read all of them instead of using the index.
 */
const USE_KEY_INDEX = '(f.current_version > 0 OR reads_out_of_line())';

/** The formulas that a search reads: all that match a keyword, or of the newest those that match every keyword. */
type Among = 'all' | 'newest';

/**
 * Returns the formulas that match a keyword and meet the filters. Formulas that match more keywords
 * come first, then the newest. Without keywords only the filters apply. PostgreSQL plans the
 * statement for each search, because the plan for a rare word is slow for a common one.
 */
function candidatesStatement(among: Among, filter: RowFilter, question: SearchQuestion) {
  const { keywords, holds, avoids, project, name, updated, created } = question;
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const readable = (kind: string, row: string): string => {
    const condition = filter.for(kind, row, values.length + 1);
    values.push(...condition.values);
    return condition.sql;
  };

  const ownText = ({ pattern, word }: OwnText): string => {
    const matches = `f.search_key LIKE search_key(${bind(pattern)})`;
    return word === undefined ? matches : `${matches} AND f.search_key ~ ${bind(word)}`;
  };
  const ownTexts = (texts: readonly OwnText[]): string =>
    `(${texts.map(ownText).join(' OR ')})${texts.every(({ isIndexed }) => isIndexed) ? ` AND ${USE_KEY_INDEX}` : ''}`;
  const matches = (): string => {
    // Each keyword has a bit, so a formula that matches it in several places counts once.
    const own = keywords.map(
      ({ texts }, at) => `SELECT f.id, ${1 << at} AS bits FROM formulas f WHERE ${ownTexts(texts)}`,
    );
    const named = keywords.flatMap(({ ids, count }, at) =>
      count === 0 ? [] : [`SELECT unnest(${bind(ids)}::uuid[]) AS id, ${1 << at} AS bit`],
    );
    const lines = `
      SELECT f.id, line.bits
      FROM (SELECT l.formula_version_id, bit_or(ingredient.bits) AS bits
            FROM (SELECT id, bit_or(bit) AS bits FROM (${named.join(' UNION ALL ')}) named GROUP BY id) ingredient
            JOIN formula_ingredients l ON l.ingredient_id = ingredient.id
            GROUP BY l.formula_version_id) line
      JOIN formula_versions v ON v.id = line.formula_version_id
      JOIN formulas f ON f.id = v.formula_id AND f.current_version = v.version_number`;
    return `
      SELECT id, bit_count(bit_or(bits)::bit(32)) AS matched
      FROM (${[...own, ...(named.length > 0 ? [lines] : [])].join(' UNION ALL ')}) hit GROUP BY id`;
  };
  const isHeld = ({ ids, bounds }: NamedIngredients): string => {
    const { min, max, isExclusive = false } = bounds ?? {};
    const sums = [
      ...(min === undefined ? [] : [`sum(l.percentage) ${isExclusive ? '>' : '>='} ${bind(min)}`]),
      ...(max === undefined ? [] : [`sum(l.percentage) ${isExclusive ? '<' : '<='} ${bind(max)}`]),
    ];
    return `EXISTS (
      SELECT FROM formula_versions v JOIN formula_ingredients l ON l.formula_version_id = v.id
      WHERE v.formula_id = f.id AND v.version_number = f.current_version AND l.ingredient_id = ANY (${bind(ids)}::uuid[])
      ${sums.length > 0 ? `HAVING ${sums.join(' AND ')}` : ''})`;
  };
  const isWithin = (column: string, { from, until }: DateRange = {}): string[] => [
    ...(from ? [`${column} >= ${bind(from)}`] : []),
    ...(until ? [`${column} < ${bind(until)}`] : []),
  ];
  // A scalar subquery, because PostgreSQL would turn EXISTS inside OR into a hash of all lines. IS TRUE lets it hash
  // the ingredients once rather than compare each line with all of them.
  const isMatched = ({ texts, ids }: WantedKeyword): string =>
    `(${ownTexts(texts)} OR coalesce((
      SELECT true FROM formula_ingredients l
      WHERE l.formula_version_id = f.version_id AND (l.ingredient_id IN (SELECT unnest(${bind(ids)}::uuid[]))) IS TRUE
      LIMIT 1), false))`;
  const from =
    among === 'newest'
      ? `(SELECT ${keywords.length} AS matched) match CROSS JOIN
       (SELECT f.*, v.id AS version_id FROM formulas f
        JOIN formula_versions v ON v.formula_id = f.id AND v.version_number = f.current_version
        WHERE ${readable('formula', 'f')} ORDER BY f.created_at DESC, f.id LIMIT ${NEWEST}) f`
      : keywords.length > 0
        ? `(${matches()}) match JOIN formulas f ON f.id = match.id`
        : '(SELECT 0 AS matched) match CROSS JOIN formulas f';
  const conditions = [
    readable('formula', 'f'),
    ...(project === null ? [] : [`search_text(p.name) LIKE search_text(${bind(project)})`]),
    // A search key has U+001F after the name.
    ...(name === null ? [] : [`f.search_key LIKE search_key(${bind(name)}) || U&'\\001F%'`]),
    ...isWithin('f.updated_at', updated),
    ...isWithin('f.created_at', created),
    ...(among === 'newest' ? keywords.map(isMatched) : []),
    ...holds.map(isHeld),
    ...avoids.map((ingredients) => `NOT ${isHeld(ingredients)}`),
  ];
  const text = `
    SELECT f.id, f.name, f.description, f.current_version AS "currentVersion", match.matched,
      CASE WHEN p.id IS NULL THEN NULL ELSE json_build_object('name', p.name) END AS project
    FROM ${from}
    LEFT JOIN projects p ON p.id = f.project_id AND ${readable('project', 'p')}
    WHERE ${conditions.join(' AND ')}
    ORDER BY match.matched DESC, f.created_at DESC, f.id LIMIT ${CANDIDATES}`;
  return { text, values };
}
