import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';

export type NameColumn = 'inciName' | 'chineseName';

/** The catalogue's entry that comes nearest to a name. */
export interface NearestName {
  /** The name that was asked for. */
  asked: string;
  inciName: string;
  chineseName: string;
}

const COLUMN: Record<NameColumn, string> = { inciName: 'inci_name', chineseName: 'chinese_name' };

/** `%` uses the trigram index with pg_trgm's own threshold (0.3); what is near enough is decided by the caller. */
const nearest = (column: NameColumn) => ({
  name: `catalogue.nearest.${column}`,
  text: `SELECT asked, near.inci_name AS "inciName", near.chinese_name AS "chineseName"
         FROM unnest($1::text[]) AS asked
         CROSS JOIN LATERAL (
           SELECT i.inci_name, i.chinese_name FROM ingredients i
           WHERE i.${COLUMN[column]} % asked
           ORDER BY lower(i.${COLUMN[column]}) = lower(asked) DESC, similarity(i.${COLUMN[column]}, asked) DESC, i.created_at, i.id
           LIMIT 5) AS near`,
});

const NEAREST: Record<NameColumn, { name: string; text: string }> = {
  inciName: nearest('inciName'),
  chineseName: nearest('chineseName'),
};

@Injectable()
export class CatalogueRepository {
  constructor(private readonly database: Database) {}

  /** Up to five entries for each name, the nearest first. */
  nearest(column: NameColumn, names: readonly string[]): Promise<NearestName[]> {
    return this.database.query<NearestName>(NEAREST[column], [names]);
  }
}
