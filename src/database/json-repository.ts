import { JsonPage, JsonText } from '../common/json-text';
import { offsetOf, type PageQuery } from '../common/pagination';
import { fieldNames } from '../common/validation/field-metadata';
import type { Conditions } from './conditions';
import { DEEP_OFFSET, idsOfPage, type Order, orderBy, pageOf } from './counted-pages';
import type { Database, Statement } from './database';
import { EntityTable } from './entity-table';
import { countedPage, jsonPage } from './json-columns';
import type { ReadAccess } from './read-access';

/** Values of a row; the database refuses null where a column must have a value. */
export type RowValues<Entity> = { [Key in keyof Entity]?: Entity[Key] | null };

/**
 * Storage of a resource that is one table: statements made from its entity and prepared under names of their
 * own. Rows are JSON text that the database writes: hydrating entities costs more than the read.
 */
export abstract class JsonRepository<Entity extends { id: string }, Shown extends object> {
  protected readonly table: EntityTable;
  /** SELECT list of what the API shows, in its order. */
  protected readonly shown: string;
  /** SQL: whether a row may be read (`mayRead`). */
  protected readonly mayRead: string;
  private readonly written: readonly string[];
  private readonly byId: Statement;
  private readonly insert: Statement;
  private readonly remove: Statement;
  private readonly lockToChange: Statement;
  private readonly lockToDelete: Statement;
  /** Of prepared statements, by name. */
  private readonly texts = new Map<string, string>();

  /**
   * @param fields the resource's class of fields: what is shown of a row
   * @param mayRead SQL: whether a row of the table may be read
   * @param deletionGroup what a deletion shares connections with, where it touches another table
   */
  protected constructor(
    protected readonly database: Database,
    entity: new () => Entity,
    fields: new () => object,
    mayRead: (row: string) => string,
    deletionGroup?: string,
  ) {
    this.table = new EntityTable(entity);
    this.written = this.table.written;
    this.shown = this.table.shown(fieldNames(fields));
    const { name } = this.table;
    this.mayRead = mayRead(name);
    const values = this.written.map((_, index) => `$${index + 1}`).join(', ');
    this.byId = {
      name: `${name}.by-id`,
      mayPipeline: true,
      text: `SELECT id, row_to_json(shown)::text AS json
             FROM (SELECT ${this.shown} FROM ${name}
                   WHERE id = ANY ($1::uuid[]) AND ${this.mayRead}) shown`,
    };
    this.insert = {
      name: `${name}.create`,
      text: this.returning(`INSERT INTO ${name} (${this.table.names(this.written)}) VALUES (${values})`),
    };
    this.remove = {
      name: `${name}.delete`,
      group: deletionGroup,
      text: `DELETE FROM ${name} WHERE id = $1 AND ${this.mayRead} RETURNING id`,
    };
    const lock = `SELECT id FROM ${name} WHERE id = $1`;
    this.lockToChange = { name: `${name}.lock-to-change`, text: `${lock} FOR NO KEY UPDATE` };
    this.lockToDelete = { name: `${name}.lock-to-delete`, text: `${lock} FOR UPDATE` };
  }

  async findById(access: ReadAccess, id: string): Promise<JsonText<Shown> | undefined> {
    const row = await this.database.findById<{ id: string; json: string }>(
      ...access.readingById(this.byId, id),
    );
    return row && new JsonText(row.json);
  }

  /**
   * The row as it stays until the transaction ends, but for what that changes itself.
   * @param purpose what is going to be deleted is not referred to any more either
   */
  async findLocked(
    access: ReadAccess,
    id: string,
    purpose: 'change' | 'delete',
  ): Promise<JsonText<Shown> | undefined> {
    await this.database.query(purpose === 'change' ? this.lockToChange : this.lockToDelete, [id]);
    return this.findById(access, id);
  }

  /** @param values absent ones are null */
  async create(values: RowValues<Entity>): Promise<JsonText<Shown>> {
    const [row] = await this.database.query<{ json: string }>(
      this.insert,
      this.parameters(this.written, values),
    );
    return new JsonText(row!.json);
  }

