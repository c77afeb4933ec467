import type { Type } from '@nestjs/common';
import type { DatabaseService, Statement } from '../platform/database/database.service';
import type { TransactionManager } from '../platform/database/transaction-manager';
import { EntityTable } from '../platform/database/entity-table';
import type { RecordKind } from '../platform/access/access-policy';
import { type RowCondition, RowFilter } from '../platform/access/row-filter';
import type { ImportDraft } from './file-import';
import { importedFields, type ImportRecord, type ImportRules } from './compare-rows';

/** The characters that `String.prototype.trim` removes, so that PostgreSQL trims suppliers in the same way. */
const WHITE_SPACE =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

/** Records per page of an export. */
const PAGE_ROWS = 1000;

/** The last record of the previous page of an export. */
interface ExportCursor {
  readonly id: string;
  readonly sortName: string;
}

type ExportedRecord = ExportCursor & Record<string, unknown>;

const EVERY_ROW: RowCondition = { sql: '(true)', values: [] };

/**
 * Compares rows of a file with the table of an entity, and writes them to it. Its statements are generated from the
 * entity.
 */
export class ImportRepository {
  private readonly table: EntityTable;
  private readonly key: ImportRules<ImportDraft>['key'];
  private readonly nameKeys: Readonly<Record<string, string>>;
  /** Fragment of a select list. */
  private readonly owner: string;
  private readonly kind: RecordKind | undefined;
  private readonly columns: readonly string[];
  private readonly changed: readonly string[];

  /** @param rules with fields and a key that are columns of the entity */
  constructor(
    private readonly database: DatabaseService,
    private readonly transactions: TransactionManager,
    entity: Type<{ id: string }>,
    rules: Pick<
      ImportRules<ImportDraft>,
      'fields' | 'key' | 'nameKeys' | 'kind' | 'owned' | 'sets' | 'distinguishedBy'
    >,
  ) {
    this.table = new EntityTable(entity);
    this.kind = rules.kind;
    this.owner = rules.owned ? `i.${this.table.column('createdBy')} AS "createdBy", ` : '';
    this.key = rules.key;
    this.nameKeys = rules.nameKeys ?? {};
    this.columns = importedFields(rules).map(({ field }) => field);
    const isFixed = (column: string) => !rules.distinguishedBy && rules.key.includes(column);
    this.changed = this.columns.filter((column) => !isFixed(column));
  }

  transaction<T>(work: () => Promise<T>): Promise<T> {
    return this.transactions.runLong(work);
  }

  /**
   * Blocks writers until the import has ended, but not readers and foreign keys. The matched records therefore stay
   * unchanged until they are written.
   */
  async lock(): Promise<void> {
    const { name } = this.table;
    await this.database.query({
      name: `${name}.import.lock`,
      text: `LOCK TABLE ${name} IN SHARE ROW EXCLUSIVE MODE`,
    });
  }

  /**
   * Returns for each draft, in the same order, the records with its key that the user may read.
   * @param by fields of the key, if not those of the rules
   */
  async findMatches(
    drafts: readonly ImportDraft[],
    filter: RowFilter = RowFilter.EVERYTHING,
    by: readonly string[] = this.key,
  ): Promise<ImportRecord[][]> {
    const [first, ...others] = by.filter((field) => drafts.some((draft) => draft[field] !== undefined));
    if (first === undefined) return [];
    const readable = this.readable(filter, others.length + (others.length > 0 ? 3 : 2));
    const { name, text } = this.matching(first, others, readable);
    const rows = await this.database.query<ImportRecord & { position: number }>(
      { name: filter.named(name), text },
      [
        ...[first, ...others].map((field) => drafts.map((draft) => draft[field] ?? null)),
        ...(others.length > 0 ? [WHITE_SPACE] : []),
        ...readable.values,
      ],
    );
    const matches = drafts.map((): ImportRecord[] => []);
    for (const { position, ...record } of rows) matches[position - 1]?.push(record);
    return matches;
  }

  /** Returns for each list of ids, in the same order, the records that the user may read. */
  async findByIds(
    lists: readonly (readonly string[])[],
    filter: RowFilter = RowFilter.EVERYTHING,
  ): Promise<ImportRecord[][]> {
    const wanted = lists.flatMap((ids, position) => ids.map((id) => ({ position, id })));
    const readable = this.readable(filter, 3);
    const { name } = this.table;
    const rows = await this.database.query<ImportRecord & { position: number }>(
      {
        name: filter.named(`${name}.import.by-id`),
        text: `SELECT k.position, i.id, ${this.owner}${this.table.selectList(this.columns, 'i')}
               FROM unnest($1::integer[], $2::uuid[]) AS k (position, id) JOIN ${name} i ON i.id = k.id
                 AND ${readable.sql}
               ORDER BY k.position, i.id`,
      },
      [wanted.map(({ position }) => position), wanted.map(({ id }) => id), ...readable.values],
    );
    const found = lists.map((): ImportRecord[] => []);
    for (const { position, ...record } of rows) found[position]!.push(record);
    return found;
  }

