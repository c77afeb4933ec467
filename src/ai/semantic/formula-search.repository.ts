import { Injectable } from '@nestjs/common';
import { containing } from '../../common/search-pattern';
import { Database } from '../../database/database';
import { type SearchFilters } from '../capabilities/search-keywords';

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

/** More than are shown, so that the likest of equally good ones can be chosen. */
const CANDIDATES = 200;

const LINES_OF_CURRENT = `
  FROM formula_versions v
  JOIN formula_ingredients l ON l.formula_version_id = v.id
  JOIN ingredients i ON i.id = l.ingredient_id
  WHERE v.formula_id = f.id AND v.version_number = f.current_version`;

const NAMED = 'i.search_key LIKE search_key(pattern)';

/** Parameters from $2 on; null or an empty list means no such condition. */
const FILTERS = `
  ($2::text IS NULL OR EXISTS (SELECT ${LINES_OF_CURRENT} AND i.function_category = $2))
  AND ($3::text IS NULL OR p.name ILIKE $3)
  AND ($4::text IS NULL OR f.name ILIKE $4)
  AND NOT EXISTS (SELECT FROM unnest($5::text[]) AS pattern
                  WHERE NOT EXISTS (SELECT ${LINES_OF_CURRENT} AND ${NAMED}))
  AND NOT EXISTS (SELECT FROM unnest($6::text[]) AS pattern
                  WHERE EXISTS (SELECT ${LINES_OF_CURRENT} AND ${NAMED}))`;

const COLUMNS = `f.id, f.name, f.description, f.current_version AS "currentVersion",
  CASE WHEN p.id IS NULL THEN NULL ELSE json_build_object('name', p.name) END AS project`;

const BY_KEYWORDS = {
  name: 'ai-search.by-keywords',
  text: `WITH wanted AS (SELECT * FROM unnest($1::text[]) WITH ORDINALITY AS k (pattern, number)),
              hits AS (
                SELECT f.id, number FROM wanted JOIN formulas f ON f.search_key LIKE search_key(pattern)
                UNION
                SELECT f.id, number
                FROM wanted
                JOIN ingredients i ON ${NAMED}
                JOIN formula_ingredients l ON l.ingredient_id = i.id
                JOIN formula_versions v ON v.id = l.formula_version_id
                JOIN formulas f ON f.id = v.formula_id AND f.current_version = v.version_number),
              scored AS (SELECT id, count(*) AS matched FROM hits GROUP BY id)
         SELECT ${COLUMNS}, scored.matched
         FROM scored JOIN formulas f ON f.id = scored.id LEFT JOIN projects p ON p.id = f.project_id
         WHERE ${FILTERS}
         ORDER BY scored.matched DESC, f.created_at DESC, f.id
         LIMIT ${CANDIDATES}`,
};

const BY_FILTERS = {
  name: 'ai-search.by-filters',
  text: `SELECT ${COLUMNS}, 0 AS matched
         FROM formulas f LEFT JOIN projects p ON p.id = f.project_id
         WHERE $1::text[] IS NOT NULL AND ${FILTERS}
         ORDER BY f.created_at DESC, f.id
         LIMIT ${CANDIDATES}`,
};

/** Whether the database has pgvector (set up at start, where the server offers it). */
const HAS_VECTOR = {
  name: 'ai-search.has-vector',
  text: `SELECT to_regtype('vector') IS NOT NULL AS there`,
};

/** With pgvector: its cosine distance, over the candidates only, so that no second copy of the vectors is kept. */
const VECTOR_SIMILARITY = {
  name: 'ai-search.vector-similarity',
  text: `SELECT id, 1 - (embedding::vector(1536) <=> $3::real[]::vector(1536)) AS similarity
         FROM formulas
         WHERE id = ANY ($1::uuid[]) AND embedding_maker = $2 AND embedding IS NOT NULL`,
};

/**
 * Without it: embeddings and the query are unit vectors, so their cosine is the sum of products. The query's is mostly zeros (a phrase has few
 * features): only the others are looked at. The vectors are unpacked once each.
 */
const SIMILARITY = {
  name: 'ai-search.similarity',
  text: `WITH vectors AS MATERIALIZED (
           SELECT id, embedding || '{}'::real[] AS vector FROM formulas
           WHERE id = ANY ($1::uuid[]) AND embedding_maker = $2)
         SELECT id, sum(vector[place] * weight)::float8 AS similarity
         FROM vectors CROSS JOIN unnest($3::integer[], $4::real[]) AS query (place, weight)
         GROUP BY id`,
};

@Injectable()
export class FormulaSearchRepository {
  private vector: boolean | undefined;

  constructor(private readonly database: Database) {}

  /**
   * Formulas that match a keyword in their name, description or the ingredient names of their current version, and meet all filters;
   * more matched keywords first, then newest. Without keywords the filters alone decide.
   */
  candidates(keywords: readonly string[], filters: SearchFilters): Promise<Candidate[]> {
    const pattern = (text: string | null | undefined): string | null => (text ? containing(text) : null);
    return this.database.query<Candidate>(keywords.length > 0 ? BY_KEYWORDS : BY_FILTERS, [
      keywords.map(containing),
      filters.category ?? null,
      pattern(filters.project),
      pattern(filters.name),
      (filters.contains ?? []).map(containing),
      (filters.avoids ?? []).map(containing),
    ]);
  }

  /** Cosine of each formula's embedding to the query; formulas without one by this maker are missing. */
  async similarities(
    ids: readonly string[],
    maker: string,
    query: Float32Array,
  ): Promise<Map<string, number>> {
    if (await this.hasVector()) {
      return similaritiesOf(
        await this.database.query<Similarity>(VECTOR_SIMILARITY, [ids, maker, `{${query.join(',')}}`]),
      );
    }
    const places: number[] = [];
    const weights: number[] = [];
    for (const [at, weight] of query.entries()) {
      if (weight === 0) continue;
      places.push(at + 1);
      weights.push(weight);
    }
    return similaritiesOf(await this.database.query<Similarity>(SIMILARITY, [ids, maker, places, weights]));
  }

  /** Asked once: an extension does not come or go while the service runs. */
  private async hasVector(): Promise<boolean> {
    this.vector ??= (await this.database.query<{ there: boolean }>(HAS_VECTOR))[0]?.there ?? false;
    return this.vector;
  }
}

interface Similarity {
  id: string;
  similarity: number;
}

/** A vector without any feature is like nothing: pgvector says NaN then. */
const similaritiesOf = (rows: readonly Similarity[]): Map<string, number> =>
  new Map(
    rows.filter(({ similarity }) => !Number.isNaN(similarity)).map(({ id, similarity }) => [id, similarity]),
  );
