import { type RowCondition, RowFilter } from '../platform/access/row-filter';
import { type DatabaseService } from '../platform/database/database.service';
import type { PlacedColor, ColorSource, CellRange, RangeContent, Ranked } from './difference';

/** The table's index is on this expression. It numbers the cell of a colour as `cellNumber` does. */
const CELL = 'lab_cell(l, a, b)';

/*
 * Colours are read as one JSON text, because parsing hundreds of rows takes longer than comparing the
 * colours. A double in text is read back exactly.
 */

/** id, L, a and b. */
type SentColor = [id: string, L: number, a: number, b: number];

/** Number of a range, from 1, followed by id, L, a and b of each of its colours. */
type SentRange = [number: number, ...colors: (string | number)[]];

const COLOR = `'"', id, '",', l, ',', a, ',', b`;

/** Returns SQL that converts rows, each with the inside of an array, to one JSON text. */
const jsonArrays = (inside: string, rows: string): string =>
  `SELECT coalesce('[' || string_agg(concat('[', ${inside}, ']'), ',') || ']', '[]') AS sent FROM ${rows}`;

/**
 * The colours of a table with columns `id`, `l`, `a`, `b` and a B-tree index on `lab_cell(l, a, b)`
 * that includes these columns. The statements only read that index.
 */
export class CieLabIndex implements ColorSource {
  /**
   * @param table a constant name, never input
   * @param filter the colours that the user can read
   */
  constructor(
    private readonly database: DatabaseService,
    private readonly table: 'color_formulas' | 'reference_colors',
    private readonly filter: RowFilter = RowFilter.EVERYTHING,
  ) {}

  around(cell: number, count: number): Promise<PlacedColor[]> {
    const readable = this.readable(2);
    const side = (where: string, way: 'ASC' | 'DESC') =>
      `(SELECT id, l, a, b FROM ${this.table} c
        WHERE ${CELL} ${where} AND ${readable.sql} ORDER BY ${CELL} ${way} LIMIT ${count})`;
    const text = jsonArrays(COLOR, `(${side('>= $1', 'ASC')} UNION ALL ${side('< $1', 'DESC')}) near`);
    return this.colors(`around.${count}`, text, [cell, ...readable.values]);
  }

  /**
   * The limit is part of the text: with a parameter, the planner would assume a tenth of the table. The
   * order is that of the index, so that the planner does not read an entire range to return 65 rows of it.
   */
  async inRanges(ranges: readonly CellRange[], most: number): Promise<RangeContent[]> {
    const readable = this.readable(3);
    const text = jsonArrays(
      'number, near',
      `unnest($1::int8[], $2::int8[]) WITH ORDINALITY AS cells (first, last, number)
       CROSS JOIN LATERAL (
         SELECT string_agg(concat(',', ${COLOR}), '') AS near FROM (
           SELECT id, l, a, b FROM ${this.table} c
           WHERE ${CELL} BETWEEN cells.first AND cells.last AND ${readable.sql}
           ORDER BY ${CELL} LIMIT ${most + 1}) colors) content
       WHERE near IS NOT NULL`,
    );
    const values = [ranges.map(({ first }) => first), ranges.map(({ last }) => last), ...readable.values];
    const contents = ranges.map((): RangeContent => ({ colors: [], complete: true }));
    for (const range of await this.read<SentRange>(`ranges.${most}`, text, values)) {
      const content = contents[range[0] - 1]!;
      for (let at = 1; at < range.length; at += 4) content.colors.push(placedColorAt(range, at));
      content.complete = content.colors.length <= most;
    }
    return contents;
  }

  /** Only the first few ids of equal colours can be in the result, so the others are not read. */
  inSmallestCell(cell: number, copies: number): Promise<PlacedColor[]> {
    const readable = this.readable(3);
    const text = jsonArrays(
      COLOR,
      `(SELECT id, l, a, b, row_number() OVER (PARTITION BY l, a, b ORDER BY id) AS copy
        FROM ${this.table} c WHERE ${CELL} = $1 AND ${readable.sql}) numbered WHERE copy <= $2`,
    );
    return this.colors('smallest-cell', text, [cell, copies, ...readable.values]);
  }

  private readable(firstParameter: number): RowCondition {
    return this.filter.for('color', 'c', firstParameter);
  }

  private async colors(name: string, text: string, values: unknown[]): Promise<PlacedColor[]> {
    return (await this.read<SentColor>(name, text, values)).map((color) => placedColorAt(color, 0));
  }

  private async read<Sent>(name: string, text: string, values: unknown[]): Promise<Sent[]> {
    const statement = { name: this.filter.named(`${this.table}.${name}`), text };
    const [found] = await this.database.query<{ sent: string }>(statement, values);
    return JSON.parse(found!.sent) as Sent[];
  }
}

const placedColorAt = (sent: SentColor | SentRange, at: number): PlacedColor => ({
  id: sent[at] as string,
  L: sent[at + 1] as number,
  a: sent[at + 2] as number,
  b: sent[at + 3] as number,
});

/** Returns the rows of ranked colours in their order, with their distance. Omits rows that no longer exist. */
export function inOrder<Row extends { id: string }>(
  ranked: readonly Ranked[],
  rows: readonly Row[],
): (Row & { distance: number })[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ranked.flatMap(({ id, distance }) => {
    const row = byId.get(id);
    return row ? [{ ...row, distance }] : [];
  });
}
