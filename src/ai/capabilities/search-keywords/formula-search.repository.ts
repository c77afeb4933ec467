import { Injectable } from '@nestjs/common';
import { containing, hasTrigram } from '../../../common/search-pattern';
import { DatabaseService } from '../../../database/database.service';
import type { RowCondition, RowFilter } from '../../../database/row-filter';
import { type SearchFilters } from './search-keywords';
import { type CandidateQuestion, type NamedIngredients, type WantedKeyword } from './candidate-question';
import {
  byFilters,
  CANDIDATES,
  type CandidateStatement,
  matchingAll,
  matchingAmongFew,
  matchingAny,
} from './candidate-statements';

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
  createdAt: Date;
}

/** A keyword is broad when more ingredients than this have it in their names: they are not listed. */
const BROAD = 300;
/** Filters leave few formulas when no more ingredients than this can meet one of them. */
const FEW = 100;

/** $1: LIKE patterns; $2: whether the trigram index serves each: else names are read until it is enough. */
const namedIngredients = (readable: RowCondition): string => `WITH terms AS MATERIALIZED (
           SELECT search_key(written) AS pattern, "isIndexed", number
           FROM unnest($1::text[], $2::boolean[]) WITH ORDINALITY AS asked (written, "isIndexed", number))
         SELECT coalesce(array_agg(found.id) FILTER (WHERE found.id IS NOT NULL), '{}')::text AS ids,
                count(found.id)::int AS count
         FROM terms LEFT JOIN LATERAL (
           SELECT i.id FROM ingredients i
           WHERE "isIndexed" AND i.search_key LIKE pattern AND ${readable.sql}
           UNION ALL
           SELECT i.id FROM ingredients i
           WHERE NOT "isIndexed" AND i.search_key || '' LIKE pattern AND ${readable.sql}
           LIMIT ${BROAD + 1}) AS found ON true
         GROUP BY number ORDER BY number`;

/** $1: category. */
const categoryIngredients = (
  readable: RowCondition,
): string => `SELECT coalesce(array_agg(id), '{}')::text AS ids, count(*)::int AS count
         FROM (SELECT i.id FROM ingredients i
               WHERE i.function_category = $1 AND ${readable.sql} LIMIT ${BROAD + 1}) found`;

interface FoundIngredients {
  ids: string;
  count: number;
}

/** Whether the database has pgvector (set up at start, where the server offers it). */
const HAS_VECTOR = {
  name: 'ai-search.has-vector',
  text: `SELECT to_regtype('vector') IS NOT NULL AS there`,
};

/**
 * With pgvector: its cosine distance, over the candidates only, so that no second copy of the vectors is
 * kept.
 */
const VECTOR_SIMILARITY = {
  name: 'ai-search.vector-similarity',
  text: `SELECT id, 1 - (embedding::vector(1536) <=> $3::real[]::vector(1536)) AS similarity
         FROM formulas
         WHERE id = ANY ($1::uuid[]) AND embedding_maker = $2 AND embedding IS NOT NULL`,
};

