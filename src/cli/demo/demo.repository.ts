import type { DatabaseService, Statement } from '../../platform/database/database.service';
import type { TransactionManager } from '../../platform/database/transaction-manager';

// Serialises loads. Any number that no other code uses for advisory locks in this database.
const LOCK: Statement = { name: 'demo.lock', text: 'SELECT pg_advisory_xact_lock(7305802114)' };

// Matches the record of any supplier, because a second record would duplicate the ingredient, and an import without
// suppliers refuses duplicates. The demo's own supplier comes first, then the oldest record, so that every run
// finds the same one.
const INGREDIENTS: Statement = {
  name: 'demo.ingredients',
  text: `SELECT DISTINCT ON (wanted.position) wanted.position, i.id
         FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (inci_name, supplier, position)
         JOIN ingredients i ON lower(i.inci_name) = lower(wanted.inci_name)
         ORDER BY wanted.position, i.supplier IS DISTINCT FROM wanted.supplier, i.created_at, i.id`,
};

const owned = (table: string): Statement => ({
  name: `demo.${table}`,
  text: `SELECT DISTINCT ON (name) name, id FROM ${table} WHERE created_by = $1 ORDER BY name, created_at, id`,
});

const OWNED = {
  projects: owned('projects'),
  formulas: owned('formulas'),
  colors: owned('color_formulas'),
};

const EDITION: Statement = {
  name: 'demo.edition',
  text: 'SELECT 1 FROM limit_editions WHERE name = $1',
};

/** $1: ids. Those that a record has, also a formula in the trash. */
const TAKEN: Statement = {
  name: 'demo.taken-ids',
  text: `SELECT id FROM users WHERE id = ANY ($1::uuid[])
         UNION ALL SELECT id FROM ingredients WHERE id = ANY ($1::uuid[])
         UNION ALL SELECT id FROM projects WHERE id = ANY ($1::uuid[])
         UNION ALL SELECT id FROM formulas WHERE id = ANY ($1::uuid[])
         UNION ALL SELECT id FROM trashed_formulas WHERE id = ANY ($1::uuid[])
         UNION ALL SELECT id FROM color_formulas WHERE id = ANY ($1::uuid[])
         UNION ALL SELECT id FROM limit_editions WHERE id = ANY ($1::uuid[])`,
};

/** $1: the formula; $2: the id that the first line of its version 1 gets. */
const NAME_LINE: Statement = {
  name: 'demo.name-line',
  text: `UPDATE formula_ingredients SET id = $2
         WHERE id = (SELECT line.id FROM formula_ingredients line
                     JOIN formula_versions v ON v.id = line.formula_version_id
                     WHERE v.formula_id = $1 AND v.version_number = 1 ORDER BY line.position LIMIT 1)`,
};

export type OwnedKind = keyof typeof OWNED;

/** Finds the parts of the demo laboratory that exist already. */
export class DemoRepository {
  constructor(
    private readonly database: DatabaseService,
    private readonly transactions: TransactionManager,
  ) {}

  /** Runs one load at a time, in one transaction. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.transactions.runLong(async () => {
      await this.database.query(LOCK);
      return work();
    });
  }

  /**
   * Returns for each key, in the same order, the id of the ingredient with that INCI name, ignoring case: that
   * supplier's, otherwise another's.
   */
  async findIngredients(
    keys: readonly { inciName: string; supplier: string | null }[],
  ): Promise<(string | undefined)[]> {
    const rows = await this.database.query<{ position: number; id: string }>(INGREDIENTS, [
      keys.map(({ inciName }) => inciName),
      keys.map(({ supplier }) => supplier),
    ]);
    const ids = keys.map((): string | undefined => undefined);
    for (const { position, id } of rows) ids[position - 1] = id;
    return ids;
  }

  /** Returns the ids of the user's records by name. */
  async findOwned(kind: OwnedKind, userId: string): Promise<Map<string, string>> {
    const rows = await this.database.query<{ name: string; id: string }>(OWNED[kind], [userId]);
    return new Map(rows.map(({ name, id }) => [name, id]));
  }

  /** Returns those of the ids that a record has. */
  async takenIds(ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.query<{ id: string }>(TAKEN, [ids]);
    return new Set(rows.map(({ id }) => id));
  }

  /** Gives an id to the first line of a formula's version 1. */
  async nameFirstLine(formulaId: string, lineId: string): Promise<void> {
    await this.database.query(NAME_LINE, [formulaId, lineId]);
  }

  /** Returns true if there is a table of limits with this name. */
  async hasEdition(name: string): Promise<boolean> {
    return (await this.database.query(EDITION, [name])).length > 0;
  }
}
