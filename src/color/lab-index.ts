import { type Database, type Statement } from '../database/database';
import { ReadAccess } from '../database/read-access';
import {
  type Candidate,
  type CandidateSource,
  type CellRange,
  type LabBox,
  type RangeContent,
} from './difference';

/** The table's index is on this expression, which numbers a colour's cell as `cellNumber` does. */
const CELL = 'lab_cell(l, a, b)';

/*
 * Colours come from the database as one JSON text: to take apart hundreds of rows costs more than to look at
 * them. A double in text is read back as it was.
 */

/** id, L, a and b. */
type SentColor = [id: string, L: number, a: number, b: number];

/** The number of a range, how many colours of it were read, and id, L, a, b of each that is in the box. */
type SentRange = [number: number, read: number, ...colors: (string | number)[]];

const COLOR = `'"', id, '",', l, ',', a, ',', b`;

/** SQL for rows of `item`, the inside of an array, as one JSON text. */
const sent = (item: string, rows: string): string =>
  `SELECT coalesce('[' || string_agg(concat('[', ${item}, ']'), ',') || ']', '[]') AS sent FROM ${rows}`;

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
      text: sent(
        COLOR,
        `(SELECT id, l, a, b, row_number() OVER (PARTITION BY l, a, b ORDER BY id) AS copy
          FROM ${table} WHERE ${CELL} = $1 AND ${mayRead}) numbered WHERE copy <= $2`,
      ),
    };
  }

  async around(cell: number, count: number): Promise<Candidate[]> {
    const statement = this.statement(`around.${count}`, () => {
      const side = (where: string, way: 'ASC' | 'DESC') =>
        `(SELECT id, l, a, b FROM ${this.table}
          WHERE ${CELL} ${where} AND ${this.mayRead} ORDER BY ${CELL} ${way} LIMIT ${count})`;
      return sent(COLOR, `(${side('>= $1', 'ASC')} UNION ALL ${side('< $1', 'DESC')}) near`);
    });
    return this.colors(statement, [cell]);
  }

  async inRanges(ranges: readonly CellRange[], most: number, box: LabBox): Promise<RangeContent[]> {
    // The limit is in the text: with a parameter there the planner would have to expect a tenth of the table.
    // The order is the index's own: asked for it, the planner does not first collect all of a range to take
    // 65 of it. The box comes after the limit, which else would not end the walk through a crowded cell.
    const statement = this.statement(`ranges.${most}`, () =>
      sent(
        "number, ',', read, colors",
        `unnest($1::int8[], $2::int8[]) WITH ORDINALITY AS asked (first, last, number)
         CROSS JOIN LATERAL (
           SELECT count(*) AS read, string_agg(concat(',', ${COLOR}), '') FILTER (
             WHERE l BETWEEN $3 AND $4 AND a BETWEEN $5 AND $6 AND b BETWEEN $7 AND $8) AS colors
           FROM (SELECT id, l, a, b FROM ${this.table}
                 WHERE ${CELL} BETWEEN asked.first AND asked.last AND ${this.mayRead}
                 ORDER BY ${CELL} LIMIT ${most + 1}) first
         ) content WHERE read > 0`,
      ),
    );
    const limits = [ranges.map(({ first }) => first), ranges.map(({ last }) => last)];
    const contents = ranges.map((): RangeContent => ({ colors: [], complete: true }));
    const values = [...limits, ...box.L, ...box.a, ...box.b];
    for (const sent of await this.read<SentRange>(statement, values)) {
      const [number, read] = sent;
      const content = contents[number - 1]!;
      content.complete = read <= most;
      for (let at = 2; at < sent.length; at += 4) content.colors.push(candidateAt(sent, at));
    }
    return contents;
  }

  inSmallestCell(cell: number, copies: number): Promise<Candidate[]> {
    return this.colors(this.smallestCell, [cell, copies]);
  }

  private async colors(statement: Statement, values: unknown[]): Promise<Candidate[]> {
    return (await this.read<SentColor>(statement, values)).map((sent) => candidateAt(sent, 0));
  }

  private async read<Sent>(statement: Statement, values: unknown[]): Promise<Sent[]> {
    const [found] = await this.database.query<{ sent: string }>(...this.access.reading(statement, values));
    return JSON.parse(found!.sent) as Sent[];
  }

  private statement(name: string, text: () => string): Statement {
    let statement = this.statements.get(name);
    if (!statement) {
      statement = { name: `${this.table}.${name}`, mayLag: true, text: text() };
      this.statements.set(name, statement);
    }
    return statement;
  }
}

const candidateAt = (sent: SentColor | SentRange, at: number): Candidate => ({
  id: sent[at] as string,
  L: sent[at + 1] as number,
  a: sent[at + 2] as number,
  b: sent[at + 3] as number,
});