/**
 * Without it: embeddings and the query are unit vectors, so their cosine is the sum of products. The query's
 * is mostly zeros (a phrase has few features): only the others are looked at. The vectors are unpacked once
 * each.
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

  constructor(private readonly database: DatabaseService) {}

  /**
   * Formulas that match a keyword in their name, description or the ingredient names of their current
   * version, and meet all filters; more matched keywords first, then newest. Without keywords the filters
   * alone decide.
   */
  async candidates(
    filter: RowFilter,
    keywords: readonly string[],
    filters: SearchFilters,
  ): Promise<Candidate[]> {
    return this.answering(filter, await this.question(filter, keywords, filters));
  }

  /** The same for what rules have understood. */
  async answering(filter: RowFilter, question: CandidateQuestion): Promise<Candidate[]> {
    if (question.holds.some(({ count }) => count === 0)) return [];
    if (question.keywords.length === 0) return this.run(byFilters(filter, question));
    const broad = question.keywords.filter(({ count }) => count > BROAD);
    if (broad.length === 0) return this.run(matchingAny(filter, question));
    if (question.name !== null || question.holds.some(({ count }) => count <= FEW))
      return this.run(matchingAmongFew(filter, question));
    return (await this.newestFirst(filter, question, broad)) ?? this.run(matchingAny(filter, question));
  }

  /**
   * Where broad keywords match nearly everything, the newest formulas that match all of them are found soon;
   * only a formula that matches one of the other keywords can come before or among them. Undefined when they
   * are not found soon.
   */
  private async newestFirst(
    filter: RowFilter,
    question: CandidateQuestion,
    broad: readonly WantedKeyword[],
  ): Promise<Candidate[] | undefined> {
    const matchingBroad = await this.run(matchingAll(filter, { ...question, keywords: broad }));
    if (matchingBroad.length < CANDIDATES) return undefined;
    const others = question.keywords.filter((keyword) => !broad.includes(keyword));
    if (others.length === 0) return matchingBroad;
    const matchingOthers = await this.run(matchingAmongFew(filter, question, others));
    // A formula in both lists is counted right in the second.
    const best = new Map([...matchingBroad, ...matchingOthers].map((candidate) => [candidate.id, candidate]));
    return [...best.values()].sort(bestFirst).slice(0, CANDIDATES);
  }

  /** What keywords and filters ask for, their ingredients looked up. */
  async question(
    filter: RowFilter,
    keywords: readonly string[],
    filters: SearchFilters,
  ): Promise<CandidateQuestion> {
    const contains = filters.contains ?? [];
    const avoids = filters.avoids ?? [];
    const terms = [...keywords, ...contains, ...avoids];
    const patterns = terms.map(containing);
    const indexed = terms.map(hasTrigram);
    const readable = filter.for('ingredient', 'i', 3);
    const found = await this.database.query<FoundIngredients>(
      { name: filter.named('ai-search.named-ingredients'), text: namedIngredients(readable) },
      [patterns, indexed, ...readable.values],
    );
    const named = found.map((ingredients, at) => ({
      ...listed(ingredients),
      property: { pattern: patterns[at] as string },
      isIndexed: indexed[at] as boolean,
    }));
    const held = keywords.length + contains.length;
    return {
      keywords: named.slice(0, keywords.length).map(({ isIndexed, ...keyword }) => ({
        ...keyword,
        texts: [{ pattern: keyword.property.pattern, isIndexed }],
      })),
      holds: [
        ...named.slice(keywords.length, held),
        ...(filters.category ? [await this.ofCategory(filter, filters.category)] : []),
      ],
      avoids: named.slice(held).filter(({ count }) => count > 0),
      project: filters.project ? containing(filters.project) : null,
      name: filters.name ? containing(filters.name) : null,
    };
  }

  private async ofCategory(filter: RowFilter, category: string): Promise<NamedIngredients> {
    const readable = filter.for('ingredient', 'i', 2);
    const [found] = await this.database.query<FoundIngredients>(
      { name: filter.named('ai-search.category-ingredients'), text: categoryIngredients(readable) },
      [category, ...readable.values],
    );
    return { ...listed(found as FoundIngredients), property: { category } };
  }

  private run({ text, values }: CandidateStatement): Promise<Candidate[]> {
    return this.database.query<Candidate>({ text }, values);
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

const listed = ({ ids, count }: FoundIngredients) => (count > BROAD ? { count } : { count, ids });

interface Similarity {
  id: string;
  similarity: number;
}

/** A vector without any feature is like nothing: pgvector says NaN then. */
const similaritiesOf = (rows: readonly Similarity[]): Map<string, number> =>
  new Map(
    rows.filter(({ similarity }) => !Number.isNaN(similarity)).map(({ id, similarity }) => [id, similarity]),
  );

/** The order of the statements: more matched keywords, then newest, then by id. */
function bestFirst(a: Candidate, b: Candidate): number {
  return b.matched - a.matched || b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? -1 : 1);
}
