import type { Pool } from 'pg';
import { EmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres';

/**
 * A process that looks at the formulas in an embedded directory and says `found <JSON>`, then writes more, of
 * several rows each, as fast as it can, and says `ack <formula> <version>` after each confirmed commit. Made
 * to be killed.
 *
 *     node -r scripts/typescript.cjs test/support/formula-writer.ts <directory> [no-template]
 */
const [directory, template] = process.argv.slice(2);

const WRITERS = 4;

/** Lines that every version of a formula has. */
export const LINES = 6;

const SCHEMA = `
  create table if not exists formulas (id int primary key, current_version int not null);
  create table if not exists versions (formula int references formulas, version int, primary key (formula, version));
  create table if not exists lines (formula int, version int, position int, name text not null,
    primary key (formula, version, position), foreign key (formula, version) references versions);
  create index if not exists lines_name on lines (name)`;

async function main(): Promise<void> {
  const embedded = await EmbeddedPostgres.open({
    dataDir: directory,
    ...(template === 'no-template' ? { templateFile: null } : {}),
  });
  const pool = new embedded.driver.Pool({ max: WRITERS });
  await pool.query(SCHEMA);
  const { rows } = await pool.query<{ next: number }>(
    'select coalesce(max(id), 0) + 1 as next from formulas',
  );
  let next = rows[0]!.next;
  process.stdout.write(`found ${JSON.stringify(await inspect(pool))}\n`);
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let round = 0; ; round += 1) {
        const formula = next++;
        await write(pool, formula, 1);
        await write(pool, formula, 2);
        if (writer === 0 && round % 20 === 19) await pool.query('checkpoint');
      }
    }),
  );
}

async function write(pool: Pool, formula: number, version: number): Promise<void> {
  const client = await pool.connect();
  await client.query('begin');
  await client.query(
    'insert into formulas values ($1, $2) on conflict (id) do update set current_version = excluded.current_version',
    [formula, version],
  );
  await client.query('insert into versions values ($1, $2)', [formula, version]);
  for (let position = 1; position <= LINES; position += 1) {
    await client.query({
      name: 'insert-line',
      text: 'insert into lines values ($1, $2, $3, $4)',
      values: [formula, version, position, `成分 ${formula}-${position} ${'x'.repeat(200)}`],
    });
  }
  await client.query('commit');
  client.release();
  process.stdout.write(`ack ${formula} ${version}\n`);
}

export interface Findings {
  /** Lines of every version, by `<formula> <version>`. */
  versions: Record<string, number>;
  /** Formulas whose current version is not their last. */
  contradictions: number;
  /** Lines as the index and as the table know them. */
  indexed: number;
  stored: number;
}

async function inspect(pool: Pool): Promise<Findings> {
  const { rows } = await pool.query<{ version: string; lines: number }>(
    `select v.formula || ' ' || v.version as version, count(l)::int as lines
       from versions v left join lines l using (formula, version) group by v.formula, v.version`,
  );
  const contradictions = await pool.query(
    `select * from formulas f where current_version <> (select count(*) from versions where formula = f.id)`,
  );
  const countLines = "select count(*)::int as n from lines where name > ''";
  const client = await pool.connect();
  await client.query('set enable_seqscan = off');
  const indexed = await client.query<{ n: number }>(countLines);
  await client.query('set enable_seqscan = on; set enable_indexscan = off; set enable_bitmapscan = off');
  const stored = await client.query<{ n: number }>(countLines);
  await client.query('reset all');
  client.release();
  return {
    versions: Object.fromEntries(rows.map(({ version, lines }) => [version, lines])),
    contradictions: contradictions.rows.length,
    indexed: indexed.rows[0]!.n,
    stored: stored.rows[0]!.n,
  };
}

if (require.main === module) void main();
