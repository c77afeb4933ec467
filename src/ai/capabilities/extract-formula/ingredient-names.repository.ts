import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';
import type { ReadAccess } from '../../../database/read-access';
import { readable } from '../../../database/readable';

export interface FoundName {
  /** The name that was asked for. */
  asked: string;
  inciName: string;
  chineseName: string;
}

/**
 * $1: names. The index of `name_keys` leads to what is the same but for spelling (migration `SearchWords`),
 * under either key; so many under one key are no spellings of a name any more.
 */
const near = (column: 'inci_name' | 'chinese_name') => {
  const under = (key: number) =>
    `(SELECT i.* FROM ingredients i
      WHERE name_keys(i.${column}) @> ARRAY[wanted.keys[${key}]] AND ${readable.ingredient('i')} LIMIT 200)`;
  return {
    name: `extraction.near.${column}`,
    text: `WITH wanted AS MATERIALIZED (
             SELECT asked, number, name_keys(asked) AS keys
             FROM unnest($1::text[]) WITH ORDINALITY AS named (asked, number))
           SELECT asked, near.inci_name AS "inciName", near.chinese_name AS "chineseName"
           FROM wanted CROSS JOIN LATERAL (
             SELECT i.*, lower(i.${column}) = lower(asked) AS same, similarity(i.${column}, asked) AS likeness
             FROM (${under(1)} UNION ALL ${under(2)}) i
             ORDER BY same DESC, likeness DESC, i.created_at, i.id
             LIMIT 10) AS near
           ORDER BY number, same DESC, likeness DESC, near.created_at, near.id`,
  };
};
const NEAR_INCI = near('inci_name');
const NEAR_CHINESE = near('chinese_name');

/** Names in the catalogue, one statement for all that are asked for. */
@Injectable()
export class IngredientNamesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Entries whose INCI name may be one of these but for spelling, some of them twice: the same regardless of
   * case before the others, then the most similar, then the oldest.
   */
  nearInciName(access: ReadAccess, names: readonly string[]): Promise<FoundName[]> {
    return this.database.query<FoundName>(...access.reading(NEAR_INCI, [names]));
  }

  /** The same for Chinese names. */
  nearChineseName(access: ReadAccess, names: readonly string[]): Promise<FoundName[]> {
    return this.database.query<FoundName>(...access.reading(NEAR_CHINESE, [names]));
  }
}
