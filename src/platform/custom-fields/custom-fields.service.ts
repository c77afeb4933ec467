import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { AccessPolicy, requireAllowed } from '../access/access-policy';
import { type Reader, RowFilterService } from '../access/row-filter';
import type { CurrentUser } from '../common/current-user';
import { ConflictError, InvalidInputError, NotFoundError } from '../common/errors/service-error';
import { ExtensionError, placedUnder } from '../common/extension-tokens';
import type { Slice } from '../http/envelope';
import type { PageQuery } from '../common/pagination';
import { text } from '../texts/text';
import { isUuid } from '../validation/uuid';
import { DatabaseService } from '../database/database.service';
import { ConstraintViolation } from '../database/pg-errors';
import {
  CUSTOM_FIELDS,
  type CustomFields,
  type FieldChanges,
  type FieldValues,
  type FoundRecord,
} from './custom-fields';
import { columnName, CustomFieldsTable } from './custom-fields-table';

interface Declared {
  readonly table: CustomFieldsTable;
  /** The name of the foreign key to the record. */
  readonly reference: string;
}

const NOT_FOUND = {
  formula: text('formula.not-found'),
  project: text('project.not-found'),
  ingredient: text('ingredient.not-found'),
};

/** Reads and writes the custom fields of extensions on the service's records. */
@Injectable()
export class CustomFieldsService implements OnApplicationBootstrap {
  private readonly declared = new Map<CustomFields<object>, Declared>();

  constructor(
    private readonly database: DatabaseService,
    private readonly rowFilters: RowFilterService,
    private readonly policy: AccessPolicy,
    private readonly discovery: DiscoveryService,
  ) {}

  /** @throws ExtensionError for a declaration that does not fit its table */
  async onApplicationBootstrap(): Promise<void> {
    const places = new Map<string, string>();
    for (const { place, value } of placedUnder(CUSTOM_FIELDS, this.discovery)) {
      for (const fields of [value].flat() as CustomFields<object>[]) {
        checkDeclaration(place, fields);
        const other = places.get(fields.table);
        if (other !== undefined) {
          throw new ExtensionError(`CUSTOM_FIELDS: ${fields.table} is declared in ${other} and in ${place}.`);
        }
        places.set(fields.table, place);
        const table = new CustomFieldsTable(fields);
        this.declared.set(fields, { table, reference: await table.check(place, this.database) });
      }
    }
  }

  /**
   * Returns the values of a record; null for those never written.
   * @throws NotFoundError if there is no record that the reader may see
   */
  async read<Values extends object>(
    reader: Reader,
    fields: CustomFields<Values>,
    id: string,
  ): Promise<FieldValues<Values>> {
    const [values] = (await this.readMany(reader, fields, [id])).values();
    if (!values) throw new NotFoundError(NOT_FOUND[fields.of]);
    return values;
  }

  /**
   * Returns the values of several records in one statement, by record id. Records that the reader may not see are
   * missing.
   * @param ids at most the size of a page
   */
  async readMany<Values extends object>(
    reader: Reader,
    fields: CustomFields<Values>,
    ids: readonly string[],
  ): Promise<Map<string, FieldValues<Values>>> {
    const { table } = this.declaredOf(fields);
    const filter = await this.rowFilters.of(reader);
    // PostgreSQL returns ids in lower case.
    const given = new Map(ids.filter(isUuid).map((id) => [id.toLowerCase(), id]));
    const rows = await this.database.query<FieldValues<Values> & { recordId: string }>(
      ...table.read(filter, [...given.keys()]),
    );
    return new Map(
      rows.map(({ recordId, ...values }) => [given.get(recordId)!, values as FieldValues<Values>]),
    );
  }

  /**
   * Writes some values of a record, and returns all of them. The request class must have validated the values.
   * Inside a transaction, or a handler's `inTransaction`, the write is part of it.
   * @param user must be allowed to change the record
   * @throws NotFoundError if there is no record that the user may see, ForbiddenError if the user may not change
   *   it, InvalidInputError or ConflictError for a value that the table refuses
   */
  async write<Values extends object>(
    user: CurrentUser,
    fields: CustomFields<Values>,
    id: string,
    changes: FieldChanges<Values>,
  ): Promise<FieldValues<Values>> {
    const { table } = this.declaredOf(fields);
    await this.requireChangeable(user, fields, id);
    const given = changes as Readonly<Record<string, unknown>>;
    const values = Object.fromEntries(
      table.fields.map((field) => [columnName(field.name), given[field.name] ?? field.default ?? null]),
    );
    const changed = table.fields.map(({ name }) => name).filter((name) => given[name] !== undefined);
    try {
      const parameters = [id, JSON.stringify(values), changed.map(columnName)];
      const [written] = await this.database.query<FieldValues<Values>>(table.write, parameters);
      return written!;
    } catch (error) {
      throw this.refusal(error, fields, changed);
    }
  }

