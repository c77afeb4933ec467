import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';
import type { ReadAccess } from '../../../database/read-access';
import { readable } from '../../../database/readable';
import { type NamedIngredient } from './ingredient-names';
import { NAMES_BY_KEY, plainKey } from './plain-key';
import { pricePerKg } from './price-per-kg';

/** A name of more records than this says too little about what it is. */
const MOST_OF_A_NAME = 20;

/**
 * $1: keys of names (`plainKey`). All names of the catalogue are read once: the indexes of `name_keys` do not
 * serve thousands of names, least of all soon after an import, which leaves what it brought to be sorted in.
 */
const BY_KEYS = {
  name: 'ai.catalogue-names',
  mayLag: true,
  text: `SELECT DISTINCT inci_name AS "inciName", chinese_name AS "chineseName", unit,
                unit_price::float8 AS "unitPrice"
         FROM (SELECT i.*, row_number() OVER (PARTITION BY key ORDER BY i.created_at, i.id) AS place
               FROM ingredients i CROSS JOIN LATERAL ${NAMES_BY_KEY} named (key)
               WHERE key IN (SELECT unnest($1::text[])) AND ${readable.ingredient('i')}) found
         WHERE place <= ${MOST_OF_A_NAME}`,
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
    const rows = await this.database.query<Row>(
      ...access.reading(BY_KEYS, [[...new Set(names.map(plainKey))]]),
    );
    return rows.map(({ inciName, chineseName, unit, unitPrice }) => ({
      inciName,
      chineseName,
      pricePerKg: pricePerKg(unitPrice, unit),
    }));
  }
}
