/** Formulas with versions, phases and ingredient lines. */
export const FORMULA_TABLES = `
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
    -- who made the embedding: only vectors of one maker can be compared
    embedding_maker text,
    -- the updated_at of the state it was made of; another value means that it is out of date
    embedding_stamp timestamptz(3),
    search_key text NOT NULL,
    CONSTRAINT pk_formulas PRIMARY KEY (id),
    CONSTRAINT fk_formulas_project FOREIGN KEY (project_id) REFERENCES projects (id) ON DELETE SET NULL,
    CONSTRAINT fk_formulas_created_by FOREIGN KEY (created_by) REFERENCES users (id),
    CONSTRAINT ck_formulas_embedding CHECK (cardinality(embedding) = 1536)
    -- vectors go out of line, so that rows stay short for everything else
  ) WITH (toast_tuple_target = 512);
  CREATE INDEX ix_formulas_project ON formulas (project_id);
  CREATE INDEX ix_formulas_created_by ON formulas (created_by);
  CREATE INDEX ix_formulas_created_at ON formulas (created_at, id);
  CREATE INDEX ix_formulas_updated_at ON formulas (updated_at, id);
  CREATE INDEX ix_formulas_name ON formulas (name, id);
  CREATE INDEX ix_formulas_search_key ON formulas USING gin (search_key gin_trgm_ops);
  CREATE INDEX ix_formulas_embedding_stale ON formulas (updated_at, id)
    WHERE embedding_stamp IS DISTINCT FROM updated_at;
  CREATE TRIGGER tr_formulas_search_key BEFORE INSERT OR UPDATE OF name, description ON formulas
    FOR EACH ROW EXECUTE FUNCTION formulas_search_key();

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
`;
