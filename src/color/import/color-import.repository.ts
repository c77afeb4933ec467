import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../database/database';
import { type NewColor, type StoredColor } from './color-import-plan';
import { colorKey } from './color-row';

// Writers of colours wait until the import is through, searches do not: what was matched is then still so
// when it is written.
const LOCK: Statement = {
  name: 'color-import.lock',
  text: 'LOCK TABLE color_formulas IN SHARE ROW EXCLUSIVE MODE',
};

const BY_NAME: Statement = {
  name: 'color-import.by-name',
  text: `SELECT k.position, c.id, c.name, c.l AS "L", c.a, c.b, c.actual_l AS "actualL", c.actual_a AS "actualA",
                c.actual_b AS "actualB", c.delta_e AS "deltaE", c.colorant_composition AS "colorantComposition"
         FROM unnest($1::text[]) WITH ORDINALITY AS k (name, position)
         JOIN color_formulas c ON lower(btrim(c.name)) = lower(k.name)
         ORDER BY k.position, c.id`,
};

const COLUMNS = 'name, l, a, b, actual_l, actual_a, actual_b, delta_e, colorant_composition';

const ARRAYS = `$1::text[], $2::float8[], $3::float8[], $4::float8[], $5::float8[], $6::float8[], $7::float8[],
                $8::float8[], $9::json[]`;

const INSERT: Statement = {
  name: 'color-import.insert',
  text: `INSERT INTO color_formulas (${COLUMNS}, created_by)
         SELECT ${COLUMNS}, $10::uuid
         FROM unnest(${ARRAYS}) AS color (${COLUMNS})`,
};

const UPDATE: Statement = {
  name: 'color-import.update',
  text: `UPDATE color_formulas c
            SET l = u.l, a = u.a, b = u.b, actual_l = u.actual_l, actual_a = u.actual_a, actual_b = u.actual_b,
                delta_e = u.delta_e, colorant_composition = u.colorant_composition
           FROM unnest(${ARRAYS}, $10::uuid[]) AS u (${COLUMNS}, id)
          WHERE c.id = u.id`,
};

interface Row {
  position: number;
  id: string;
  name: string;
  L: number;
  a: number;
  b: number;
  actualL: number | null;
  actualA: number | null;
  actualB: number | null;
  deltaE: number | null;
  colorantComposition: unknown;
}

/** Statements of an import: for many rows at once, never one by one. */
@Injectable()
export class ColorImportRepository {
  constructor(private readonly database: Database) {}

  transaction<T>(work: () => Promise<T>): Promise<T> {
    return this.database.transaction(work);
  }

  /** Keeps others from writing colours until the current transaction ends. */
  async lock(): Promise<void> {
    await this.database.query(LOCK);
  }

  /** For each name, in the same order, the stored colours of that name, regardless of case. */
  async findByNames(names: readonly string[]): Promise<StoredColor[][]> {
    const rows = await this.database.query<Row>(BY_NAME, [names.map(colorKey)]);
    const found = names.map((): StoredColor[] => []);
    for (const { position, L, a, b, actualL, actualA, actualB, ...row } of rows) {
      const actualLab = actualL === null ? null : { L: actualL, a: actualA!, b: actualB! };
      found[position - 1]?.push({ ...row, targetLab: { L, a, b }, actualLab });
    }
    return found;
  }

  async insert(colors: readonly NewColor[], createdBy: string): Promise<void> {
    await this.database.query(INSERT, [...columns(colors), createdBy]);
  }

  async update(colors: readonly StoredColor[]): Promise<void> {
    await this.database.query(UPDATE, [...columns(colors), colors.map(({ id }) => id)]);
  }
}

/** One array for each of COLUMNS. */
const columns = (colors: readonly NewColor[]): unknown[] => [
  colors.map(({ name }) => name),
  colors.map(({ targetLab }) => targetLab.L),
  colors.map(({ targetLab }) => targetLab.a),
  colors.map(({ targetLab }) => targetLab.b),
  colors.map(({ actualLab }) => actualLab?.L ?? null),
  colors.map(({ actualLab }) => actualLab?.a ?? null),
  colors.map(({ actualLab }) => actualLab?.b ?? null),
  colors.map(({ deltaE }) => deltaE),
  colors.map(({ colorantComposition: value }) => (value === null ? null : JSON.stringify(value))),
];
