import type { DataSource } from 'typeorm';
import { TABLES } from '../../src/platform/database/migrations/baseline/tables';

const USER = '00000000-0000-4000-8000-000000000001';
const PROJECT = '00000000-0000-4000-8000-000000000002';
const INGREDIENT = '00000000-0000-4000-8000-000000000003';
const FORMULA = '00000000-0000-4000-8000-000000000004';
const VERSION = '00000000-0000-4000-8000-000000000005';
const PHASE = '00000000-0000-4000-8000-000000000006';
const TRASHED = '00000000-0000-4000-8000-000000000007';
const EDITION = '00000000-0000-4000-8000-000000000008';
const LIMIT = '00000000-0000-4000-8000-000000000009';

const ROWS = `
  INSERT INTO users (id, username, password_hash, role) VALUES ('${USER}', '林', '0a:0b', 'admin');
  INSERT INTO projects (id, name, description, created_by) VALUES ('${PROJECT}', '保湿', NULL, '${USER}');
  INSERT INTO ingredients (id, inci_name, chinese_name, function_category, unit_price)
    VALUES ('${INGREDIENT}', 'Glycerin', '甘油', 'humectant', 12.3400),
           (gen_random_uuid(), 'Aqua', '水', 'other', NULL);
  INSERT INTO formulas (id, name, description, project_id, created_by, embedding, embedding_maker, embedding_stamp)
    VALUES ('${FORMULA}', '保湿精华', 'Café', '${PROJECT}', '${USER}', array_fill(0.1::real, ARRAY[1536]), 'local', now()),
           (gen_random_uuid(), 'Empty', NULL, NULL, '${USER}', NULL, NULL, NULL);
  INSERT INTO formula_versions (id, formula_id, version_number, snapshot_data, created_by)
    VALUES ('${VERSION}', '${FORMULA}', 1, '{"phases": [ ], "n": 1.50}', '${USER}');
  INSERT INTO formula_phases (id, formula_version_id, name, sort_order, position)
    VALUES ('${PHASE}', '${VERSION}', '水相', 1, 0);
  INSERT INTO formula_ingredients (formula_version_id, phase_id, ingredient_id, percentage, position)
    VALUES ('${VERSION}', '${PHASE}', '${INGREDIENT}', 99.50, 0);
  INSERT INTO color_formulas (name, l, a, b, actual_l, actual_a, actual_b, delta_e, colorant_composition, formula_id, created_by)
    VALUES ('红', 50, 60.5, -3, 51, 60, -3, 0.1, '{"z": 1, "a": [1.0]}', '${FORMULA}', '${USER}'),
           ('蓝', 0, -10000, 10000, NULL, NULL, NULL, NULL, NULL, NULL, '${USER}');
  INSERT INTO ingredient_substances (ingredient_id, position, inci_name, min_percentage, max_percentage)
    VALUES ('${INGREDIENT}', 0, 'Glycerin', 99.5, 100);
  INSERT INTO ingredient_names (ingredient_id, kind, position, name, key)
    VALUES ('${INGREDIENT}', 'cas', 0, '56-81-5', '56.81.5');
  INSERT INTO trashed_formulas (id, formula, custom_fields, colors, created_by, deleted_by, deleted_at)
    VALUES ('${TRASHED}', '{"name": "旧" }', '{}', ARRAY[]::uuid[], '${USER}', NULL, now());
  INSERT INTO trashed_versions (id, formula_id, version_number, snapshot_data, created_by, created_at, phases,
      line_ids, line_phases, line_ingredients, line_percentages, line_notes, line_positions)
    VALUES (gen_random_uuid(), '${TRASHED}', 1, '{ "phases": []}', '${USER}', now(), '[]',
      ARRAY['${PHASE}']::uuid[], ARRAY['${PHASE}']::uuid[], ARRAY['${INGREDIENT}']::uuid[], ARRAY[99.50], ARRAY['慢'], ARRAY[0]);
  INSERT INTO limit_editions (id, name, regions, row_count, refused_count)
    VALUES ('${EDITION}', '2026', ARRAY['EU'], 1, 0);
  INSERT INTO limits (id, edition_id, position, region, annex, entry, substance, inci_names, cas_numbers, kind,
      limit_percent, valid_from, source)
    VALUES ('${LIMIT}', '${EDITION}', 0, 'EU', 'V', '29', '苯氧乙醇', ARRAY['PHENOXYETHANOL'], ARRAY['122-99-6'], 'maximum',
      1.00, '2020-01-01', 'Annex V');
  INSERT INTO limit_keys (edition_id, key, limit_id) VALUES ('${EDITION}', 'phenoxyethanol', '${LIMIT}');
  INSERT INTO import_refusals (created_by, content) VALUES ('${USER}', 'inciName');
  INSERT INTO runtime_settings (name, value) VALUES ('AI_ALPHA_KEY', 'sealed');
  INSERT INTO ai_audit_logs (capability, model_name, prompt_hash, tokens_used) VALUES ('predict', 'mock', 'ff', 7);
`;

/** Rows in every table; the library of named colours has its own. */
export async function insertRows(dataSource: DataSource): Promise<void> {
  await dataSource.query(ROWS);
}

/** A row by its columns, each value as PostgreSQL writes it in JSON. */
type Row = Record<string, string | null>;

/** All rows by table. With fewer columns they match (`toMatchObject`) the same rows with more. */
export async function readRows(dataSource: DataSource): Promise<Record<string, Row[]>> {
  const rows: Record<string, Row[]> = {};
  for (const table of Object.keys(TABLES)) {
    const found = await dataSource.query<{ row: Row }[]>(
      `SELECT (SELECT json_object_agg(key, value) FROM json_each_text(row_to_json(t))) AS row
       FROM ${table} t ORDER BY t::text`,
    );
    rows[table] = found.map(({ row }) => row);
  }
  return rows;
}
