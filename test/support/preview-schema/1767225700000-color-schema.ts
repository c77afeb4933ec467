import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MigrationInterface, QueryRunner } from 'typeorm';

interface NamedColor {
  name: string;
  original?: string;
  pinyin?: string;
  hex: string;
  lab: [number, number, number];
  also?: string[];
}

interface NamedColors {
  sources: { package: string; colors: NamedColor[] }[];
}

/** Colour formulas, and the library of named colours with its content. */
export class ColorSchema1767225700000 implements MigrationInterface {
  name = 'ColorSchema1767225700000';

  async up(runner: QueryRunner): Promise<void> {
    // NaN is greater than every number in PostgreSQL, so the upper limits refuse it; `cube` would swallow it.
    await runner.query(`
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
      );
      CREATE INDEX ix_color_formulas_lab ON color_formulas USING gist (cube(ARRAY[l, a, b]));
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
    `);
    // The id follows from the colour: the same one in every installation. Built after the rows, the index is
    // cheaper.
    await runner.query(
      `INSERT INTO reference_colors (id, name, pinyin, hex, l, a, b, source, spellings)
       SELECT md5(source || ':' || name || ':' || hex)::uuid, name, pinyin, hex, l, a, b, source, spellings
       FROM json_to_recordset($1::json) AS color (
         name text, pinyin text, hex text, l float8, a float8, b float8, source text, spellings text)`,
      [JSON.stringify(namedColors())],
    );
    await runner.query(`
      CREATE INDEX ix_reference_colors_lab ON reference_colors USING gist (cube(ARRAY[l, a, b]));
      CREATE INDEX ix_reference_colors_name ON reference_colors (source, name COLLATE "C", id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE reference_colors;
      DROP TABLE color_formulas;
    `);
  }
}

function namedColors() {
  const text = readFileSync(
    join(__dirname, '../../../src/database/migrations/baseline/reference-colors.json'),
    'utf8',
  );
  return (JSON.parse(text) as NamedColors).sources.flatMap(({ package: source, colors }) =>
    colors.map(({ name, pinyin, hex, lab: [l, a, b], also }) => {
      const spellings = [name, ...(pinyin ? [pinyin] : []), ...(also ?? [])].join('\n').toLowerCase();
      return { name, pinyin, hex, l, a, b, source, spellings: `\n${spellings}\n` };
    }),
  );
}