  /**
   * @param createdBy owner of the new records, if the entity has one
   * @returns their ids, in the same order
   */
  async insert(creations: readonly Record<string, unknown>[], createdBy?: string): Promise<string[]> {
    const { name } = this.table;
    const columns = createdBy === undefined ? this.columns : [...this.columns, 'createdBy'];
    const rows = await this.database.query<{ id: string }>(
      {
        name: `${name}.import.insert`,
        text: `INSERT INTO ${name} (${this.table.names(columns)})
               SELECT * FROM unnest(${this.table.arrays(columns)}) RETURNING id`,
      },
      this.table.valueArrays(
        columns,
        creations.map((creation) => ({ ...creation, createdBy })),
      ),
    );
    return rows.map(({ id }) => id);
  }

  /** Null leaves a field unchanged. */
  async update(changes: readonly ImportRecord[]): Promise<void> {
    const { name } = this.table;
    const columns = this.table.names(this.changed).split(', ');
    const set = columns.map((column) => `${column} = coalesce(u.${column}, i.${column})`);
    await this.database.query(
      {
        name: `${name}.import.update`,
        text: `UPDATE ${name} i SET ${set.join(', ')}
               FROM unnest($1::uuid[], ${this.table.arrays(this.changed, 2)}) AS u (id, ${columns.join(', ')})
               WHERE i.id = u.id`,
      },
      [changes.map(({ id }) => id), ...this.table.valueArrays(this.changed, changes)],
    );
  }

  /** Yields pages of the records that the user may read, ordered by the first field of the key. */
  async *pages(filter: RowFilter): AsyncGenerator<ImportRecord[]> {
    let last: ExportCursor | undefined;
    for (;;) {
      const page = await this.readPage(filter, last);
      if (page.length > 0) yield page.map(({ sortName: _, ...record }) => record as ImportRecord);
      last = page.at(-1);
      if (page.length < PAGE_ROWS) return;
    }
  }

  /** Returns the next records that the user may read, ordered by the first field of the key. */
  readPage(filter: RowFilter, after?: ExportCursor): Promise<ExportedRecord[]> {
    const readable = this.readable(filter, 4);
    const { name, text } = this.page(readable);
    return this.database.query<ExportedRecord>({ name: filter.named(name), text }, [
      after?.sortName ?? null,
      after?.id ?? null,
      PAGE_ROWS,
      ...readable.values,
    ]);
  }

  /** Everyone may read the records of an entity without a kind. */
  private readable(filter: RowFilter, firstParameter: number): RowCondition {
    return this.kind === undefined ? EVERY_ROW : filter.for(this.kind, 'i', firstParameter);
  }

  private matching(
    first: string,
    others: readonly string[],
    readable: RowCondition,
  ): Statement & { name: string } {
    const { table } = this;
    const keys = [first, ...others];
    const same = others.map((property) => {
      const column = table.column(property);
      return `AND btrim(coalesce(i.${column}, ''), $${keys.length + 1}) = coalesce(k.${column}, '')`;
    });
    return {
      name: `${table.name}.import.${keys.join('-')}`,
      text: `SELECT k.position, i.id, ${this.owner}${table.selectList(this.columns, 'i')}
             FROM unnest(${table.arrays(keys)}) WITH ORDINALITY AS k (${table.names(keys)}, position)
             JOIN ${table.name} i ON ${this.isSameName(first)}
               ${same.join(' ')} AND ${readable.sql}
             ORDER BY k.position, i.id`,
    };
  }

  private isSameName(field: string): string {
    const column = this.table.column(field);
    const stored = this.nameKeys[field];
    return stored
      ? `i.${stored} = name_key(k.${column}) AND i.${stored} <> ''`
      : `btrim(search_text(i.${column})) = btrim(search_text(k.${column}))`;
  }

  private page(readable: RowCondition): Statement & { name: string } {
    const { table } = this;
    const name = `lower(i.${table.column(this.key[0])})`;
    return {
      name: `${table.name}.import.page`,
      text: `SELECT i.id, ${table.selectList(this.columns, 'i')}, ${name} AS "sortName" FROM ${table.name} i
             WHERE ($1::text IS NULL OR (${name}, i.id) > ($1, $2::uuid)) AND ${readable.sql}
             ORDER BY ${name}, i.id LIMIT $3`,
    };
  }
}
