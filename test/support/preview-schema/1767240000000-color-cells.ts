import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['color_formulas', 'reference_colors'];
const AXES = ['l', 'a', 'b'];

/** Half of the bits that are together move on by `shift`; `mask` keeps them at their places. */
const SPREADING = [
  { shift: 32, mask: 0x1f00000000ffffn },
  { shift: 16, mask: 0x1f0000ff0000ffn },
  { shift: 8, mask: 0x100f00f00f00f00fn },
  { shift: 4, mask: 0x10c30c30c30c30c3n },
  { shift: 2, mask: 0x1249249249249249n },
];

/**
 * Colours are found by their cell: a B-tree on the number of a cell along a Z-order curve, in place of the
 * GiST index on `cube`. It holds all that the search reads, so that the tables are not visited.
 * docs/colour.md says why.
 */
export class ColorCells1767240000000 implements MigrationInterface {
  name = 'ColorCells1767240000000';

  async up(runner: QueryRunner): Promise<void> {
    // Cells of a quarter of a unit, from −16384 on; src/color/difference/lab-cells.ts numbers them in the
    // same way. The 17 bits of a coordinate are moved to every third place, in five steps, and the three are
    // laid into each other.
    await runner.query(`
      CREATE FUNCTION lab_cell(l double precision, a double precision, b double precision) RETURNS bigint
        LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
      DECLARE
        ${AXES.map((axis) => `of_${axis} bigint := floor((${axis} + 16384) * 4);`).join('\n')}
      BEGIN
        ${AXES.flatMap((axis) => SPREADING.map(({ shift, mask }) => `of_${axis} := (of_${axis} | (of_${axis} << ${shift})) & ${mask};`)).join('\n')}
        RETURN (of_l << 2) | (of_a << 1) | of_b;
      END $$;
    `);
    for (const table of TABLES) {
      await runner.query(`
        DROP INDEX ix_${table}_lab;
        CREATE INDEX ix_${table}_lab ON ${table} (lab_cell(l, a, b)) INCLUDE (id, l, a, b);
      `);
    }
    // An index-only scan spares the table only where a vacuum has been since the rows were written: after
    // 1000 new ones and a twentieth of the table, not only after a fifth.
    await runner.query('ALTER TABLE color_formulas SET (autovacuum_vacuum_insert_scale_factor = 0.05)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE color_formulas RESET (autovacuum_vacuum_insert_scale_factor)');
    for (const table of TABLES) {
      await runner.query(`
        DROP INDEX ix_${table}_lab;
        CREATE INDEX ix_${table}_lab ON ${table} USING gist (cube(ARRAY[l, a, b]));
      `);
    }
    await runner.query('DROP FUNCTION lab_cell(double precision, double precision, double precision)');
  }
}
