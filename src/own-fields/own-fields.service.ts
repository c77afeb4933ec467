import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { AccessPolicy } from '../common/access/access-policy';
import type { CurrentUser } from '../common/access/current-user';
import { requireAllowed } from '../common/access/require-allowed';
import { ConflictError, InvalidInputError, NotFoundError } from '../common/errors/service-error';
import { ExtensionError, placedUnder } from '../common/extension-tokens';
import type { Slice } from '../common/http/envelope';
import type { PageQuery } from '../common/pagination';
import { text } from '../common/texts/text';
import { isUuid } from '../common/validation/uuid';
import { Database } from '../database/database';
import { ConstraintViolation, isDataException } from '../database/pg-errors';
import type { Reader } from '../database/row-filter';
import { RowFilterService } from '../database/row-filter.service';
import { type CheckedTable, checkDeclaration, checkTable } from './check-own-fields';
import { FieldStatements } from './field-statements';
import { type FieldChanges, type FieldValues, OWN_FIELDS, type OwnFields } from './own-fields';

/** A record that was found by its values. */
export type FoundRecord<Values extends object> = FieldValues<Values> & { id: string; recordName: string };

interface Declared {
  readonly statements: FieldStatements;
  readonly table: CheckedTable;
}

const NOT_FOUND = {
  formula: text('formula.not-found'),
  project: text('project.not-found'),
  ingredient: text('ingredient.not-found'),
};

/** Reads and writes fields that extensions add to the service's records. */
@Injectable()
export class OwnFieldsService implements OnApplicationBootstrap {
  private readonly declared = new Map<OwnFields<object>, Declared>();

  constructor(
    private readonly database: Database,
    private readonly rowFilters: RowFilterService,
    private readonly policy: AccessPolicy,
    private readonly discovery: DiscoveryService,
  ) {}

  /** @throws ExtensionError for a declaration that does not fit its table */
  async onApplicationBootstrap(): Promise<void> {
    const places = new Map<string, string>();
    for (const { place, value } of placedUnder(OWN_FIELDS, this.discovery)) {
      for (const fields of [value].flat() as OwnFields<object>[]) {
        checkDeclaration(place, fields);
        const other = places.get(fields.table);
        if (other !== undefined) {
          throw new ExtensionError(`OWN_FIELDS: ${fields.table} is declared in ${other} and in ${place}.`);
        }
        places.set(fields.table, place);
        const table = await checkTable(place, fields, this.database);
        this.declared.set(fields, { table, statements: new FieldStatements(fields, table) });
      }
    }
  }

  /**
   * The values of a record; null where there is none.
   * @throws NotFoundError where there is no record that the reader may see
   */
  async read<Values extends object>(
    reader: Reader,
    fields: OwnFields<Values>,
    id: string,
  ): Promise<FieldValues<Values>> {
    const [values] = (await this.readMany(reader, fields, [id])).values();
    if (!values) throw new NotFoundError(NOT_FOUND[fields.of]);
    return values;
  }

  /**
   * The same of several records in one statement, by these ids; those that the reader may not see are
   * missing.
   * @param ids at most as many as a page has
   */
  async readMany<Values extends object>(
    reader: Reader,
    fields: OwnFields<Values>,
    ids: readonly string[],
  ): Promise<Map<string, FieldValues<Values>>> {
    const filter = await this.rowFilters.of(reader);
    const { statements } = this.declaredOf(fields);
    // The database tells them in lower case.
    const asked = new Map(ids.filter(isUuid).map((id) => [id.toLowerCase(), id]));
    const rows = await this.database.query<FieldValues<Values> & { recordId: string }>(
      ...statements.read(filter, [...asked.keys()]),
    );
    return new Map(
      rows.map(({ recordId, ...values }) => [asked.get(recordId)!, values as FieldValues<Values>]),
    );
  }

