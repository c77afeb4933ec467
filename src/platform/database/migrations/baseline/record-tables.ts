/** The tables of records that users work with, each after the tables that it refers to. */
export const RECORD_TABLES = {
  users: `
    CREATE TABLE users (
      id uuid NOT NULL DEFAULT gen_random_uuid(),
      username text NOT NULL,
      password_hash text NOT NULL,
      role text NOT NULL DEFAULT 'engineer',
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      -- a token is valid only with the number that it was signed with
      token_version integer NOT NULL DEFAULT 0,
      disabled_at timestamptz(3),
      username_form text,
      CONSTRAINT pk_users PRIMARY KEY (id),
      CONSTRAINT uq_users_username UNIQUE (username),
      CONSTRAINT uq_users_username_form UNIQUE (username_form),
      CONSTRAINT ck_users_role CHECK (role ~ '^[a-z0-9_-]{1,50}$')
    );
    CREATE TRIGGER tr_users_username_form BEFORE INSERT ON users
      FOR EACH ROW EXECUTE FUNCTION users_username_form();`,

  projects: `
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
    CREATE INDEX ix_projects_created_at ON projects (created_at DESC, id);`,

  ingredients: `
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
      inci_key text NOT NULL,
      chinese_key text NOT NULL,
      CONSTRAINT pk_ingredients PRIMARY KEY (id),
      CONSTRAINT ck_ingredients_function_category CHECK (function_category IN (
        'emulsifier', 'humectant', 'thickener', 'preservative', 'antioxidant', 'fragrance',
        'colorant', 'ph_adjuster', 'sunscreen', 'surfactant', 'emollient', 'other')),
      CONSTRAINT ck_ingredients_unit_price CHECK (unit_price >= 0 AND unit_price < 'Infinity')
    );
    CREATE INDEX ix_ingredients_created_at ON ingredients (created_at DESC, id);
    CREATE INDEX ix_ingredients_function_category ON ingredients (function_category, created_at DESC, id);
    CREATE INDEX ix_ingredients_inci_name_lower ON ingredients (lower(inci_name));
    -- Every look-up reads the pending list. At its default size of 4 MB, that takes most of the time.
    CREATE INDEX ix_ingredients_search_key ON ingredients USING gin (search_key gin_trgm_ops)
      WITH (gin_pending_list_limit = 64);
    CREATE INDEX ix_ingredients_inci_key ON ingredients (inci_key);
    CREATE INDEX ix_ingredients_chinese_key ON ingredients (chinese_key);
    CREATE INDEX ix_ingredients_inci_spelling_key ON ingredients (spelling_key(inci_name));
    CREATE TRIGGER tr_ingredients_keys BEFORE INSERT OR UPDATE OF inci_name, chinese_name ON ingredients
      FOR EACH ROW EXECUTE FUNCTION ingredients_keys();`,

  ingredient_substances: `
    CREATE TABLE ingredient_substances (
      ingredient_id uuid NOT NULL,
      position integer NOT NULL,
      inci_name text NOT NULL,
      chinese_name text,
      cas_number text,
      ec_number text,
      min_percentage numeric NOT NULL,
      max_percentage numeric NOT NULL,
      role text,
      CONSTRAINT pk_ingredient_substances PRIMARY KEY (ingredient_id, position),
      CONSTRAINT fk_ingredient_substances_ingredient FOREIGN KEY (ingredient_id)
        REFERENCES ingredients (id) ON DELETE CASCADE,
      CONSTRAINT ck_ingredient_substances_percentages
        CHECK (min_percentage >= 0 AND min_percentage <= max_percentage AND max_percentage > 0 AND max_percentage <= 100)
    );
    CREATE INDEX ix_ingredient_substances_cas_number ON ingredient_substances (cas_number);`,

  // Names beside the INCI and the Chinese name: CAS and EC numbers, synonyms, trade names.
  ingredient_names: `
    CREATE TABLE ingredient_names (
      ingredient_id uuid NOT NULL,
      kind text NOT NULL,
      position integer NOT NULL,
      name text NOT NULL,
      key text COLLATE "C" NOT NULL,
      CONSTRAINT pk_ingredient_names PRIMARY KEY (ingredient_id, kind, position),
      CONSTRAINT fk_ingredient_names_ingredient FOREIGN KEY (ingredient_id)
        REFERENCES ingredients (id) ON DELETE CASCADE,
      CONSTRAINT ck_ingredient_names_kind CHECK (kind IN ('cas', 'ec', 'synonym', 'trade-name'))
    );
    CREATE INDEX ix_ingredient_names_key ON ingredient_names (key);`,

  formulas: `
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
      -- what computed the embedding: only vectors of one maker can be compared
      embedding_maker text,
      -- the updated_at that it was computed for; with another value it is out of date
      embedding_stamp timestamptz(3),
      search_key text NOT NULL,
      CONSTRAINT pk_formulas PRIMARY KEY (id),
      CONSTRAINT fk_formulas_project FOREIGN KEY (project_id) REFERENCES projects (id) ON DELETE SET NULL,
      CONSTRAINT fk_formulas_created_by FOREIGN KEY (created_by) REFERENCES users (id),
      CONSTRAINT ck_formulas_current_version CHECK (current_version >= 1),
      CONSTRAINT ck_formulas_embedding CHECK (cardinality(embedding) = 1536)
      -- Vectors are stored out of line, so rows stay short for everything else.
    ) WITH (toast_tuple_target = 512);
    CREATE INDEX ix_formulas_project ON formulas (project_id);
    CREATE INDEX ix_formulas_created_by ON formulas (created_by);
    CREATE INDEX ix_formulas_created_at ON formulas (created_at, id);
    CREATE INDEX ix_formulas_updated_at ON formulas (updated_at, id);
    CREATE INDEX ix_formulas_name ON formulas (name, id);
    CREATE INDEX ix_formulas_search_key ON formulas USING gin (search_key gin_trgm_ops)
      -- Every search reads the whole pending list: 4 MB by default, which takes several times the search itself.
      WITH (gin_pending_list_limit = 64);
    CREATE INDEX ix_formulas_embedding_stale ON formulas (updated_at, id)
      WHERE embedding_stamp IS DISTINCT FROM updated_at;
    CREATE TRIGGER tr_formulas_search_key BEFORE INSERT OR UPDATE OF name, description ON formulas
      FOR EACH ROW EXECUTE FUNCTION formulas_search_key();`,

  formula_versions: `
    CREATE TABLE formula_versions (
      id uuid NOT NULL DEFAULT gen_random_uuid(),
      formula_id uuid NOT NULL,
      version_number integer NOT NULL,
      description text,
      -- json, not jsonb: a snapshot is returned exactly as it was written
      snapshot_data json NOT NULL,
      created_by uuid NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      CONSTRAINT pk_formula_versions PRIMARY KEY (id),
      CONSTRAINT uq_formula_versions_number UNIQUE (formula_id, version_number),
      CONSTRAINT fk_formula_versions_formula FOREIGN KEY (formula_id) REFERENCES formulas (id) ON DELETE CASCADE,
      CONSTRAINT fk_formula_versions_created_by FOREIGN KEY (created_by) REFERENCES users (id),
      CONSTRAINT ck_formula_versions_number CHECK (version_number >= 1)
    );
    CREATE INDEX ix_formula_versions_created_by ON formula_versions (created_by);`,

  formula_phases: `
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
    CREATE INDEX ix_formula_phases_version ON formula_phases (formula_version_id);`,

  formula_ingredients: `
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
    CREATE INDEX ix_formula_ingredients_ingredient ON formula_ingredients (ingredient_id);`,

  // NaN is greater than every number in PostgreSQL, so the upper limits refuse it.
  color_formulas: `
    CREATE TABLE color_formulas (
      id uuid NOT NULL DEFAULT gen_random_uuid(),
      name text NOT NULL,
      l double precision NOT NULL,
      a double precision NOT NULL,
      b double precision NOT NULL,
      actual_l double precision,
      actual_a double precision,
      actual_b double precision,
      delta_e double precision,
      -- json, not jsonb: it is returned as it was sent, with its order and its numbers
      colorant_composition json,
      formula_id uuid,
      created_by uuid NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      CONSTRAINT pk_color_formulas PRIMARY KEY (id),
      CONSTRAINT fk_color_formulas_formula FOREIGN KEY (formula_id) REFERENCES formulas (id) ON DELETE SET NULL,
      CONSTRAINT fk_color_formulas_created_by FOREIGN KEY (created_by) REFERENCES users (id),
      CONSTRAINT ck_color_formulas_lab CHECK (
        l BETWEEN 0 AND 100 AND a BETWEEN -10000 AND 10000 AND b BETWEEN -10000 AND 10000),
      CONSTRAINT ck_color_formulas_actual_lab CHECK (
        num_nulls(actual_l, actual_a, actual_b) IN (0, 3)
        AND actual_l BETWEEN 0 AND 100 AND actual_a BETWEEN -10000 AND 10000 AND actual_b BETWEEN -10000 AND 10000),
      CONSTRAINT ck_color_formulas_delta_e CHECK (delta_e >= 0 AND delta_e < 'Infinity')
      -- Index-only scans skip the table only where a vacuum has run since rows were written: run one after a
      -- twentieth of new rows, not only after a fifth.
    ) WITH (autovacuum_vacuum_insert_scale_factor = 0.05);
    -- It has all that a colour search reads: the table is not visited.
    CREATE INDEX ix_color_formulas_lab ON color_formulas (lab_cell(l, a, b)) INCLUDE (id, l, a, b);
    CREATE INDEX ix_color_formulas_created_at ON color_formulas (created_at DESC, id);
    CREATE INDEX ix_color_formulas_name_key ON color_formulas USING gin (search_key(name) gin_trgm_ops)
      WITH (gin_pending_list_limit = 64);
    CREATE INDEX ix_color_formulas_formula ON color_formulas (formula_id);
    CREATE INDEX ix_color_formulas_created_by ON color_formulas (created_by);`,

  reference_colors: `
    CREATE TABLE reference_colors (
      id uuid NOT NULL,
      name text NOT NULL,
      pinyin text,
      hex text NOT NULL,
      l double precision NOT NULL,
      a double precision NOT NULL,
      b double precision NOT NULL,
      source text NOT NULL,
      -- every spelling that finds the colour, in lower case, one a line
      spellings text NOT NULL,
      CONSTRAINT pk_reference_colors PRIMARY KEY (id),
      CONSTRAINT ck_reference_colors_hex CHECK (hex ~ '^#[0-9a-f]{6}$'),
      CONSTRAINT ck_reference_colors_lab CHECK (
        l BETWEEN 0 AND 100 AND a BETWEEN -10000 AND 10000 AND b BETWEEN -10000 AND 10000)
    );
    CREATE INDEX ix_reference_colors_lab ON reference_colors (lab_cell(l, a, b)) INCLUDE (id, l, a, b);
    CREATE INDEX ix_reference_colors_name ON reference_colors (source, name COLLATE "C", id);`,
} as const;
