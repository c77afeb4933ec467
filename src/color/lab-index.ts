import { type Database, type Statement } from '../database/database';
import { type Lab } from './difference/lab';
import { type Candidate, type CandidateSource, type LabBox, widened } from './difference/nearest-search';

/** A colour with its Euclidean difference to the query. */
export interface Neighbour extends Candidate {
  distance: number;
}

interface NearestStatements {
  /** The nearest in the order of the index, and one more. */
  byIndex: Statement;
  /** The same, cut by distance and id among all colours up to a distance. */
  upTo: Statement;
}

/** Most colours of a box that are read at once; beyond it the table is walked in parts of the same size. */
const PART = 20_000;

/** Every id is above it: no record has the nil UUID. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Exactly the expression of the table's GiST index: written differently, the index would not serve. */
const POINT = 'cube(ARRAY[l, a, b])';

/**
 * The colours of a table with columns `id`, `l`, `a`, `b` and a GiST index on `cube(ARRAY[l, a, b])`, found by that
 * index: `<->` orders by Euclidean distance, `<@` takes what lies in a box.
 */
export class LabIndex implements CandidateSource {
  private readonly inBox: Statement;
  private readonly part: Statement;
  private readonly nearestOf = new Map<number, NearestStatements>();

  /** @param table a name of ours, never input */
  constructor(
    private readonly database: Database,
    private readonly table: 'color_formulas' | 'reference_colors',
  ) {
    this.inBox = {
      name: `${table}.in-box`,
      // Of thousands of equal colours only the first few ids can matter: the rest stays in the database.
      text: `WITH box AS MATERIALIZED (
               SELECT id, l, a, b FROM ${table} WHERE ${POINT} <@ cube($1::float8[], $2::float8[]) LIMIT ${PART + 1}
             ), numbered AS (
               SELECT id, l, a, b, row_number() OVER (PARTITION BY l, a, b ORDER BY id) AS copy FROM box
             )
             SELECT id, l AS "L", a, b, (SELECT count(*) FROM box) AS found FROM numbered WHERE copy <= $3`,
    };
    this.part = {
      name: `${table}.part`,
      text: `SELECT id, l AS "L", a, b FROM ${table} WHERE id > $1 ORDER BY id LIMIT ${PART}`,
    };
  }

  /** The `count` nearest by Euclidean difference, nearest first, ties by id. */
  async nearest(query: Lab, count: number): Promise<Neighbour[]> {
    const statements = this.nearestStatements(count);
    const point = [query.L, query.a, query.b];
    const rows = await this.database.query<Neighbour>(statements.byIndex, point);
    // One more than asked for tells whether the cut goes between equal distances, where the index chose as it liked.
    const [last, next] = [rows[count - 1], rows[count]];
    const reach = last && widened(last.distance);
    if (reach !== undefined && next && next.distance <= reach) {
      return this.database.query<Neighbour>(statements.upTo, [...point, reach]);
    }
    rows.sort((x, y) => x.distance - y.distance || (x.id < y.id ? -1 : 1));
    return rows.slice(0, count);
  }

  async within({ L, a, b }: LabBox, copies: number): Promise<Candidate[] | null> {
    const rows = await this.database.query<Candidate & { found: number }>(this.inBox, [
      [L[0], a[0], b[0]],
      [L[1], a[1], b[1]],
      copies,
    ]);
    return (rows[0]?.found ?? 0) > PART ? null : rows;
  }

  async *all(): AsyncIterable<Candidate[]> {
    for (let after = BEFORE_ALL; ;) {
      const rows = await this.database.query<Candidate>(this.part, [after]);
      if (rows.length > 0) yield rows;
      if (rows.length < PART) return;
      after = rows[rows.length - 1]!.id;
    }
  }

  private nearestStatements(count: number): NearestStatements {
    let statements = this.nearestOf.get(count);
    if (!statements) {
      const point = 'cube(ARRAY[$1::float8, $2::float8, $3::float8])';
      const columns = `id, l AS "L", a, b, ${POINT} <-> ${point} AS distance`;
      statements = {
        // With a second sort key PostgreSQL 15 and 16 leave the index. The count is in the text: with a parameter
        // there the planner would have to expect a tenth of the table.
        byIndex: {
          name: `${this.table}.nearest.${count}`,
          text: `SELECT ${columns} FROM ${this.table} ORDER BY ${POINT} <-> ${point} LIMIT ${count + 1}`,
        },
        upTo: {
          name: `${this.table}.nearest-tied.${count}`,
          text: `SELECT ${columns} FROM ${this.table}
                 WHERE ${POINT} <@ cube(ARRAY[$1::float8 - $4::float8, $2::float8 - $4::float8, $3::float8 - $4::float8],
                                        ARRAY[$1::float8 + $4::float8, $2::float8 + $4::float8, $3::float8 + $4::float8])
                 ORDER BY distance, id LIMIT ${count}`,
        },
      };
      this.nearestOf.set(count, statements);
    }
    return statements;
  }
}