  /**
   * Finds the records that have all of these values, ordered by id.
   * @param having validated values, as for `write`; null finds records without a value
   */
  async find<Values extends object>(
    reader: Reader,
    fields: CustomFields<Values>,
    having: FieldChanges<Values>,
    query: PageQuery,
  ): Promise<Slice<FoundRecord<Values>>> {
    const { table } = this.declaredOf(fields);
    const filter = await this.rowFilters.of(reader);
    const given = having as Readonly<Record<string, unknown>>;
    const names = table.fields.map(({ name }) => name).filter((name) => given[name] !== undefined);
    const { page, count } = table.find(
      filter,
      Object.fromEntries(names.map((name) => [name, given[name]])),
      query,
    );
    try {
      const [rows, [counted]] = await Promise.all([
        this.database.query<FoundRecord<Values>>(...page),
        this.database.query<{ total: number }>(...count),
      ]);
      return { rows, total: counted!.total };
    } catch (error) {
      throw this.refusal(error, fields, names);
    }
  }

  private declaredOf(fields: CustomFields<object>): Declared {
    const declared = this.declared.get(fields);
    if (!declared) throw new Error(`The fields of ${fields.table} are not provided under CUSTOM_FIELDS`);
    return declared;
  }

  private async requireChangeable(
    user: CurrentUser,
    fields: CustomFields<object>,
    id: string,
  ): Promise<void> {
    if (!isUuid(id)) throw new NotFoundError(NOT_FOUND[fields.of]);
    const { table } = this.declaredOf(fields);
    const filter = await this.rowFilters.of(user);
    const [record] = await this.database.query<{ createdBy: string }>(...table.owner(filter, id));
    if (!record) throw new NotFoundError(NOT_FOUND[fields.of]);
    const isAllowed =
      fields.of === 'ingredient'
        ? this.policy.canChangeIngredient(user, id)
        : this.policy.canChange(user, { kind: fields.of, id, createdBy: record.createdBy });
    await requireAllowed(isAllowed);
  }

  /** Returns the error for the client when PostgreSQL refuses a value. */
  private refusal(error: unknown, fields: CustomFields<object>, sent: readonly string[]): unknown {
    if (error instanceof ConstraintViolation) {
      // The record has just been deleted.
      if (error.constraint === this.declaredOf(fields).reference)
        return new NotFoundError(NOT_FOUND[fields.of]);
      const message = fields.violations?.[error.constraint];
      if (message === undefined) return malformedField(sent);
      return ['unique', 'exclusion'].includes(error.kind)
        ? new ConflictError(message)
        : new InvalidInputError(message);
    }
    const { code = '', column } = (error ?? {}) as { code?: string; column?: string };
    if (!UNSTORABLE.test(code)) return error;
    return malformedField(column === undefined ? sent : sent.filter((name) => columnName(name) === column));
  }
}

/** Not a value of the column's type, a wrong syntax inside it, null, or too long for an index. */
const UNSTORABLE = /^(22...|42601|23502|54000)$/;

/** PostgreSQL does not report which of several values it refuses. */
function malformedField(sent: readonly string[]): InvalidInputError {
  const message = text('request.malformed');
  const [field, ...others] = sent;
  return field !== undefined && others.length === 0
    ? InvalidInputError.of([{ field, message }])
    : new InvalidInputError(message);
}

/** @throws ExtensionError naming the module */
function checkDeclaration(place: string, fields: Partial<CustomFields<object>> | null | undefined): void {
  const invalid = (what: string) => new ExtensionError(`CUSTOM_FIELDS in ${place}: ${what}.`);
  if (!fields || !['formula', 'project', 'ingredient'].includes(fields.of ?? '')) {
    throw invalid("'of' must be formula, project or ingredient");
  }
  if (!/^ext_[a-z0-9_]+$/.test(fields.table ?? '')) {
    throw invalid(
      `the table '${fields.table}' must be lower-case letters, digits and _, and begin with ext_`,
    );
  }
  if (typeof fields.fields !== 'function') throw invalid(`${fields.table} has no class of fields`);
}
