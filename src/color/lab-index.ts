import { type Database, type Statement } from '../database/database';
import { type Lab } from './difference/lab';
import { type Candidate, type CandidateSource, type LabBox } from './difference/nearest-search';

/** A colour with its Euclidean difference to the query. */
export interface Neighbour extends Candidate {
  distance: number;
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
  private readonly nearestOf = new Map<number, Statement>();

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
  nearest(query: Lab, count: number): Promise<Neighbour[]> {
    return this.database.query<Neighbour>(this.nearestStatement(count), [query.L, query.a, query.b]);
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

  private nearestStatement(count: number): Statement {
    let statement = this.nearestOf.get(count);
    if (!statement) {
      /*
       * With a second sort key PostgreSQL 15 and 16 leave the index, and without one equal distances come in any
       * order. So the index gives the distance of the last one, and everything up to it (a little more: distances are
       * rounded) is cut by distance and id. The count is in the text: with a parameter there the planner
       * would have to expect a tenth of the table.
       */
      const point = 'cube(ARRAY[$1::float8, $2::float8, $3::float8])';
      statement = {
        name: `${this.table}.nearest.${count}`,
        text: `WITH nearest AS MATERIALIZED (
                 SELECT ${POINT} <-> ${point} AS distance FROM ${this.table} ORDER BY ${POINT} <-> ${point} LIMIT ${count}
               ), reach AS (SELECT max(distance) * (1 + 1e-9) + 1e-9 AS r FROM nearest HAVING count(*) > 0)
               SELECT id, l AS "L", a, b, ${POINT} <-> ${point} AS distance
               FROM ${this.table}, reach
               WHERE ${POINT} <@ cube(ARRAY[$1::float8 - r, $2::float8 - r, $3::float8 - r],
                                      ARRAY[$1::float8 + r, $2::float8 + r, $3::float8 + r])
               ORDER BY distance, id LIMIT ${count}`,
      };
      this.nearestOf.set(count, statement);
    }
    return statement;
  }
}
