import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createRequire } from 'node:module';
import { id } from '../speed/data.mjs';
import { storeUser } from '../speed/seed.mjs';

const require = createRequire(import.meta.url);
const { LOCAL_MAKER } = require('../../dist/ai/capabilities/embed-texts/feature-hash.js');

const CATALOGUE = fileURLToPath(
  new URL('../../../shared/data/ingredients-cosing-iecic.csv', import.meta.url),
);
const DEMO = new URL('../../src/cli/demo/ingredients.json', import.meta.url);

const ADJECTIVES = [
  'Hydrating',
  'Soothing',
  'Brightening',
  'Gentle',
  'Repairing',
  'Firming',
  'Matte',
  'Velvet',
];
export const KINDS = [
  ...['Cream', 'Lotion', 'Serum', 'Cleanser', 'Shampoo', 'Toner', 'Mask', 'Balm', 'Essence', 'Emulsion'],
];
const CHINESE = ['保湿', '舒缓', '亮肤', '温和', '修护', '紧致', '哑光', '丝绒'];
const CHINESE_KINDS = [
  ...['面霜', '乳液', '精华', '凝胶', '洁面', '洗发水', '爽肤水', '面膜'],
  ...['眼霜', '护手霜', '防晒乳', '卸妆油', '唇膏', '粉底液', '沐浴露', '护发素'],
];

const ingredientCount = 20_000;

/** Names of real ingredients, where the catalogue is there. @param log told which were taken */
export function ingredientNames(log) {
  if (!existsSync(CATALOGUE)) {
    log('The catalogue of real ingredients is absent: the names are those of the demonstration.');
    return JSON.parse(readFileSync(DEMO)).map(({ inciName, chineseName }) => ({ inciName, chineseName }));
  }
  const { parse } = require('csv-parse/sync');
  return parse(readFileSync(CATALOGUE), { columns: true });
}

/** The words of INCI names that a formula may be called after. */
export const wordsOf = (names) => [
  ...new Set(names.flatMap(({ inciName }) => inciName.toLowerCase().match(/[a-z]{5,}/g) ?? [])),
];

const pick = (array, number) => `(${array})[1 + (${number}) % array_length(${array}, 1)]`;

/**
 * Fills an empty, migrated database with ingredients, projects and formulas without lines, the same rows
 * every time: lists and searches look at nothing else. In bulk: what triggers keep is written beside.
 * @param query (sql, values?) => Promise: runs a statement
 */
export async function seedFormulas(query, formulas, names) {
  await query("SET synchronous_commit = off; SET maintenance_work_mem = '1GB'; SET work_mem = '256MB'");
  await storeUser(query);
  await query(
    `INSERT INTO ingredients (inci_name, chinese_name, function_category, created_at)
     SELECT inci || CASE WHEN n > cardinality($1::text[]) THEN ' ' || n ELSE '' END, chinese, 'other',
            timestamptz '2026-01-01' + n * interval '1 second'
     FROM generate_series(1, ${ingredientCount}) AS n
     CROSS JOIN LATERAL (SELECT ${pick('$1::text[]', 'n')} AS inci, ${pick('$2::text[]', 'n')} AS chinese) named`,
    [names.map(({ inciName }) => inciName), names.map(({ chineseName }) => chineseName)],
  );
  await query(
    `INSERT INTO projects (id, name, created_by)
     SELECT ${id('project', 'n')}, 'Project ' || n, (SELECT id FROM users) FROM generate_series(1, 100) AS n`,
  );
  await query('ALTER TABLE formulas DISABLE TRIGGER USER');
  const indexes = await query(`
    SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
    WHERE indrelid IN ('formulas'::regclass, 'formula_words'::regclass) AND NOT indisprimary`);
  for (const { name } of indexes.rows) await query(`DROP INDEX ${name}`);
  await query(
    `INSERT INTO formulas (id, name, description, search_key, project_id, created_by, created_at, updated_at,
       embedding_stamp, embedding_maker)
     SELECT ${id('formula', 'n')}, name, description,
            search_key(name) || U&'\\001F' || search_key(description), ${id('project', '(1 + n % 100)')},
            (SELECT id FROM users), timestamptz '2026-01-01' + n * interval '1 second', changed, changed, $7
     FROM generate_series(1, ${formulas}) AS n
     CROSS JOIN LATERAL (
       SELECT ${pick('$3::text[]', 'n')} || ${pick('$4::text[]', 'n / 8')} || ' ' || ${pick('$1::text[]', 'n')} || ' ' ||
              ${pick('$5::text[]', 'n * 31')} || ' ' || ${pick('$2::text[]', 'n / 8')} || ' B-' || n AS name,
              ${pick('$6::text[]', 'n * 17')} || ', ' || ${pick('$5::text[]', 'n * 13')} || ', trial ' || n % 977
                AS description,
              timestamptz '2026-03-01' + (n * 7919::bigint % ${formulas}) * interval '1 second' AS changed) told`,
    [
      ADJECTIVES,
      KINDS,
      CHINESE,
      CHINESE_KINDS,
      wordsOf(names),
      names.map(({ chineseName }) => chineseName),
      LOCAL_MAKER,
    ],
  );
  await query(`INSERT INTO formula_words (formula_id, updated_at, created_at, words)
               SELECT id, updated_at, created_at, words_of(name || ' ' || description) FROM formulas`);
  await query(
    'INSERT INTO search_words (word) SELECT DISTINCT word FROM formula_words, unnest(words) AS told (word)',
  );
  await query(`
    INSERT INTO record_counts (list, part, delta)
    SELECT 'formulas', '', count(*) FROM formulas
    UNION ALL SELECT 'formulas of project', project_id::text, count(*) FROM formulas GROUP BY project_id`);
  for (const { definition } of indexes.rows) await query(definition);
  await query('ALTER TABLE formulas ENABLE TRIGGER USER');
  // Not those that are empty: their foreign keys would be checked by reading them whole while they grow.
  await query(
    'VACUUM ANALYZE users, ingredients, projects, formulas, formula_words, search_words, record_counts',
  );
}
