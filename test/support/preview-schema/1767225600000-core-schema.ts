import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts, ingredient catalogue, projects, formulas with versions, phases and ingredient lines. */
export class CoreSchema1767225600000 implements MigrationInterface {
  name = 'CoreSchema1767225600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
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
        CONSTRAINT pk_ingredients PRIMARY KEY (id),
        CONSTRAINT ck_ingredients_function_category CHECK (function_category IN (
          'emulsifier', 'humectant', 'thickener', 'preservative', 'antioxidant', 'fragrance',
          'colorant', 'ph_adjuster', 'sunscreen', 'surfactant', 'emollient', 'other')),
        CONSTRAINT ck_ingredients_unit_price CHECK (unit_price >= 0 AND unit_price < 'Infinity')
      );
      CREATE INDEX ix_ingredients_created_at ON ingredients (created_at DESC, id);
      CREATE INDEX ix_ingredients_function_category ON ingredients (function_category, created_at DESC, id);
      CREATE INDEX ix_ingredients_inci_name_lower ON ingredients (lower(inci_name));
      CREATE INDEX ix_ingredients_inci_name_trgm ON ingredients USING gin (inci_name gin_trgm_ops);
      CREATE INDEX ix_ingredients_chinese_name_trgm ON ingredients USING gin (chinese_name gin_trgm_ops);

      CREATE TABLE formulas (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        name text NOT NULL,
        description text,
        project_id uuid,
        current_version integer NOT NULL DEFAULT 1,
        created_by uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        embedding real[],
        CONSTRAINT pk_formulas PRIMARY KEY (id),
        CONSTRAINT fk_formulas_project FOREIGN KEY (project_id) REFERENCES projects (id) ON DELETE SET NULL,
        CONSTRAINT fk_formulas_created_by FOREIGN KEY (created_by) REFERENCES users (id),
        CONSTRAINT ck_formulas_embedding CHECK (cardinality(embedding) = 1536)
      );
      CREATE INDEX ix_formulas_project ON formulas (project_id);
      CREATE INDEX ix_formulas_created_by ON formulas (created_by);
      CREATE INDEX ix_formulas_created_at ON formulas (created_at, id);
      CREATE INDEX ix_formulas_updated_at ON formulas (updated_at, id);
      CREATE INDEX ix_formulas_name ON formulas (name, id);
      CREATE INDEX ix_formulas_name_trgm ON formulas USING gin (name gin_trgm_ops);
      CREATE INDEX ix_formulas_description_trgm ON formulas USING gin (description gin_trgm_ops);

      CREATE TABLE formula_versions (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        formula_id uuid NOT NULL,
        version_number integer NOT NULL,
        description text,
        -- json, not jsonb: the snapshot is history, it comes back exactly as it was written
        snapshot_data json NOT NULL,
        created_by uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_formula_versions PRIMARY KEY (id),
        CONSTRAINT uq_formula_versions_number UNIQUE (formula_id, version_number),
        CONSTRAINT fk_formula_versions_formula FOREIGN KEY (formula_id) REFERENCES formulas (id) ON DELETE CASCADE,
        CONSTRAINT fk_formula_versions_created_by FOREIGN KEY (created_by) REFERENCES users (id)
      );
      CREATE INDEX ix_formula_versions_created_by ON formula_versions (created_by);

      CREATE TABLE formula_phases (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        formula_version_id uuid NOT NULL,
        name text NOT NULL,
        sort_order integer NOT NULL,
        position integer NOT NULL,
        CONSTRAINT pk_formula_phases PRIMARY KEY (id),
        CONSTRAINT fk_formula_phases_version FOREIGN KEY (formula_version_id)
          REFERENCES formula_versions (id) ON DELETE CASCADE
      );
      CREATE INDEX ix_formula_phases_version ON formula_phases (formula_version_id);

      CREATE TABLE formula_ingredients (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        formula_version_id uuid NOT NULL,
        phase_id uuid NOT NULL,
        ingredient_id uuid NOT NULL,
        percentage numeric NOT NULL,
        process_notes text,
        position integer NOT NULL,
        CONSTRAINT pk_formula_ingredients PRIMARY KEY (id),
        CONSTRAINT fk_formula_ingredients_version FOREIGN KEY (formula_version_id)
          REFERENCES formula_versions (id) ON DELETE CASCADE,
        CONSTRAINT fk_formula_ingredients_phase FOREIGN KEY (phase_id)
          REFERENCES formula_phases (id) ON DELETE CASCADE,
        CONSTRAINT fk_formula_ingredients_ingredient FOREIGN KEY (ingredient_id) REFERENCES ingredients (id),
        CONSTRAINT ck_formula_ingredients_percentage CHECK (percentage > 0 AND percentage <= 100)
      );
      CREATE INDEX ix_formula_ingredients_version ON formula_ingredients (formula_version_id);
      CREATE INDEX ix_formula_ingredients_phase ON formula_ingredients (phase_id);
      CREATE INDEX ix_formula_ingredients_ingredient ON formula_ingredients (ingredient_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE formula_ingredients;
      DROP TABLE formula_phases;
      DROP TABLE formula_versions;
      DROP TABLE formulas;
      DROP TABLE ingredients;
      DROP TABLE projects;
      DROP TABLE users;
    `);
  }
}
