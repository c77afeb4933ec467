import { Injectable } from '@nestjs/common';
import type { RowFilter } from '../../../access/row-filter';
import { DatabaseService } from '../../../database/database.service';
import { allCandidates, CANDIDATES, newestCandidates } from './formula-candidates.sql';
import type { NamedIngredients, SearchQuestion } from './search-question';

export interface FoundFormula {
  id: string;
  name: string;
  description: string | null;
  currentVersion: number;
  project: { name: string } | null;
}

export interface Candidate extends FoundFormula {
  /** How many of the keywords it matches. */
  matched: number;
}

/** One way in which a term may stand for ingredients. */
export interface IngredientLookup {
  /** Number of the term among those of its list. */
  readonly term: number;
  /** As a PostgreSQL array. */
  readonly ids?: string;
  /** LIKE pattern of the names. */
  readonly pattern?: string;
  /** Regular expression that the names must match as well. */
  readonly regex?: string | null;
  readonly category?: string;
}

export interface FoundIngredients extends NamedIngredients {
  /** How many of the terms stand for anything. */
  readonly termsFound: number;
}

/** A word is common when more ingredients than this have it in their names. */
const COMMON = 300;

@Injectable()
export class FormulaSearchRepository {
  constructor(private readonly database: DatabaseService) {}

  /** The ingredients of each list of terms together. */
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

  /** The formulas that match a keyword and meet all filters, the best first. */
  async candidates(filter: RowFilter, question: SearchQuestion): Promise<Candidate[]> {
    if (question.holds.some(({ count }) => count === 0)) return [];
    // For a word that many ingredients have in their names, reading all lines takes several times as long.
    if (question.keywords.some(({ count }) => count > COMMON)) {
      const { text, values } = newestCandidates(filter, question);
      const newest = await this.database.query<Candidate>({ text }, values);
      if (newest.length === CANDIDATES) return newest;
    }
    const { text, values } = allCandidates(filter, question);
    return this.database.query<Candidate>({ text }, values);
  }

  /**
   * Cosine of each formula's embedding to the query; formulas without one by this maker are missing. Both are unit
   * vectors, so it is the sum of products. Only what of the query is not zero counts: a phrase has few features.
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
        // The concatenation unpacks each vector once, and not once for each feature.
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
