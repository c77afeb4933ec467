import { type Database, type Statement } from '../database/database';
import { ReadAccess } from '../database/read-access';
import {
  type Candidate,
  type CandidateSource,
  type CellRange,
  type LabEllipsoid,
  type Likely,
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

/** The number of a range, how many colours of it were read, and id, L, a, b of each that is near. */
type SentRange = [number: number, read: number, ...colors: (string | number)[]];

/** What is shown of colours, by id. */
type ShownRows = ReadonlyMap<string, string>;

const COLOR = `'"', id, '",', l, ',', a, ',', b`;

/** SQL for rows, each the inside of an array, as one JSON text. */
const jsonArrays = (inside: string, rows: string): string =>
  `SELECT coalesce('[' || string_agg(concat('[', ${inside}, ']'), ',') || ']', '[]') AS sent FROM ${rows}`;

/**
 * PostgreSQL refuses a product that is too small for a double. A difference is 0 here, or 1e-116 at least;
 * what is added is far less than any slack.
 */
const difference = (coordinate: string, parameter: string): string =>
  `(${coordinate} - ${parameter}::float8 + 1e-100::float8)`;
/** A factor less than this counts as 0, for the same reason. */
const SMALLEST_FACTOR = 1e-30;

const DL = difference('l', '$3');
const DA = difference('a', '$4');
const DB = difference('b', '$5');

/** $3 to $7: the middle of an ellipsoid, and its half-axes as they are compared. */
const IS_NEAR = `${DL} * ${DL} * $6::float8 + (${DA} * ${DA} + ${DB} * ${DB}) * $7::float8 <= 1`;

/** $8 to $11: a metric of the differences to that middle. */
const BY_METRIC = `${DL} * ${DL} * $8::float8 + ${DA} * (${DA} * $9::float8 + ${DB} * $10::float8)
  + ${DB} * ${DB} * $11::float8, id`;

/** Longest row that comes along, in characters: a longer one is read when it is known to be in the answer. */
const LONGEST_ROW = 4000;

/** What the statement for one range of $1 and $2 gives. */
const ofEachRange = (content: string): string =>
  `unnest($1::int8[], $2::int8[]) WITH ORDINALITY AS asked (first, last, number)
   CROSS JOIN LATERAL (${content}) content`;

/** How many colours of a range were read, and those that are near. */
const READ_AND_NEAR = `count(*) AS read, string_agg(concat(',', ${COLOR}), '') FILTER (WHERE ${IS_NEAR}) AS near`;
const SENT_RANGE = `number, ',', read, near`;

interface LabIndexOptions {
  /** Who asks. */
  access: ReadAccess;
  /** SQL: whether a row may be read. */
  mayRead: string;
  /**
   * SELECT list of what is shown of a row, one for a table: it comes along with colours that are likely the
   * answer.
   */
  shown?: string;
}

/**
 * The colours of a table with columns `id`, `l`, `a`, `b` and a B-tree index on `lab_cell(l, a, b)` that
 * includes these columns: the statements read nothing but that index, and what is shown.
 */
export class LabIndex implements CandidateSource {
  private readonly smallestCell: Statement;
  private readonly statements = new Map<string, Statement>();

  /**
   * @param table a name of ours, never input
   * @param options absent: all may be read
   */
  constructor(
    private readonly database: Database,
    private readonly table: 'color_formulas' | 'reference_colors',
    private readonly options: LabIndexOptions = { access: ReadAccess.EVERYTHING, mayRead: 'true' },
  ) {
    this.smallestCell = {
      name: `${table}.smallest-cell`,
      // Of thousands of equal colours only the first few ids can matter: the rest stays in the database.
      text: jsonArrays(
        COLOR,
        `(SELECT id, l, a, b, row_number() OVER (PARTITION BY l, a, b ORDER BY id) AS copy
          FROM ${table} WHERE ${CELL} = $1 AND ${options.mayRead}) numbered WHERE copy <= $2`,
      ),
    };
  }

  async around(cell: number, count: number): Promise<Candidate[]> {
    const statement = this.statement(`around.${count}`, () => {
      const side = (where: string, way: 'ASC' | 'DESC') =>
        `(SELECT id, l, a, b FROM ${this.table}
          WHERE ${CELL} ${where} AND ${this.options.mayRead} ORDER BY ${CELL} ${way} LIMIT ${count})`;
      return jsonArrays(COLOR, `(${side('>= $1', 'ASC')} UNION ALL ${side('< $1', 'DESC')}) near`);
    });
    return this.colors(statement, [cell]);
  }

  async inRanges(
    ranges: readonly CellRange[],
    most: number,
    { centre, lightness, chromatic }: LabEllipsoid,
    { count, metric }: Likely,
  ): Promise<RangeContent[]> {
    const isShown = this.options.shown !== undefined && count > 0;
    const statement = isShown
      ? this.statement(`shown-ranges.${most}`, () => this.shownRanges(most))
      : this.statement(`ranges.${most}`, () => this.ranges(most));
    const values: unknown[] = [ranges.map(({ first }) => first), ranges.map(({ last }) => last)];
    values.push(centre.L, centre.a, centre.b, lightness ** -2, chromatic ** -2);
    if (isShown) {
      const both = Math.abs(metric.ab) < SMALLEST_FACTOR ? 0 : 2 * metric.ab;
      values.push(metric.L, metric.aa, both, metric.bb, count);
    }
    const { sent, rows } = await this.read<SentRange>(statement, values);
    const contents = ranges.map((): RangeContent => ({ colors: [], complete: true }));
    for (const range of sent) {
      const [number, read] = range;
      const content = contents[number - 1]!;
      content.complete = read <= most;
      for (let at = 2; at < range.length; at += 4) content.colors.push(candidateAt(range, at, rows));
    }
    return contents;
  }

  inSmallestCell(cell: number, copies: number): Promise<Candidate[]> {
    return this.colors(this.smallestCell, [cell, copies]);
  }

  private ranges(most: number): string {
    const content = `SELECT ${READ_AND_NEAR} FROM (${this.firstOfRange(most)}) first`;
    return jsonArrays(SENT_RANGE, `${ofEachRange(content)} WHERE read > 0`);
  }

  /** The same, and what is shown of the first $12 near ones by the metric. */
  private shownRanges(most: number): string {
    const { shown } = this.options;
    return `
      WITH first AS MATERIALIZED (SELECT number, id, l, a, b FROM ${ofEachRange(this.firstOfRange(most))}),
      likely AS MATERIALIZED (
        SELECT id AS likely_id FROM first WHERE ${IS_NEAR} ORDER BY ${BY_METRIC} LIMIT (SELECT $12::bigint))
      SELECT sent, (
        SELECT json_agg(json_build_array(likely_id, json)) FROM likely CROSS JOIN LATERAL (
          SELECT row_to_json(shown)::text AS json FROM (
            SELECT ${shown} FROM ${this.table} WHERE id = likely_id LIMIT 1) shown) read
        WHERE length(json) <= ${LONGEST_ROW})::text AS rows
      FROM (${jsonArrays(SENT_RANGE, `(SELECT number, ${READ_AND_NEAR} FROM first GROUP BY number) content`)}) ranges`;
  }

  /**
   * The limit is in the text: with a parameter there the planner would have to expect a tenth of the table.
   * The order is the index's own: asked for it, the planner does not first collect all of a range to take 65
   * of it. What is near is chosen after the limit, which else would not end the walk through a crowded cell.
   */
  private firstOfRange(most: number): string {
    return `SELECT id, l, a, b FROM ${this.table}
            WHERE ${CELL} BETWEEN asked.first AND asked.last AND ${this.options.mayRead}
            ORDER BY ${CELL} LIMIT ${most + 1}`;
  }

  private async colors(statement: Statement, values: unknown[]): Promise<Candidate[]> {
    return (await this.read<SentColor>(statement, values)).sent.map((color) => candidateAt(color, 0));
  }

  private async read<Sent>(
    statement: Statement,
    values: unknown[],
  ): Promise<{ sent: Sent[]; rows?: ShownRows }> {
    const { access } = this.options;
    const [found] = await this.database.query<{ sent: string; rows?: string | null }>(
      ...access.reading(statement, values),
    );
    const { sent, rows } = found!;
    return {
      sent: JSON.parse(sent) as Sent[],
      rows: rows ? new Map(JSON.parse(rows) as [string, string][]) : undefined,
    };
  }

  private statement(name: string, text: () => string): Statement {
    let statement = this.statements.get(name);
    if (!statement) {
      statement = { name: `${this.table}.${name}`, mayPipeline: true, text: text() };
      this.statements.set(name, statement);
    }
    return statement;
  }
}

const candidateAt = (sent: SentColor | SentRange, at: number, rows?: ShownRows): Candidate => ({
  id: sent[at] as string,
  L: sent[at + 1] as number,
  a: sent[at + 2] as number,
  b: sent[at + 3] as number,
  row: rows?.get(sent[at] as string),
});
