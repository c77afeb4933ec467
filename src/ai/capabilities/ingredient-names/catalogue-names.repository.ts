import { Injectable } from '@nestjs/common';
import type { RowCondition, RowFilter } from '../../../platform/access/row-filter';
import { DatabaseService } from '../../../platform/database/database.service';
import { inTurns } from '../../../platform/common/in-turns';
import { type NamedIngredient } from './ingredient-names';
import { inSearchKey, PLAIN_KEYS, plainKey } from './name-keys';
import { pricePerKg } from './raw-material-cost';

/** Maximum number of records per name. Names with more records hardly identify an ingredient. */
const MOST_OF_A_NAME = 20;

/** A subquery, so that PostgreSQL hashes the keys. It compares with each element of an array parameter in turn. */
const KEYS = 'SELECT unnest($1::text[])';
const FIRST = `split_part(keys, U&'\\001F', 1)`;
const SECOND = `split_part(keys, U&'\\001F', 2)`;

/**
 * $1: keys of names, in the form of search keys. Reads all names of the catalogue in one pass: an
 * index helps neither with thousands of names nor with names that have just been imported.
 */
const named = (readable: RowCondition): string => `
  (SELECT i.*, key FROM (SELECT i.*, ${PLAIN_KEYS} AS keys FROM ingredients i
                         WHERE ${readable.sql} OFFSET 0) i
   CROSS JOIN LATERAL (SELECT ${FIRST} UNION SELECT ${SECOND}) named (key)
   WHERE (${FIRST} IN (${KEYS}) OR ${SECOND} IN (${KEYS})) AND key IN (${KEYS}))`;

interface Row {
  inciName: string;
  chineseName: string;
  unit: string;
  unitPrice: number | null;
}

/** Looks up catalogue records by name, with one statement for all names. */
@Injectable()
export class CatalogueNamesRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns the records that have one of these names in either language, ignoring spaces, hyphens and case. */
  async named(filter: RowFilter, names: readonly string[]): Promise<NamedIngredient[]> {
    const keys = await inTurns(names, (name) => inSearchKey(plainKey(name)));
    const readable = filter.for('ingredient', 'i', 2);
    const rows = await this.database.query<Row>(
      {
        name: filter.named('ai.catalogue-names'),
        text: `
          SELECT DISTINCT inci_name AS "inciName", chinese_name AS "chineseName", unit,
            unit_price::float8 AS "unitPrice"
          FROM (SELECT *, row_number() OVER (PARTITION BY key ORDER BY created_at, id) AS place
                FROM ${named(readable)} named) found
          WHERE place <= ${MOST_OF_A_NAME}`,
      },
      [[...new Set(keys)], ...readable.values],
    );
    return rows.map(({ inciName, chineseName, unit, unitPrice }) => ({
      inciName,
      chineseName,
      pricePerKg: pricePerKg(unitPrice, unit),
    }));
  }
  /** Returns the ids of the records with a name of each key (`plainKey`), as a PostgreSQL array per key. */
  async idsOf(filter: RowFilter, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const keysByStored = new Map(keys.map((key) => [inSearchKey(key), key]));
    const readable = filter.for('ingredient', 'i', 2);
    const rows = await this.database.query<{ key: string; ids: string }>(
      {
        name: filter.named('ai.catalogue-ids'),
        text: `SELECT key, array_agg(id)::text AS ids FROM ${named(readable)} named GROUP BY key`,
      },
      [[...keysByStored.keys()], ...readable.values],
    );
    return new Map(rows.map(({ key, ids }) => [keysByStored.get(key)!, ids]));
  }
}
