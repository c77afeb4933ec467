import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { QueryRunner } from 'typeorm';

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

const COLUMNS = 'id, name, pinyin, hex, l, a, b, source, spellings';

/** Derives the id from the colour, so that it is the same in every installation. */
const ROWS = `
  SELECT md5(source || ':' || name || ':' || hex)::uuid, name, pinyin, hex, l, a, b, source, spellings
  FROM json_to_recordset($1::json) AS color (
    name text, pinyin text, hex text, l float8, a float8, b float8, source text, spellings text)`;

/** The library of named colours. */
export async function insertReferenceColors(runner: QueryRunner): Promise<void> {
  await runner.query(`INSERT INTO reference_colors (${COLUMNS}) ${ROWS}`, [JSON.stringify(namedColors())]);
}

/** Returns true if colours were added, changed or deleted since the migration has filled the library. */
export async function areReferenceColorsChanged(
  query: <Row>(text: string, values?: unknown[]) => Promise<Row[]>,
): Promise<boolean> {
  const [found] = await query<{ changed: boolean }>(
    `WITH wanted (${COLUMNS}) AS (${ROWS}), found AS (SELECT ${COLUMNS} FROM reference_colors)
     SELECT EXISTS (TABLE wanted EXCEPT ALL TABLE found) OR EXISTS (TABLE found EXCEPT ALL TABLE wanted) AS changed`,
    [JSON.stringify(namedColors())],
  );
  return found!.changed;
}

function namedColors() {
  const text = readFileSync(join(__dirname, 'reference-colors.json'), 'utf8');
  return (JSON.parse(text) as NamedColors).sources.flatMap(({ package: source, colors }) =>
    colors.map(({ name, pinyin, hex, lab: [l, a, b], also }) => {
      const spellings = [name, ...(pinyin ? [pinyin] : []), ...(also ?? [])].join('\n').toLowerCase();
      return { name, pinyin, hex, l, a, b, source, spellings: `\n${spellings}\n` };
    }),
  );
}
