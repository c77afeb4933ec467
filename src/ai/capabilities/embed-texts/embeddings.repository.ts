import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service';

/** A formula whose embedding is missing or out of date, and the text for the new embedding. */
export interface StaleFormula {
  id: string;
  updatedAt: Date;
  text: string;
}

export interface MadeEmbedding {
  readonly id: string;
  /** The formula's `updatedAt` when its text was read. */
  readonly stamp: Date;
  readonly vector: Float32Array;
}

const STALE = {
  name: 'embeddings.stale',
  text: `SELECT f.id, f.updated_at AS "updatedAt",
                concat_ws(E'\\n', f.name, f.description, (
                  SELECT string_agg(i.inci_name || ' ' || i.chinese_name, E'\\n' ORDER BY l.percentage DESC, l.id)
                  FROM formula_versions v
                  JOIN formula_ingredients l ON l.formula_version_id = v.id
                  JOIN ingredients i ON i.id = l.ingredient_id
                  WHERE v.formula_id = f.id AND v.version_number = f.current_version)) AS text
         FROM formulas f
         WHERE f.embedding_stamp IS DISTINCT FROM f.updated_at
         ORDER BY f.updated_at, f.id
         LIMIT $1`,
};

/** Never waits for a row, so that it cannot be part of a deadlock. */
const STORE = {
  name: 'embeddings.store',
  text: `UPDATE formulas f
         SET embedding = made.vector::real[], embedding_maker = $4, embedding_stamp = made.stamp
         FROM unnest($1::uuid[], $2::timestamptz[], $3::text[]) AS made (id, stamp, vector)
         WHERE f.id = made.id
           AND f.id IN (SELECT id FROM formulas WHERE id = ANY ($1) FOR NO KEY UPDATE SKIP LOCKED)`,
};

const FORGET = {
  name: 'embeddings.forget-other-makers',
  text: `UPDATE formulas SET embedding_stamp = NULL
         WHERE id IN (SELECT id FROM formulas
                      WHERE embedding_maker IS DISTINCT FROM $1 AND embedding_stamp IS NOT NULL
                      ORDER BY id FOR NO KEY UPDATE)`,
};

@Injectable()
export class EmbeddingsRepository {
  constructor(private readonly database: DatabaseService) {}

  stale(limit: number): Promise<StaleFormula[]> {
    return this.database.query<StaleFormula>(STALE, [limit]);
  }

  /**
   * Skips formulas that were deleted in the meantime, and leaves those that somebody is changing for the next batch.
   * Formulas that were changed stay out of date.
   */
  async store(maker: string, made: readonly MadeEmbedding[]): Promise<void> {
    await this.database.query(STORE, [
      made.map(({ id }) => id),
      made.map(({ stamp }) => stamp),
      made.map(({ vector }) => `{${vector.join(',')}}`),
      maker,
    ]);
  }

  /** Marks the embeddings of other makers as out of date. */
  async forgetOtherMakers(maker: string): Promise<void> {
    await this.database.query(FORGET, [maker]);
  }
}
