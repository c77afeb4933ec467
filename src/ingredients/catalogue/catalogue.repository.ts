import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import type { CatalogueChange, CatalogueCreation, CatalogueRecord } from './import-plan';
import type { IngredientDraft } from './ingredient-row';

/** What `String.prototype.trim` takes away, so that a key is the same here and there. */
const WHITE_SPACE =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

const RECORD = `i.id, i.inci_name AS "inciName", i.chinese_name AS "chineseName",
  i.function_category AS "functionCategory", i.supplier, i.unit, i.unit_price AS "unitPrice", i.description`;

// Writers of ingredients wait until the import is through, readers and formulas do not: what was matched is then
// still so when it is written.
const LOCK = { name: 'catalogue.lock', text: 'LOCK TABLE ingredients IN SHARE ROW EXCLUSIVE MODE' };

const BY_NAME = {
  name: 'catalogue.by-name',
  text: `SELECT k.position, ${RECORD}
           FROM unnest($1::text[]) WITH ORDINALITY AS k (inci_name, position)
           JOIN ingredients i ON lower(btrim(i.inci_name, $2)) = lower(k.inci_name)
          ORDER BY k.position`,
};

const BY_NAME_AND_SUPPLIER = {
  name: 'catalogue.by-name-and-supplier',
  text: `SELECT k.position, ${RECORD}
           FROM unnest($1::text[], $3::text[]) WITH ORDINALITY AS k (inci_name, supplier, position)
           JOIN ingredients i ON lower(btrim(i.inci_name, $2)) = lower(k.inci_name)
                             AND btrim(coalesce(i.supplier, ''), $2) = coalesce(k.supplier, '')
          ORDER BY k.position`,
};

const INSERT = {
  name: 'catalogue.insert',
  text: `INSERT INTO ingredients
           (inci_name, chinese_name, function_category, supplier, unit, unit_price, description)
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::numeric[], $7::text[])`,
};

const UPDATE = {
  name: 'catalogue.update',
  text: `UPDATE ingredients i
            SET chinese_name = coalesce(u.chinese_name, i.chinese_name),
                function_category = coalesce(u.function_category, i.function_category),
                unit = coalesce(u.unit, i.unit),
                unit_price = coalesce(u.unit_price, i.unit_price),
                description = coalesce(u.description, i.description)
           FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::numeric[], $6::text[])
                AS u (id, chinese_name, function_category, unit, unit_price, description)
          WHERE i.id = u.id`,
};

const SNAPSHOT = {
  name: 'catalogue.snapshot',
  text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY',
};

const PAGE = {
  name: 'catalogue.page',
  text: `SELECT ${RECORD}, lower(i.inci_name) AS "sortName" FROM ingredients i
          WHERE $1::text IS NULL OR (lower(i.inci_name), i.id) > ($1, $2::uuid)
          ORDER BY lower(i.inci_name), i.id LIMIT $3`,
};

const PAGE_ROWS = 1000;

/** Statements over the whole catalogue: for many rows at once, never one by one. */
@Injectable()
export class CatalogueRepository {
  constructor(private readonly database: Database) {}

  transaction<T>(work: () => Promise<T>): Promise<T> {
    return this.database.transaction(work);
  }

  /** Keeps others from writing ingredients until the current transaction ends. */
  async lock(): Promise<void> {
    await this.database.query(LOCK);
  }

  /** For each draft, in the same order, the records with its key. */
  async findMatches(drafts: readonly IngredientDraft[]): Promise<CatalogueRecord[][]> {
    const names = drafts.map(({ inciName }) => inciName);
    const withSupplier = drafts.some(({ supplier }) => supplier !== undefined);
    const rows = await this.database.query<CatalogueRecord & { position: number }>(
      withSupplier ? BY_NAME_AND_SUPPLIER : BY_NAME,
      withSupplier
        ? [names, WHITE_SPACE, drafts.map(({ supplier }) => supplier ?? null)]
        : [names, WHITE_SPACE],
    );
    const matches = drafts.map((): CatalogueRecord[] => []);
    for (const { position, ...record } of rows) matches[position - 1]?.push(record);
    return matches;
  }

  async insert(creations: readonly CatalogueCreation[]): Promise<void> {
    await this.database.query(INSERT, [
      creations.map((row) => row.inciName),
      creations.map((row) => row.chineseName),
      creations.map((row) => row.functionCategory),
      creations.map((row) => row.supplier),
      creations.map((row) => row.unit),
      creations.map((row) => row.unitPrice),
      creations.map((row) => row.description),
    ]);
  }

  async update(changes: readonly CatalogueChange[]): Promise<void> {
    await this.database.query(UPDATE, [
      changes.map((row) => row.id),
      changes.map((row) => row.chineseName),
      changes.map((row) => row.functionCategory),
      changes.map((row) => row.unit),
      changes.map((row) => row.unitPrice),
      changes.map((row) => row.description),
    ]);
  }

  /** All ingredients by INCI name, as they were at one moment, page by page. */
  async eachPage(take: (records: CatalogueRecord[]) => Promise<void>): Promise<void> {
    await this.database.transaction(async () => {
      await this.database.query(SNAPSHOT);
      let last: { sortName: string; id: string } | undefined;
      for (;;) {
        const page: (CatalogueRecord & { sortName: string })[] = await this.database.query(PAGE, [
          last?.sortName ?? null,
          last?.id ?? null,
          PAGE_ROWS,
        ]);
        if (page.length > 0) await take(page);
        last = page.at(-1);
        if (page.length < PAGE_ROWS) return;
      }
    });
  }
}
