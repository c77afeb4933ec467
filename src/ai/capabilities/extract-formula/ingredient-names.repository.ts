import { Injectable } from '@nestjs/common';
import { containing } from '../../../common/search-pattern';
import { Database } from '../../../database/database';

export interface FoundName {
  /** The name that was asked for. */
  asked: string;
  inciName: string;
  chineseName: string;
}

const FOUND = 'i.inci_name AS "inciName", i.chinese_name AS "chineseName"';

const BY_INCI = {
  name: 'extraction.by-inci-name',
  text: `SELECT asked, ${FOUND} FROM unnest($1::text[]) AS asked
         JOIN ingredients i ON lower(i.inci_name) = lower(asked) ORDER BY i.created_at, i.id`,
};

/** The search key has the index; it holds the INCI name too, so the name itself is compared after it. */
const BY_CHINESE = {
  name: 'extraction.by-chinese-name',
  text: `SELECT asked, ${FOUND} FROM unnest($1::text[], $2::text[]) AS name (asked, pattern)
         JOIN ingredients i ON i.search_key LIKE search_key(pattern) AND lower(i.chinese_name) = lower(asked)
         ORDER BY i.created_at, i.id`,
};

/**
 * `%>` uses the index of the search keys with pg_trgm's own threshold (0.6); what is near enough is decided
 * by the caller.
 */
const near = (column: 'inci_name' | 'chinese_name') => ({
  name: `extraction.near.${column}`,
  text: `SELECT asked, near."inciName", near."chineseName"
         FROM unnest($1::text[]) AS asked
         CROSS JOIN LATERAL (
           SELECT ${FOUND} FROM ingredients i
           WHERE i.search_key %> search_key(asked)
           ORDER BY similarity(i.${column}, asked) DESC, i.created_at, i.id
           LIMIT 5) AS near`,
});
const NEAR_INCI = near('inci_name');
const NEAR_CHINESE = near('chinese_name');

@Injectable()
export class IngredientNamesRepository {
  constructor(private readonly database: Database) {}

  /** Entries whose INCI name is one of these, regardless of case; the oldest first. */
  byInciName(names: readonly string[]): Promise<FoundName[]> {
    return this.database.query<FoundName>(BY_INCI, [names]);
  }

  /** Entries whose Chinese name is one of these; the oldest first. */
  byChineseName(names: readonly string[]): Promise<FoundName[]> {
    return this.database.query<FoundName>(BY_CHINESE, [names, names.map(containing)]);
  }

  /** Up to five entries with a similar INCI name for each of these, the most similar first. */
  nearInciName(names: readonly string[]): Promise<FoundName[]> {
    return this.database.query<FoundName>(NEAR_INCI, [names]);
  }

  /** The same for Chinese names. */
  nearChineseName(names: readonly string[]): Promise<FoundName[]> {
    return this.database.query<FoundName>(NEAR_CHINESE, [names]);
  }
}
