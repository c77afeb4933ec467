import type { QueryRunner } from 'typeorm';
import { COLOR_TABLES } from './color-tables';
import { FORMULA_TABLES } from './formula-tables';

/** Accounts, projects and the ingredient catalogue. */
const RECORD_TABLES = `
  CREATE TABLE users (
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    username text NOT NULL,
    password_hash text NOT NULL,
    role text NOT NULL DEFAULT 'engineer',
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT pk_users PRIMARY KEY (id),
    CONSTRAINT uq_users_username UNIQUE (username),
    CONSTRAINT ck_users_role CHECK (role IN ('engineer', 'admin'))
  );

  CREATE TABLE projects (
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    name text NOT NULL,
    description text,
    created_by uuid NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT pk_projects PRIMARY KEY (id),
    CONSTRAINT fk_projects_created_by FOREIGN KEY (created_by) REFERENCES users (id)
  );
  CREATE INDEX ix_projects_created_by ON projects (created_by);
  CREATE INDEX ix_projects_created_at ON projects (created_at DESC, id);

  CREATE TABLE ingredients (
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    inci_name text NOT NULL,
    chinese_name text NOT NULL,
    function_category text NOT NULL,
    supplier text,
    unit text NOT NULL DEFAULT 'kg',
    unit_price numeric,
    description text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    search_key text NOT NULL,
    CONSTRAINT pk_ingredients PRIMARY KEY (id),
    CONSTRAINT ck_ingredients_function_category CHECK (function_category IN (
      'emulsifier', 'humectant', 'thickener', 'preservative', 'antioxidant', 'fragrance',
      'colorant', 'ph_adjuster', 'sunscreen', 'surfactant', 'emollient', 'other')),
    CONSTRAINT ck_ingredients_unit_price CHECK (unit_price >= 0 AND unit_price < 'Infinity')
  );
  CREATE INDEX ix_ingredients_created_at ON ingredients (created_at DESC, id);
  CREATE INDEX ix_ingredients_function_category ON ingredients (function_category, created_at DESC, id);
  CREATE INDEX ix_ingredients_inci_name_lower ON ingredients (lower(inci_name));
  CREATE INDEX ix_ingredients_search_key ON ingredients USING gin (search_key gin_trgm_ops);
  CREATE TRIGGER tr_ingredients_search_key BEFORE INSERT OR UPDATE OF inci_name, chinese_name ON ingredients
    FOR EACH ROW EXECUTE FUNCTION ingredients_search_key();
`;

/** Settings that are changed while the service runs, and the log of AI calls. */
const OPERATION_TABLES = `
  CREATE TABLE runtime_settings (
    name text NOT NULL,
    value text NOT NULL,
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT pk_runtime_settings PRIMARY KEY (name)
  );

  CREATE TABLE ai_audit_logs (
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    capability text NOT NULL,
    model_name text NOT NULL,
    prompt_hash text NOT NULL,
    tokens_used integer,
    duration_ms integer,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT pk_ai_audit_logs PRIMARY KEY (id)
  );
  CREATE INDEX ix_ai_audit_logs_created_at ON ai_audit_logs (created_at DESC, id);
`;

/** A table after those that it refers to. */
export const TABLES = [
  'users',
  'projects',
  'ingredients',
  'formulas',
  'formula_versions',
  'formula_phases',
  'formula_ingredients',
  'color_formulas',
  'reference_colors',
  'runtime_settings',
  'ai_audit_logs',
];

export async function createTables(runner: QueryRunner): Promise<void> {
  for (const statements of [RECORD_TABLES, FORMULA_TABLES, COLOR_TABLES, OPERATION_TABLES])
    await runner.query(statements);
}

export async function dropTables(runner: QueryRunner): Promise<void> {
  for (const table of TABLES.toReversed()) await runner.query(`DROP TABLE ${table}`);
}
