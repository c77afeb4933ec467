import { Injectable } from '@nestjs/common';
import type { RowFilter } from '../../../platform/access/row-filter';
import { DatabaseService } from '../../../platform/database/database.service';

export interface FoundName {
  /** The name that was looked up. */
  requested: string;
  inciName: string;
  chineseName: string;
}

/** Looks up names in the catalogue, with one statement for all names. */
@Injectable()
export class IngredientNamesRepository {
  constructor(private readonly database: DatabaseService) {}

  /**
   * Returns the entries whose names may differ only in spelling; an entry may occur twice. Names that are equal
   * regardless of case come first, then the most similar, then the oldest. Both keys of a name are looked up in
   * the index on `name_keys`, with at most 200 entries per key: more entries would not be spellings of one name.
   */
  near(
    filter: RowFilter,
    column: 'inci_name' | 'chinese_name',
    names: readonly string[],
  ): Promise<FoundName[]> {
    const readable = filter.for('ingredient', 'i', 2);
    return this.database.query<FoundName>(
      {
        name: filter.named(`extraction.near.${column}`),
        text: `
          WITH wanted AS MATERIALIZED (
            SELECT requested, number, name_keys(requested) AS keys
            FROM unnest($1::text[]) WITH ORDINALITY AS named (requested, number))
          SELECT requested, near.inci_name AS "inciName", near.chinese_name AS "chineseName"
          FROM wanted CROSS JOIN LATERAL (
            SELECT i.*, lower(i.${column}) = lower(requested) AS same, similarity(i.${column}, requested) AS likeness
            FROM (
              (SELECT i.* FROM ingredients i
               WHERE name_keys(i.${column}) @> ARRAY[wanted.keys[1]] AND ${readable.sql} LIMIT 200)
              UNION ALL
              (SELECT i.* FROM ingredients i
               WHERE name_keys(i.${column}) @> ARRAY[wanted.keys[2]] AND ${readable.sql} LIMIT 200)) i
            ORDER BY same DESC, likeness DESC, i.created_at, i.id
            LIMIT 10) AS near
          ORDER BY number, same DESC, likeness DESC, near.created_at, near.id`,
      },
      [names, ...readable.values],
    );
  }
}
