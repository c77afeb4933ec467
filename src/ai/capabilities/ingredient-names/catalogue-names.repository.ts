import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';
import type { ReadAccess } from '../../../database/read-access';
import { readable } from '../../../database/readable';
import { type NamedIngredient } from './ingredient-names';
import { pricePerKg } from './price-per-kg';

/** A name of more records than this says too little about what it is. */
const MOST_OF_A_NAME = 20;

const named = (column: 'inci_name' | 'chinese_name'): string => `
  (SELECT i.inci_name, i.chinese_name, i.unit, i.unit_price FROM ingredients i
   WHERE name_keys(i.${column}) @> ARRAY[key] AND (name_keys(i.${column}))[1] = key
     AND ${readable.ingredient('i')}
   ORDER BY i.created_at, i.id LIMIT ${MOST_OF_A_NAME})`;

/** $1: names. The indexes of `name_keys` lead to each (migration `SearchWords`). */
const BY_NAMES = {
  name: 'ai.catalogue-names',
  mayLag: true,
  text: `WITH asked AS MATERIALIZED (
           SELECT DISTINCT (name_keys(written))[1] AS key FROM unnest($1::text[]) AS names (written))
         SELECT DISTINCT found.inci_name AS "inciName", found.chinese_name AS "chineseName", found.unit,
                found.unit_price::float8 AS "unitPrice"
         FROM asked CROSS JOIN LATERAL (${named('inci_name')} UNION ALL ${named('chinese_name')}) found
         WHERE key <> ''`,
};

interface Row {
  inciName: string;
  chineseName: string;
  unit: string;
  unitPrice: number | null;
}

/** Records of the catalogue by their names, one statement for all that are asked for. */
@Injectable()
export class CatalogueNamesRepository {
  constructor(private readonly database: Database) {}

  /** Records that have one of these names, in either language, whatever their spaces, hyphens and case. */
  async named(access: ReadAccess, names: readonly string[]): Promise<NamedIngredient[]> {
    const rows = await this.database.query<Row>(...access.reading(BY_NAMES, [names]));
    return rows.map(({ inciName, chineseName, unit, unitPrice }) => ({
      inciName,
      chineseName,
      pricePerKg: pricePerKg(unitPrice, unit),
    }));
  }
}
