/**
 * Colour formulas and the library of named colours. NaN is greater than every number in PostgreSQL, so the
 * upper limits refuse it. The indexes on cells hold all that a colour search reads: the tables are not
 * visited.
 */
export const COLOR_TABLES = `
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
    -- json, not jsonb: it comes back as it was sent, with its order and its numbers
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
    -- An index-only scan spares the table only where a vacuum has been since the rows were written: after 1000
    -- new ones and a twentieth of the table, not only after a fifth.
  ) WITH (autovacuum_vacuum_insert_scale_factor = 0.05);
  CREATE INDEX ix_color_formulas_lab ON color_formulas (lab_cell(l, a, b)) INCLUDE (id, l, a, b);
  CREATE INDEX ix_color_formulas_formula ON color_formulas (formula_id);
  CREATE INDEX ix_color_formulas_created_by ON color_formulas (created_by);

  CREATE TABLE reference_colors (
    id uuid NOT NULL,
    name text NOT NULL,
    pinyin text,
    hex text NOT NULL,
    l double precision NOT NULL,
    a double precision NOT NULL,
    b double precision NOT NULL,
    source text NOT NULL,
    -- every spelling the colour is found under, in lower case, each on a line of its own
    spellings text NOT NULL,
    CONSTRAINT pk_reference_colors PRIMARY KEY (id),
    CONSTRAINT ck_reference_colors_hex CHECK (hex ~ '^#[0-9a-f]{6}$'),
    CONSTRAINT ck_reference_colors_lab CHECK (
      l BETWEEN 0 AND 100 AND a BETWEEN -10000 AND 10000 AND b BETWEEN -10000 AND 10000)
  );
  CREATE INDEX ix_reference_colors_lab ON reference_colors (lab_cell(l, a, b)) INCLUDE (id, l, a, b);
  CREATE INDEX ix_reference_colors_name ON reference_colors (source, name COLLATE "C", id);
`;
