import { type Database, type Statement } from '../database/database';
import { ReadAccess } from '../database/read-access';
import {
  type Candidate,
  type CandidateSource,
  type CellContent,
  type LabBox,
  type LabCell,
  lastOf,
} from './difference';

/** The table's index is on this expression, which numbers a colour's cell as `cellNumber` does. */
const CELL = 'lab_cell(l, a, b)';

/**
 * A colour on its way from the database: the number of the cell that was asked for, id, L, a and b. The
 * number is negative where the colour is one more than was asked for of that cell.
 */
type SentColor = [number: number, id: string, L: number, a: number, b: number];

/**
 * SQL for rows of `number`, `id`, `l`, `a` and `b` as one JSON text: to take apart hundreds of rows costs
 * more than to look at them. A double in text is read back as it was.
 */
const sent = (rows: string): string =>
  `SELECT coalesce('[' || string_agg(concat('[', number, ',"', id, '",', l, ',', a, ',', b, ']'), ',') || ']', '[]')
     AS colors FROM (${rows}) found`;

const EVERYTHING = { access: ReadAccess.EVERYTHING, mayRead: 'true' };

/**
 * The colours of a table with columns `id`, `l`, `a`, `b` and a B-tree index on `lab_cell(l, a, b)` that
 * includes these columns: the statements read nothing but that index.
 */
export class LabIndex implements CandidateSource {
  private readonly access: ReadAccess;
  private readonly mayRead: string;
  private readonly smallestCell: Statement;
  private readonly statements = new Map<string, Statement>();

  /**
   * @param table a name of ours, never input
   * @param readable who asks, and SQL: whether a row may be read; absent: all may
   */
  constructor(
    private readonly database: Database,
    private readonly table: 'color_formulas' | 'reference_colors',
    { access, mayRead }: { access: ReadAccess; mayRead: string } = EVERYTHING,
  ) {
    this.access = access;
    this.mayRead = mayRead;
    this.smallestCell = {
      name: `${table}.smallest-cell`,
      mayLag: true,
      // Of thousands of equal colours only the first few ids can matter: the rest stays in the database.
      text: sent(`SELECT 1 AS number, id, l, a, b FROM (
                    SELECT id, l, a, b, row_number() OVER (PARTITION BY l, a, b ORDER BY id) AS copy
                    FROM ${table} WHERE ${CELL} = $1 AND ${mayRead}
                  ) numbered WHERE copy <= $2`),
    };
  }

  async around(cell: number, count: number): Promise<Candidate[]> {
    const statement = this.statement(`around.${count}`, () => {
      const side = (where: string, way: 'ASC' | 'DESC') =>
        `(SELECT 1 AS number, id, l, a, b FROM ${this.table}
          WHERE ${CELL} ${where} AND ${this.mayRead} ORDER BY ${CELL} ${way} LIMIT ${count})`;
      return `${side('>= $1', 'ASC')} UNION ALL ${side('< $1', 'DESC')}`;
    });
    return (await this.read(statement, [cell])).map(candidateOf);
  }

  async inCells(cells: readonly LabCell[], most: number, box: LabBox): Promise<CellContent[]> {
    // The limit is in the text: with a parameter there the planner would have to expect a tenth of the table.
    // The order is the index's own: asked for it, the planner does not first collect all of a range to take
    // 49 of it. The box comes after the limit, which else would not end the walk through a crowded cell.
    const statement = this.statement(
      `cells.${most}`,
      () => `SELECT CASE WHEN place > ${most} THEN -cell.number ELSE cell.number END AS number, id, l, a, b
             FROM unnest($1::int8[], $2::int8[]) WITH ORDINALITY AS cell (first, last, number)
             CROSS JOIN LATERAL (
               SELECT id, l, a, b, row_number() OVER () AS place FROM (
                 SELECT id, l, a, b FROM ${this.table}
                 WHERE ${CELL} BETWEEN cell.first AND cell.last AND ${this.mayRead}
                 ORDER BY ${CELL} LIMIT ${most + 1}) first
             ) color
             WHERE place > ${most} OR l BETWEEN $3 AND $4 AND a BETWEEN $5 AND $6 AND b BETWEEN $7 AND $8`,
    );
    const ranges = [cells.map(({ first }) => first), cells.map(lastOf)];
    const contents = cells.map((): CellContent => ({ colors: [], complete: true }));
    for (const color of await this.read(statement, [...ranges, ...box.L, ...box.a, ...box.b])) {
      const content = contents[Math.abs(color[0]) - 1]!;
      content.colors.push(candidateOf(color));
      if (color[0] < 0) content.complete = false;
    }
    return contents;
  }

  async inSmallestCell(cell: number, copies: number): Promise<Candidate[]> {
    return (await this.read(this.smallestCell, [cell, copies])).map(candidateOf);
  }

  private async read(statement: Statement, values: unknown[]): Promise<SentColor[]> {
    const [found] = await this.database.query<{ colors: string }>(...this.access.reading(statement, values));
    return JSON.parse(found!.colors) as SentColor[];
  }

  private statement(name: string, rows: () => string): Statement {
    let statement = this.statements.get(name);
    if (!statement) {
      statement = { name: `${this.table}.${name}`, mayLag: true, text: sent(rows()) };
      this.statements.set(name, statement);
    }
    return statement;
  }
}

const candidateOf = ([, id, L, a, b]: SentColor): Candidate => ({ id, L, a, b });
