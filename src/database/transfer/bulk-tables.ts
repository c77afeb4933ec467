import type { CataloguedTable, Queries } from './table-catalogue';

/**
 * Foreign keys, indexes that hold no constraint, and triggers. Rows come with what triggers would make of
 * them; foreign keys are checked at the end, so that tables need no order; indexes are quicker built at once.
 * Those of parted tables stay: their definition alone would not make those of the parts.
 */
const FOREIGN_KEYS = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS remove,
         format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS restore
  FROM pg_constraint WHERE contype = 'f' AND conparentid = 0 AND connamespace = current_schema()::regnamespace
  ORDER BY conrelid::regclass::text, conname`;

const INDEXES = `
  SELECT format('DROP INDEX %s', i.indexrelid::regclass) AS remove, pg_get_indexdef(i.indexrelid) AS restore
  FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid JOIN pg_class c ON c.oid = i.indexrelid
  WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind = 'r' AND t.relname <> 'migrations'
    AND NOT c.relispartition AND NOT t.relispartition AND NOT i.indisreplident AND NOT i.indisclustered
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid AND contype <> 'f')
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.deptype = 'e'
                    AND d.objid IN (t.oid, c.oid))
  ORDER BY 1`;

const TRIGGERS = `
  SELECT format('ALTER TABLE %s DISABLE TRIGGER %I', tgrelid::regclass, tgname) AS remove,
         format('ALTER TABLE %s ENABLE %s TRIGGER %I', tgrelid::regclass,
                CASE tgenabled WHEN 'A' THEN 'ALWAYS' WHEN 'R' THEN 'REPLICA' ELSE '' END, tgname) AS restore
  FROM pg_trigger JOIN pg_class t ON t.oid = tgrelid
  WHERE t.relnamespace = current_schema()::regnamespace AND NOT tgisinternal AND tgenabled <> 'D' AND tgparentid = 0
  ORDER BY 1`;

/** Tables to be filled at once: what slows that down, or would do more than store rows, is out of the way. */
export class BulkTables {
  private constructor(
    private readonly queries: Queries,
    private readonly statements: readonly string[],
  ) {}

  /** Empties the tables, too. To be called within the transaction in which `restore` is. */
  static async clear(queries: Queries, tables: readonly CataloguedTable[]): Promise<BulkTables> {
    const restore: string[] = [];
    for (const found of [TRIGGERS, FOREIGN_KEYS, INDEXES]) {
      for (const statement of await queries.query<{ remove: string; restore: string }>(found)) {
        await queries.query(statement.remove);
        restore.unshift(statement.restore);
      }
    }
    for (const { quoted } of tables) await queries.query(`DELETE FROM ${quoted}`);
    return new BulkTables(queries, restore);
  }

  /** @param onStatement told how many statements have run */
  async restore(onStatement: (count: number) => void): Promise<void> {
    // A check that is put off would keep tables from being altered.
    await this.queries.query('SET CONSTRAINTS ALL IMMEDIATE');
    for (const [index, statement] of this.statements.entries()) {
      await this.queries.query(statement);
      onStatement(index + 1);
    }
  }
}
