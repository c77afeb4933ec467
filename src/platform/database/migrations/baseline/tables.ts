import { RECORD_TABLES } from './record-tables';

/** Tables of deleted formulas, of regulations, and of what the service itself stores. */
const SERVICE_TABLES = {
  // Deleted formulas, which can be restored for some time.
  trashed_formulas: `
    CREATE TABLE trashed_formulas (
      id uuid NOT NULL,
      formula json NOT NULL,
      custom_fields json NOT NULL,
      colors uuid[] NOT NULL,
      created_by uuid NOT NULL,
      deleted_by uuid,
      deleted_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_trashed_formulas PRIMARY KEY (id),
      CONSTRAINT fk_trashed_formulas_created_by FOREIGN KEY (created_by) REFERENCES users (id) ON DELETE CASCADE,
      CONSTRAINT fk_trashed_formulas_deleted_by FOREIGN KEY (deleted_by) REFERENCES users (id) ON DELETE SET NULL
    );
    CREATE INDEX ix_trashed_formulas_deleted_at ON trashed_formulas (deleted_at, id);
    CREATE INDEX ix_trashed_formulas_created_by ON trashed_formulas (created_by);
    CREATE INDEX ix_trashed_formulas_deleted_by ON trashed_formulas (deleted_by);`,

  trashed_versions: `
    CREATE TABLE trashed_versions (
      id uuid NOT NULL,
      formula_id uuid NOT NULL,
      version_number integer NOT NULL,
      description text,
      snapshot_data json NOT NULL,
      created_by uuid NOT NULL,
      created_at timestamptz(3) NOT NULL,
      phases json NOT NULL,
      line_ids uuid[] NOT NULL,
      line_phases uuid[] NOT NULL,
      line_ingredients uuid[] NOT NULL,
      line_percentages numeric[] NOT NULL,
      line_notes text[] NOT NULL,
      line_positions integer[] NOT NULL,
      CONSTRAINT pk_trashed_versions PRIMARY KEY (id),
      CONSTRAINT fk_trashed_versions_formula FOREIGN KEY (formula_id)
        REFERENCES trashed_formulas (id) ON DELETE CASCADE
    );
    CREATE INDEX ix_trashed_versions_formula ON trashed_versions (formula_id);`,

  limit_editions: `
    CREATE TABLE limit_editions (
      id uuid NOT NULL DEFAULT gen_random_uuid(),
      name text NOT NULL,
      regions text[] NOT NULL,
      row_count integer NOT NULL,
      refused_count integer NOT NULL,
      imported_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT pk_limit_editions PRIMARY KEY (id),
      CONSTRAINT uq_limit_editions_name UNIQUE (name),
      CONSTRAINT ck_limit_editions_counts CHECK (row_count >= 0 AND refused_count >= 0)
    );`,

  limits: `
    CREATE TABLE limits (
      id uuid NOT NULL DEFAULT gen_random_uuid(),
      edition_id uuid NOT NULL,
      position integer NOT NULL,
      region text NOT NULL,
      annex text NOT NULL,
      entry text NOT NULL,
      tier text,
      substance text NOT NULL,
      inci_names text[] NOT NULL,
      cas_numbers text[] NOT NULL,
      kind text NOT NULL,
      scope text,
      product_types text[],
      limit_percent numeric,
      limit_text text,
      basis text,
      factor numeric,
      sum_group text,
      purpose text,
      conditions text,
      valid_from date,
      valid_until date,
      source text NOT NULL,
      CONSTRAINT pk_limits PRIMARY KEY (id),
      CONSTRAINT fk_limits_edition FOREIGN KEY (edition_id) REFERENCES limit_editions (id) ON DELETE CASCADE,
      CONSTRAINT ck_limits_kind CHECK (kind IN ('prohibited', 'maximum', 'declare-above', 'permitted-only')),
      CONSTRAINT ck_limits_percent CHECK (limit_percent > 0 AND limit_percent <= 100),
      CONSTRAINT ck_limits_factor CHECK (factor > 0),
      CONSTRAINT ck_limits_validity CHECK (valid_from <= valid_until)
    );
    CREATE INDEX ix_limits_edition ON limits (edition_id, position);`,

  limit_keys: `
    CREATE TABLE limit_keys (
      edition_id uuid NOT NULL,
      key text NOT NULL,
      limit_id uuid NOT NULL,
      CONSTRAINT pk_limit_keys PRIMARY KEY (edition_id, key, limit_id),
      CONSTRAINT fk_limit_keys_limit FOREIGN KEY (limit_id) REFERENCES limits (id) ON DELETE CASCADE
    );
    CREATE INDEX ix_limit_keys_limit ON limit_keys (limit_id);`,

  // Rows that imports have refused. Users can download them as a file for some time.
  import_refusals: `
    CREATE TABLE import_refusals (
      id uuid NOT NULL DEFAULT gen_random_uuid(),
      created_by uuid NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      content text NOT NULL,
      CONSTRAINT pk_import_refusals PRIMARY KEY (id),
      CONSTRAINT fk_import_refusals_created_by FOREIGN KEY (created_by) REFERENCES users (id) ON DELETE CASCADE
    );
    CREATE INDEX ix_import_refusals_created_by ON import_refusals (created_by, created_at);
    CREATE INDEX ix_import_refusals_created_at ON import_refusals (created_at);`,

  runtime_settings: `
    CREATE TABLE runtime_settings (
      name text NOT NULL,
      value text NOT NULL,
      updated_at timestamptz(3) NOT NULL DEFAULT now(),
      CONSTRAINT pk_runtime_settings PRIMARY KEY (name)
    );`,

  ai_audit_logs: `
    CREATE TABLE ai_audit_logs (
      id uuid NOT NULL DEFAULT gen_random_uuid(),
      capability text NOT NULL,
      model_name text NOT NULL,
      prompt_hash text NOT NULL,
      tokens_used integer,
      duration_ms integer,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      user_id uuid,
      CONSTRAINT pk_ai_audit_logs PRIMARY KEY (id)
    );
    CREATE INDEX ix_ai_audit_logs_created_at ON ai_audit_logs (created_at DESC, id);`,

  // Events for handlers of extensions, until they are handled.
  event_deliveries: `
    CREATE TABLE event_deliveries (
      id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
      handler text NOT NULL,
      record_id uuid NOT NULL,
      event jsonb NOT NULL,
      tries integer NOT NULL DEFAULT 0,
      due_at timestamptz NOT NULL DEFAULT now(),
      parked boolean NOT NULL DEFAULT false,
      CONSTRAINT pk_event_deliveries PRIMARY KEY (id)
    );
    CREATE INDEX ix_event_deliveries_first ON event_deliveries (handler, record_id, id) WHERE NOT parked;
    CREATE INDEX ix_event_deliveries_due ON event_deliveries (handler, due_at, id) WHERE NOT parked;
    CREATE INDEX ix_event_deliveries_parked ON event_deliveries (handler) WHERE parked;`,
} as const;

/** All tables, each after the tables that it refers to. */
export const TABLES = { ...RECORD_TABLES, ...SERVICE_TABLES };
