import { type Database, type Statement } from '../database/database';
import { type Candidate, type CandidateSource, type CellContent, type LabCell, lastOf } from './difference';

/** The table's index is on this expression, which numbers a colour's cell as `cellNumber` does. */
const CELL = 'lab_cell(l, a, b)';

/**
 * The colours of a table with columns `id`, `l`, `a`, `b` and a B-tree index on `lab_cell(l, a, b)` that
 * includes these columns: the statements read nothing but that index.
 */
export class LabIndex implements CandidateSource {
  private readonly smallestCell: Statement;
  private readonly statements = new Map<string, Statement>();

  /** @param table a name of ours, never input */
  constructor(
    private readonly database: Database,
    private readonly table: 'color_formulas' | 'reference_colors',
  ) {
    this.smallestCell = {
      name: `${table}.smallest-cell`,
      // Of thousands of equal colours only the first few ids can matter: the rest stays in the database.
      text: `SELECT id, l AS "L", a, b FROM (
               SELECT id, l, a, b, row_number() OVER (PARTITION BY l, a, b ORDER BY id) AS copy
               FROM ${table} WHERE ${CELL} = $1
             ) numbered WHERE copy <= $2`,
    };
  }

  around(cell: number, count: number): Promise<Candidate[]> {
    const statement = this.statement(`around.${count}`, () => {
      const side = (where: string) =>
        `(SELECT id, l AS "L", a, b FROM ${this.table} WHERE ${CELL} ${where} LIMIT ${count})`;
      return `${side(`>= $1 ORDER BY ${CELL}`)} UNION ALL ${side(`< $1 ORDER BY ${CELL} DESC`)}`;
    });
    return this.database.query<Candidate>(statement, [cell]);
  }

  async inCells(cells: readonly LabCell[], most: number): Promise<CellContent[]> {
    // The limit is in the text: with a parameter there the planner would have to expect a tenth of the table.
    // The order is the index's own: asked for it, the planner does not first collect all of a range to take
    // 49 of it.
    const statement = this.statement(
      `cells.${most}`,
      () => `SELECT cell.number, color.id, color.l AS "L", color.a, color.b
             FROM unnest($1::int8[], $2::int8[]) WITH ORDINALITY AS cell (first, last, number)
             CROSS JOIN LATERAL (
               SELECT id, l, a, b FROM ${this.table} WHERE ${CELL} BETWEEN cell.first AND cell.last
               ORDER BY ${CELL} LIMIT ${most + 1}
             ) color`,
    );
    const rows = await this.database.query<Candidate & { number: number }>(statement, [
      cells.map(({ first }) => first),
      cells.map(lastOf),
    ]);
    const contents = cells.map((): CellContent => ({ colors: [], complete: true }));
    for (const row of rows) {
      const content = contents[row.number - 1]!;
      content.colors.push(row);
      if (content.colors.length > most) content.complete = false;
    }
    return contents;
  }

  inSmallestCell(cell: number, copies: number): Promise<Candidate[]> {
    return this.database.query<Candidate>(this.smallestCell, [cell, copies]);
  }

  private statement(name: string, text: () => string): Statement {
    let statement = this.statements.get(name);
    if (!statement) {
      statement = { name: `${this.table}.${name}`, text: text() };
      this.statements.set(name, statement);
    }
    return statement;
  }
}
