import { randomBytes, scryptSync } from 'node:crypto';
import { createRequire } from 'node:module';
import { id, sizes, USER } from './data.mjs';

const require = createRequire(import.meta.url);
const { LOCAL_MAKER } = require('../../dist/ai/capabilities/embed-texts/feature-hash.js');

const ADJECTIVES =
  "ARRAY['Hydrating','Soothing','Brightening','Gentle','Repairing','Firming','Matte','Velvet']";
const KINDS = "ARRAY['Cream','Lotion','Serum','Gel','Cleanser','Shampoo','Toner','Mask']";
const CHINESE = "ARRAY['保湿','舒缓','亮肤','温和','修护','紧致','哑光','丝绒']";
const CHINESE_KINDS = "ARRAY['霜','乳液','精华','凝胶','洁面','洗发水','爽肤水','面膜']";
const CATEGORIES =
  "ARRAY['emulsifier','humectant','thickener','preservative','antioxidant','fragrance','colorant','ph_adjuster','sunscreen','surfactant','emollient','other']";
const pick = (array, number) => `(${array})[1 + (${number}) % array_length(${array}, 1)]`;

/** Evenly spread, repeatable numbers in [0, 1) from a seed text. */
const noise = (seed) => `(('x' || substr(md5(${seed}), 1, 8))::bit(32)::bigint & 2147483647) / 2147483648.0`;

const TABLES = [
  'ingredients',
  'formulas',
  'formula_versions',
  'formula_phases',
  'formula_ingredients',
  'color_formulas',
];

/**
 * Loads with the tables' indexes, keys and references out of the way, and puts them back: checked, and built
 * at once.
 */