  /**
   * Writes some values of a record, and gives all of them. A request class has checked that they are what
   * their fields allow. Inside a transaction, and in a handler's `inTransaction`, it is part of that.
   * @param user who may change the record
   * @throws NotFoundError where there is no record that the user may see, ForbiddenError where it may not be
   *   changed, and what `violations` say
   */
  async write<Values extends object>(
    user: CurrentUser,
    fields: OwnFields<Values>,
    id: string,
    changes: FieldChanges<Values>,
  ): Promise<FieldValues<Values>> {
    const { statements, table } = this.declaredOf(fields);
    await this.requireChangeable(user, fields, id);
    const values = statements.fields.map(({ name, default: fallback }) => {
      return sent(changes[name as keyof Values] ?? fallback ?? null, name, table);
    });
    const flags = statements.fields.map(({ name }) => changes[name as keyof Values] !== undefined);
    try {
      const [written] = await this.database.query<FieldValues<Values>>(statements.write, [
        id,
        ...values,
        ...flags,
      ]);
      return written!;
    } catch (error) {
      throw answerTo(error, fields, table.reference);
    }
  }

  /**
   * The records that have all of these values (null: none), by their id, with what they are called.
   * @param having checked values, as `write` takes them
   */
  async find<Values extends object>(
    reader: Reader,
    fields: OwnFields<Values>,
    having: FieldChanges<Values>,
    query: PageQuery,
  ): Promise<Slice<FoundRecord<Values>>> {
    const filter = await this.rowFilters.of(reader);
    const { statements, table } = this.declaredOf(fields);
    const given = statements.fields
      .map(({ name }) => ({ name, value: sent(having[name as keyof Values], name, table) }))
      .filter(({ value }) => value !== undefined);
    const set = given.filter(({ value }) => value !== null);
    const empty = given.filter(({ value }) => value === null).map(({ name }) => name);
    const { page, count } = statements.matching(filter, set, empty, query);
    try {
      const [rows, [counted]] = await Promise.all([
        this.database.query<FoundRecord<Values>>(...page),
        this.database.query<{ total: number }>(...count),
      ]);
      return { rows, total: counted!.total };
    } catch (error) {
      throw answerTo(error, fields, table.reference);
    }
  }

  private declaredOf(fields: OwnFields<object>): Declared {
    const declared = this.declared.get(fields);
    if (!declared) throw new Error(`The fields of ${fields.table} are not provided under OWN_FIELDS`);
    return declared;
  }

  private async requireChangeable(user: CurrentUser, fields: OwnFields<object>, id: string): Promise<void> {
    const filter = await this.rowFilters.of(user);
    const { statements } = this.declaredOf(fields);
    const [record] = isUuid(id)
      ? await this.database.query<{ createdBy: string }>(...statements.owner(filter, id))
      : [];
    if (!record) throw new NotFoundError(NOT_FOUND[fields.of]);
    const { createdBy } = record;
    const decision =
      fields.of === 'ingredient'
        ? this.policy.canChangeIngredient(user, id)
        : this.policy.canChange(user, { kind: fields.of, id, createdBy });
    await requireAllowed(decision);
  }
}

/**
 * `pg` would send a list as an array of PostgreSQL's.
 * @throws InvalidInputError for a word that PostgreSQL would take for a value, and give back as another one
 */
function sent(value: unknown, name: string, { json, worded }: CheckedTable): unknown {
  if (value === undefined || value === null) return value;
  if (worded.has(name) && [value].flat(Infinity).some((one) => typeof one === 'string' && WORD.test(one))) {
    throw malformed();
  }
  return json.has(name) ? JSON.stringify(value) : value;
}

/** PostgreSQL needs nothing between a word and digits: `today04:05`. */
const WORD = /(?<![a-z])(now|today|tomorrow|yesterday|epoch|inf|infinity|allballs|nan)(?![a-z])/i;

const malformed = () => new InvalidInputError(text('request.malformed'));

/**
 * A value is too long for the index of its column, null for its domain, or against the syntax of its type (a
 * search's, a path's): that of the statements has been right before.
 */
const REFUSED_VALUE = ['54000', '23502', '42601'];

/** What it means that a value is refused. */
function answerTo(
  error: unknown,
  { of: kind, violations = {} }: OwnFields<object>,
  reference: string,
): unknown {
  // Its field has let it pass, its column has not.
  if (isDataException(error) || REFUSED_VALUE.includes((error as { code: string }).code)) return malformed();
  if (!(error instanceof ConstraintViolation)) return error;
  // The record was deleted a moment ago.
  if (error.constraint === reference) return new NotFoundError(NOT_FOUND[kind]);
  const told = violations[error.constraint];
  // Those of the table are all there: it is one of a column's domain.
  if (told === undefined) return error.kind === 'check' ? malformed() : error;
  return ['unique', 'exclusion'].includes(error.kind) ? new ConflictError(told) : new InvalidInputError(told);
}
