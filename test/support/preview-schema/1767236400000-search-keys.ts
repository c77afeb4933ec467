import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Table and the columns a search looks in. */
const SEARCHED = [
  { table: 'formulas', columns: ['name', 'description'] },
  { table: 'ingredients', columns: ['inci_name', 'chinese_name'] },
] as const;

/**
 * One stored text per row that a search looks in, under a trigram index.
 *
 * `search_key(text)` is lower case with every character beyond ASCII written three times: a Chinese word of
 * two characters, or one, is ordinary, but a trigram index does not serve patterns shorter than three.
 * Written this way 保湿 is six characters, and it stands in a key exactly where it stands in the text. The
 * columns are joined by U+001F, which the function itself never yields, so that nothing is found across two
 * of them.
 *
 * A trigger keeps the column, not GENERATED ALWAYS: TypeORM would need a metadata table of its own for that.
 */
export class SearchKeys1767236400000 implements MigrationInterface {
  name = 'SearchKeys1767236400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION search_key(sought text) RETURNS text
        LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        RETURN regexp_replace(translate(lower(sought), U&'\\001F', ' '), '([^\\x01-\\x7f])', '\\1\\1\\1', 'g');
    `);
    for (const { table, columns } of SEARCHED) {
      const key = columns
        .map((column) => `coalesce(search_key(NEW.${column}), '')`)
        .join(` || U&'\\001F' || `);
      await runner.query(`
        ALTER TABLE ${table} ADD COLUMN search_key text;
        CREATE FUNCTION ${table}_search_key() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          NEW.search_key := ${key};
          RETURN NEW;
        END $$;
        CREATE TRIGGER tr_${table}_search_key BEFORE INSERT OR UPDATE OF ${columns.join(', ')} ON ${table}
          FOR EACH ROW EXECUTE FUNCTION ${table}_search_key();
        UPDATE ${table} SET ${columns[0]} = ${columns[0]};
        ALTER TABLE ${table} ALTER COLUMN search_key SET NOT NULL;
        CREATE INDEX ix_${table}_search_key ON ${table} USING gin (search_key gin_trgm_ops);
        ${columns.map((column) => `DROP INDEX ix_${table}_${column}_trgm;`).join('\n')}
      `);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { table, columns } of SEARCHED) {
      await runner.query(`
        ${columns.map((column) => `CREATE INDEX ix_${table}_${column}_trgm ON ${table} USING gin (${column} gin_trgm_ops);`).join('\n')}
        DROP TRIGGER tr_${table}_search_key ON ${table};
        DROP FUNCTION ${table}_search_key();
        ALTER TABLE ${table} DROP COLUMN search_key;
      `);
    }
    await runner.query('DROP FUNCTION search_key(text)');
  }
}
