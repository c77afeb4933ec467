import type { QueryRunner } from 'typeorm';

/**
 * What searches look in is one stored text per row, under a trigram index.
 *
 * `search_key(text)` is lower case with every character beyond ASCII written three times: a Chinese word of
 * two characters, or one, is ordinary, but a trigram index does not serve patterns shorter than three.
 * Written this way 保湿 is six characters, and it stands in a key exactly where it stands in the text. The
 * columns are joined by U+001F, which the function itself never yields, so that nothing is found across two
 * of them.
 *
 * Triggers keep the column, not GENERATED ALWAYS: TypeORM would need a metadata table of its own for that.
 */
const SEARCH_KEYS = `
  CREATE FUNCTION search_key(sought text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN regexp_replace(translate(lower(sought), U&'\\001F', ' '), '([^\\x01-\\x7f])', '\\1\\1\\1', 'g');

  CREATE FUNCTION formulas_search_key() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.search_key := coalesce(search_key(NEW.name), '') || U&'\\001F' || coalesce(search_key(NEW.description), '');
    RETURN NEW;
  END $$;

  CREATE FUNCTION ingredients_search_key() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.search_key :=
      coalesce(search_key(NEW.inci_name), '') || U&'\\001F' || coalesce(search_key(NEW.chinese_name), '');
    RETURN NEW;
  END $$;
`;

const AXES = ['l', 'a', 'b'];

/** Half of the bits that are together move on by `shift`; `mask` keeps them at their places. */
const SPREADING = [
  { shift: 32, mask: 0x1f00000000ffffn },
  { shift: 16, mask: 0x1f0000ff0000ffn },
  { shift: 8, mask: 0x100f00f00f00f00fn },
  { shift: 4, mask: 0x10c30c30c30c30c3n },
  { shift: 2, mask: 0x1249249249249249n },
];

const spread = (axis: string) =>
  SPREADING.map(({ shift, mask }) => `of_${axis} := (of_${axis} | (of_${axis} << ${shift})) & ${mask};`);

/**
 * The number of a colour's cell along a Z-order curve (docs/colour.md says why). Cells of a quarter of a
 * unit, from −16384 on; src/color/difference numbers them in the same way. The 17 bits of a coordinate are
 * moved to every third place, in five steps, and the three are laid into each other.
 */
const LAB_CELL = `
  CREATE FUNCTION lab_cell(l double precision, a double precision, b double precision) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  DECLARE
    ${AXES.map((axis) => `of_${axis} bigint := floor((${axis} + 16384) * 4);`).join('\n')}
  BEGIN
    ${AXES.flatMap(spread).join('\n')}
    RETURN (of_l << 2) | (of_a << 1) | of_b;
  END $$;
`;

export async function createFunctions(runner: QueryRunner): Promise<void> {
  await runner.query(SEARCH_KEYS);
  await runner.query(LAB_CELL);
}

export async function dropFunctions(runner: QueryRunner): Promise<void> {
  await runner.query(`
    DROP FUNCTION lab_cell(double precision, double precision, double precision);
    DROP FUNCTION ingredients_search_key();
    DROP FUNCTION formulas_search_key();
    DROP FUNCTION search_key(text);
  `);
}