async function inBulk(query, load) {
  const constraints = await query(
    `SELECT conrelid::regclass::text AS "table", conname AS name, contype AS kind, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint
     WHERE contype IN ('p', 'u', 'f') AND (conrelid = ANY ($1::regclass[]) OR confrelid = ANY ($1::regclass[]))`,
    [TABLES],
  );
  const indexes = await query(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
     FROM pg_index i WHERE indrelid = ANY ($1::regclass[])
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid AND contype IN ('p', 'u'))`,
    [TABLES],
  );
  const references = constraints.rows.filter(({ kind }) => kind === 'f');
  const keys = constraints.rows.filter(({ kind }) => kind !== 'f');
  for (const { table, name } of [...references, ...keys])
    await query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  for (const { name } of indexes.rows) await query(`DROP INDEX ${name}`);
  await load();
  const restore = ({ table, name, definition }) =>
    query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  for (const key of keys) await restore(key);
  for (const { definition } of indexes.rows) await query(definition);
  for (const reference of references) await restore(reference);
}

/**
 * Fills an empty, migrated database, the same rows every time.
 * @param query (sql, values?) => Promise: runs a statement
 * @param progress (text) => void
 */
export async function seed(query, progress = () => undefined) {
  await query("SET synchronous_commit = off; SET maintenance_work_mem = '512MB'; SET work_mem = '256MB'");
  await inBulk(query, () => load(query, progress));
  progress('VACUUM ANALYZE');
  await query('VACUUM ANALYZE');
}

/** The user whom the bench signs in as. */
export async function storeUser(query) {
  const salt = randomBytes(16);
  const hash = scryptSync(USER.password, salt, 64);
  await query('INSERT INTO users (id, username, password_hash) VALUES ($1, $2, $3)', [
    USER.id,
    USER.username,
    `${salt.toString('hex')}:${hash.toString('hex')}`,
  ]);
}

async function load(query, progress) {
  await storeUser(query);
  const owner = `'${USER.id}'::uuid`;

  progress(`${sizes.ingredients} ingredients`);
  await query(`
    INSERT INTO ingredients (id, inci_name, chinese_name, function_category, supplier, unit_price, created_at)
    SELECT ${id('ingredient', 'n')}, 'INCI ' || ${pick(ADJECTIVES, 'n')} || ' Extract ' || n,
           ${pick(CHINESE, 'n / 3')} || '成分' || n, ${pick(CATEGORIES, 'n')}, 'Supplier ' || n % 50, n % 1000 / 10.0,
           timestamptz '2026-01-01' + n * interval '1 second'
    FROM generate_series(1, ${sizes.ingredients}) AS n`);
  await query(`
    INSERT INTO projects (id, name, created_by)
    SELECT ${id('project', 'n')}, 'Project ' || n, ${owner} FROM generate_series(1, 100) AS n`);

  // The stamp says that an embedding was made: the service has nothing to catch up on while it is measured.
  const chunk = 10_000;
  for (let from = 1; from <= sizes.formulas; from += chunk) {
    const to = Math.min(from + chunk - 1, sizes.formulas);
    progress(`formulas ${from} to ${to}`);
    await query(`
      INSERT INTO formulas (id, name, description, project_id, current_version, created_by, created_at, updated_at,
        embedding_stamp, embedding_maker)
      SELECT ${id('formula', 'n')}, ${pick(CHINESE, 'n')} || ${pick(CHINESE_KINDS, 'n / 8')} || ' ' ||
             ${pick(ADJECTIVES, 'n')} || ' ' || ${pick(KINDS, 'n / 8')} || ' ' || n,
             'Batch ' || n % 977 || ' for trials, series ' || ${pick(KINDS, 'n / 5')}, ${id('project', '(1 + n % 100)')},
             ${sizes.versions}, ${owner}, timestamptz '2026-01-01' + n * interval '1 second',
             timestamptz '2026-03-01' + (n * 7919::bigint % ${sizes.formulas}) * interval '1 second',
             timestamptz '2026-03-01' + (n * 7919::bigint % ${sizes.formulas}) * interval '1 second', '${LOCAL_MAKER}'
      FROM generate_series(${from}, ${to}) AS n`);
    await query(`
      INSERT INTO formula_versions (id, formula_id, version_number, snapshot_data, created_by, created_at)
      SELECT ${id('version', "n || '-' || v")}, ${id('formula', 'n')}, v, (
          SELECT json_build_object('phases', json_agg(json_build_object('name', 'Phase ' || p, 'sortOrder', p,
            'ingredients', (SELECT json_agg(json_build_object(
               'ingredientId', ${id('ingredient', `(1 + (n * 31 + p * 7 + l) % ${sizes.ingredients})`)},
               'inciName', 'INCI Extract ' || l, 'chineseName', '成分' || l, 'percentage', 8.33, 'processNotes', null))
               FROM generate_series(1, ${sizes.linesPerPhase}) l)))) FROM generate_series(1, ${sizes.phases}) p),
        ${owner}, timestamptz '2026-01-01' + n * interval '1 second'
      FROM generate_series(${from}, ${to}) AS n, generate_series(1, ${sizes.versions}) AS v`);
    await query(`
      INSERT INTO formula_phases (id, formula_version_id, name, sort_order, position)
      SELECT ${id('phase', "n || '-' || v || '-' || p")}, ${id('version', "n || '-' || v")}, 'Phase ' || p, p, p
      FROM generate_series(${from}, ${to}) AS n, generate_series(1, ${sizes.versions}) AS v,
           generate_series(1, ${sizes.phases}) AS p`);
    await query(`
      INSERT INTO formula_ingredients
        (id, formula_version_id, phase_id, ingredient_id, percentage, process_notes, position)
      SELECT ${id('line', "n || '-' || v || '-' || p || '-' || l")}, ${id('version', "n || '-' || v")}, ${id('phase', "n || '-' || v || '-' || p")},
             ${id('ingredient', `(1 + (n * 31 + p * 7 + l) % ${sizes.ingredients})`)}, 8.33,
             CASE WHEN l = 1 THEN 'stir until clear' END, (p - 1) * ${sizes.linesPerPhase} + l
      FROM generate_series(${from}, ${to}) AS n, generate_series(1, ${sizes.versions}) AS v,
           generate_series(1, ${sizes.phases}) AS p, generate_series(1, ${sizes.linesPerPhase}) AS l`);
  }

  progress(`${sizes.colors} colour formulas`);
  await query(`
    INSERT INTO color_formulas (id, name, l, a, b, created_by, colorant_composition)
    SELECT ${id('color', 'n')}, 'Shade ' || n, ${noise("'l' || n")} * 100, ${noise("'a' || n")} * 160 - 80,
           ${noise("'b' || n")} * 160 - 80, ${owner}, '[{"name":"CI 77491","ratio":0.6},{"name":"CI 77891","ratio":0.4}]'
    FROM generate_series(1, ${sizes.colors}) AS n`);
  // What the floor server finds colours by; the service has an index of its own.
  await query('CREATE EXTENSION IF NOT EXISTS cube');
  await query('CREATE INDEX ix_floor_lab ON color_formulas USING gist (cube(ARRAY[l, a, b]))');
}

/** Creates the schema by the service's own migrations. */
export async function migrate(location) {
  const { openDataSource } = require('../../dist/platform/database/open-data-source.js');
  const dataSource = await openDataSource({
    location,
    poolSize: 2,
    log: () => undefined,
    warn: () => undefined,
  });
  await dataSource.destroy();
}
