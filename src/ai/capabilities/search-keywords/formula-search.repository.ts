import { Injectable } from '@nestjs/common';
import type { RowFilter } from '../../../platform/access/row-filter';
import { DatabaseService } from '../../../platform/database/database.service';
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

/** A word is common if more ingredients than this contain it in their names. */
const COMMON = 300;

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
  async candidates(filter: RowFilter, question: SearchQuestion): Promise<Candidate[]> {
    if (question.holds.some(({ count }) => count === 0)) return [];
    // For a word in the names of many ingredients, reading all lines takes several times as long.
    if (question.keywords.some(({ count }) => count > COMMON)) {
      const { text, values } = newestCandidates(filter, question);
      const newest = await this.database.query<Candidate>({ text }, values);
      if (newest.length === CANDIDATES) return newest;
    }
    const { text, values } = allCandidates(filter, question);
    return this.database.query<Candidate>({ text }, values);
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
