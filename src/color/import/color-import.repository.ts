import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../database/database';
import { EntityTable } from '../../database/entity-table';
import { nameKeySql } from '../../database/name-key-sql';
import { ColorFormulaEntity } from '../color-formula.entity';
import { type NewColor, type StoredColor } from './color-import-plan';

const COLORS = new EntityTable(ColorFormulaEntity);
/** What a row of a file has; all but the name can change a stored colour. */
export const CHANGED = ['targetLab', 'actualLab', 'deltaE', 'colorantComposition'];
const IMPORTED = ['name', ...CHANGED];

// Writers of colours wait until the import is through, searches do not: what was matched is then still so
// when it is written.
const LOCK: Statement = {
  name: 'color-import.lock',
  text: 'LOCK TABLE color_formulas IN SHARE ROW EXCLUSIVE MODE',
};

const BY_NAME: Statement = {
  name: 'color-import.by-name',
  text: `SELECT k.position, ${COLORS.shown(['id', ...IMPORTED], 'c')}
         FROM unnest($1::text[]) WITH ORDINALITY AS k (name, position)
         JOIN color_formulas c ON ${nameKeySql('c.name')} = ${nameKeySql('k.name')}`,
};

const INSERT: Statement = {
  name: 'color-import.insert',
  text: `INSERT INTO color_formulas (created_by, ${COLORS.names(IMPORTED)})
         SELECT $1::uuid, color.* FROM unnest(${COLORS.arrays(IMPORTED, 2)}) AS color
         RETURNING id`,
};

const UPDATE: Statement = {
  name: 'color-import.update',
  text: `UPDATE color_formulas c SET (${COLORS.names(CHANGED)}) = (${COLORS.names(CHANGED, 'u')})
           FROM unnest($1::uuid[], ${COLORS.arrays(CHANGED, 2)}) AS u (id, ${COLORS.names(CHANGED)})
          WHERE c.id = u.id`,
};

/** Statements of an import: for many rows at once, never one by one. */
@Injectable()
export class ColorImportRepository {
  constructor(private readonly database: Database) {}

  transaction<T>(work: () => Promise<T>): Promise<T> {
    return this.database.longTransaction(work);
  }

  /** Keeps others from writing colours until the current transaction ends. */
  async lock(): Promise<void> {
    await this.database.query(LOCK);
  }

  /** For each name, in the same order, the stored colours of that name, regardless of case. */
  async findByNames(names: readonly string[]): Promise<StoredColor[][]> {
    const rows = await this.database.query<StoredColor & { position: number }>(BY_NAME, [names]);
    const found = names.map((): StoredColor[] => []);
    for (const { position, ...color } of rows) found[position - 1]?.push(color);
    return found;
  }

  /** Gives their ids, in the same order. */
  async insert(colors: readonly NewColor[], createdBy: string): Promise<string[]> {
    const values = [createdBy, ...COLORS.valueArrays(IMPORTED, colors)];
    return (await this.database.query<{ id: string }>(INSERT, values)).map(({ id }) => id);
  }

  async update(colors: readonly StoredColor[]): Promise<void> {
    const ids = colors.map(({ id }) => id);
    await this.database.query(UPDATE, [ids, ...COLORS.valueArrays(CHANGED, colors)]);
  }
}