  /** Changes the given columns; nothing when there is no such row. */
  async update(
    access: ReadAccess,
    id: string,
    changes: RowValues<Entity>,
  ): Promise<JsonText<Shown> | undefined> {
    const changed = this.written.filter((property) => changes[property as keyof Entity] !== undefined);
    if (changed.length === 0) return this.findById(access, id);
    const set = changed.map((property, index) => `${this.table.column(property)} = $${index + 2}`).join(', ');
    // Without a name: each set of columns would be a statement of its own on every connection.
    const write = {
      text: this.returning(`UPDATE ${this.table.name} SET ${set} WHERE id = $1 AND ${this.mayRead}`),
      group: this.table.name,
    };
    const values = [id, ...this.parameters(changed, changes)];
    const [row] = await this.database.query<{ json: string }>(...access.reading(write, values));
    return row && new JsonText(row.json);
  }

  /**
   * False when there is no such row.
   * @throws ConstraintViolation of a foreign key that refers to it
   */
  async delete(access: ReadAccess, id: string): Promise<boolean> {
    return (await this.database.query(...access.reading(this.remove, [id]))).length > 0;
  }

  /**
   * Rows found once for their page and their number.
   * @param search.name of the statement, unique to these conditions
   * @param search.asked SELECT of one row, `asked`: what is made of the values once and not for each row.
   *   Conditions name it in a subquery, so that one plan serves all values
   * @param search.order its columns may be expressions, with what is asked
   */
  protected search(
    access: ReadAccess,
    search: { name: string; group: string; asked: string; where: Conditions; order: Order },
    query: PageQuery,
  ): Promise<JsonPage<Shown>> {
    const { name, group, asked, where, order } = search;
    const text = this.textOf(name, () => {
      const next = where.values.length + 1;
      const keys = order.map(([column], index) => `${column} AS key_${index}`).join(', ');
      const byKeys = order.map(([, direction], index) => [`key_${index}`, direction] as const);
      const ids = pageOf('found_id', byKeys, next);
      const rows = `SELECT ${this.shown} FROM unnest(ARRAY(${ids})) WITH ORDINALITY AS chosen (chosen_id, place)
                    JOIN ${this.table.name} ON id = chosen_id ORDER BY place`;
      return `WITH asked AS MATERIALIZED (${asked}),
                found AS MATERIALIZED (SELECT id AS found_id, ${keys} FROM ${this.table.name} ${where.text})
              ${jsonPage(rows, 'SELECT count(*) FROM found')}`;
    });
    return this.slice(access, { name, group, text, mayPipeline: true }, where.values, query);
  }

  /**
   * Rows whose number is kept: it is counted where some may not be read.
   * @param kind of the records
   * @param page.name of the statement, unique to these conditions
   * @param page.total SQL for the number of the rows that meet them (`keptCount`)
   */
  protected countedPage(
    access: ReadAccess,
    kind: string,
    { name, where, order, total }: { name: string; where: Conditions; order: Order; total: string },
    query: PageQuery,
  ): Promise<JsonPage<Shown>> {
    const isCounted = access.restricts(kind);
    const key = isCounted ? `${name}.counted` : name;
    const text = this.textOf(key, () => {
      const next = where.values.length + 1;
      const ids = idsOfPage({
        from: this.table.name,
        where: where.text,
        order,
        limit: `$${next}::bigint`,
        offset: `$${next + 1}::bigint`,
      });
      const rows = `SELECT ${this.shown} FROM ${this.table.name} WHERE id = ANY (ARRAY(${ids})) ${orderBy(order)}`;
      const counted = `SELECT count(*) FROM ${this.table.name} ${where.text}`;
      return countedPage(rows, isCounted ? counted : total);
    });
    const mayPipeline = !isCounted && offsetOf(query) <= DEEP_OFFSET;
    return this.slice(access, { name: key, text, mayPipeline }, where.values, query);
  }

  /** Written at the first run: what runs under one name is the same at all of them. */
  private textOf(name: string, write: () => string): string {
    let text = this.texts.get(name);
    if (text === undefined) this.texts.set(name, (text = write()));
    return text;
  }

  private slice(access: ReadAccess, statement: Statement, values: readonly unknown[], query: PageQuery) {
    const all = [...values, query.limit, offsetOf(query)];
    return this.database
      .query<{ data: string; total: number }>(...access.reading(statement, all))
      .then(([found]) => new JsonPage<Shown>(new JsonText(found!.data), found!.total));
  }

  private parameters(properties: readonly string[], values: RowValues<Entity>): unknown[] {
    return properties.map((property) => this.table.parameter(property, values[property as keyof Entity]));
  }

  /** A write that answers with the row's JSON. */
  private returning(write: string): string {
    return `WITH written AS (${write} RETURNING *)
            SELECT row_to_json(shown)::text AS json FROM (SELECT ${this.shown} FROM written) shown`;
  }
}
