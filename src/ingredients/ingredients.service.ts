import { Injectable } from '@nestjs/common';
import { AccessPolicy, requireAllowed } from '../platform/access/access-policy';
import { type Reader, RowFilter, RowFilterService } from '../platform/access/row-filter';
import type { CurrentUser } from '../platform/common/current-user';
import { ConflictError, NotFoundError } from '../platform/common/errors/service-error';
import { writeIfMatched } from '../platform/http/envelope';
import type { JsonPage } from '../platform/common/json-text';
import { SecurityLog } from '../platform/common/security-log';
import { text } from '../platform/texts/text';
import { toInsertValues, toUpdateValues } from '../platform/validation/field-metadata';
import { isVisible } from '../platform/validation/fields';
import { rejectIfReferenced, violates } from '../platform/database/pg-errors';
import { TransactionManager } from '../platform/database/transaction-manager';
import { changedFields, EventPublisher } from '../platform/events/event-publisher';
import { WriteValidators } from '../platform/events/write-validators';
import type {
  CreateIngredientDto,
  IngredientDto,
  IngredientQuery,
  UpdateIngredientDto,
} from './ingredient.dto';
import { IngredientFields } from './ingredient.fields';
import type { IngredientListing } from './ingredient-list.sql';
import type { MovedLinesDto } from './names/duplicates/duplicates.dto';
import { INGREDIENT_IN_USE, IngredientsRepository, type IngredientValues } from './ingredients.repository';

export const INGREDIENT_NOT_FOUND = text('ingredient.not-found');
export const INGREDIENT_IN_USE_TEXT = text('ingredient.in-use');
export const INGREDIENT_CHANGED = text('ingredient.changed');

@Injectable()
export class IngredientsService {
  constructor(
    private readonly ingredients: IngredientsRepository,
    private readonly policy: AccessPolicy,
    private readonly rowFilters: RowFilterService,
    private readonly security: SecurityLog,
    private readonly events: EventPublisher,
    private readonly validators: WriteValidators,
    private readonly transactions: TransactionManager,
  ) {}

  /**
   * Returns a page as JSON text that the database builds. Callers inside the process get the objects with `parse()`.
   * @param listing condition or order of an extension
   */
  async list(
    reader: Reader,
    query: IngredientQuery,
    listing?: IngredientListing,
  ): Promise<JsonPage<IngredientDto>> {
    const filter = await this.rowFilters.of(reader);
    return listing
      ? this.ingredients.listWhere(filter, query, listing)
      : this.ingredients.list(filter, query);
  }

  /** @throws NotFoundError if there is no such ingredient that the user can read */
  async get(reader: Reader, id: string): Promise<IngredientDto> {
    const filter = await this.rowFilters.of(reader);
    return (await this.ingredients.findById(filter, id)) ?? notFound();
  }

  /**
   * Returns ids of readable ingredients whose INCI name differs only in case, normal form, width, blanks
   * and invisible characters. With a supplier, only those of that supplier. The oldest first, at most five.
   */
  async duplicatesOf(
    reader: Reader,
    { inciName, supplier }: Pick<CreateIngredientDto, 'inciName' | 'supplier'>,
  ): Promise<string[]> {
    const filter = await this.rowFilters.of(reader);
    return this.ingredients.duplicatesOf(filter, inciName, supplier && isVisible(supplier) ? supplier : null);
  }

  /**
   * @param id an id that no ingredient has; default: a new one
   * @throws ForbiddenError
   */
  async create(user: CurrentUser, input: CreateIngredientDto, id?: string): Promise<IngredientDto> {
    await requireAllowed(this.policy.canCreate(user, 'ingredient'));
    await this.validators.require('ingredient.created', input);
    const values = toInsertValues(IngredientFields, input);
    return this.events.transaction(async () => {
      const ingredient = await this.ingredients.create(values as IngredientValues, id);
      await this.events.publish('ingredient.created', ingredient.id, { inciName: ingredient.inciName });
      return ingredient;
    });
  }

  /**
   * @param ifMatch the header `If-Match`: the ingredient is changed only if its current state matches
   * @throws NotFoundError, ForbiddenError, PreconditionFailedError
   */
  async update(
    reader: Reader,
    id: string,
    input: UpdateIngredientDto,
    ifMatch?: string,
  ): Promise<IngredientDto> {
    const filter = await this.assertCanChange(reader, id);
    await this.validators.require('ingredient.updated', input, id);
    return this.writeIfMatched(filter, id, ifMatch, 'change', () => this.store(filter, id, input));
  }

  /** Returns which of these ids are of ingredients that the reader may see. */
  async visibleOf(reader: Reader, ids: readonly string[]): Promise<Set<string>> {
    return this.ingredients.visibleOf(await this.rowFilters.of(reader), ids);
  }

  /**
   * Writes rows that belong to ingredients and are stored elsewhere, such as those of an extension's table. The write
   * and the update events share one transaction, in which the ingredients are locked against changes and deletion.
   * @param changed names of the changed fields, for the events
   * @throws NotFoundError if the user cannot read one of them, ForbiddenError if the user may not change one of them
   */
  async updateRelated<T>(
    user: CurrentUser,
    ids: readonly string[],
    changed: readonly string[],
    write: () => Promise<T>,
  ): Promise<T> {
    await this.requireRelatedUpdate(user, ids);
    return this.transactions.run(async () => {
      assertAll(ids, await this.ingredients.lockAll(ids));
      const result = await write();
      await this.events.publishAll(
        'ingredient.updated',
        ids.map((recordId) => ({ recordId, data: { changed } })),
      );
      return result;
    });
  }

  /** Throws what `updateRelated` throws before it writes. */
  async requireRelatedUpdate(user: CurrentUser, ids: readonly string[]): Promise<void> {
    assertAll(ids, await this.visibleOf(user, ids));
    for (const id of ids) {
      await requireAllowed(this.policy.canChangeIngredient(user, id));
      await this.validators.require('ingredient.updated', {}, id);
    }
  }

  /**
   * Merges two ingredients: `into` gets all lines of all versions of formulas, and the other one is
   * deleted. Snapshots of versions retain the old names.
   * @param moveRelated moves rows of other tables, in the same transaction
   * @returns the number of moved lines, of formulas that the user can read
   * @throws NotFoundError if the user cannot read one of them, ForbiddenError if the user may not
   *   change one of them, ConflictError if a row of an extension refers to the deleted one
   */
  async merge(
    user: CurrentUser,
    id: string,
    into: string,
    moveRelated: () => Promise<void>,
  ): Promise<MovedLinesDto> {
    const filter = await this.rowFilters.of(user);
    assertAll([id, into], await this.ingredients.visibleOf(filter, [id, into]));
    await requireAllowed(this.policy.canChangeIngredient(user, id));
    await requireAllowed(this.policy.canChangeIngredient(user, into));
    await this.validators.require('ingredient.merged', { into }, id);
    const moved = await this.transactions.runLong(async () => {
      assertAll([id, into], await this.ingredients.lockAll([id, into]));
      await this.ingredients.findLocked(filter, id, 'delete');
      const lines = await this.ingredients.moveLines(filter, id, into);
      await moveRelated();
      await rejectIfReferenced(this.ingredients.delete(id));
      await this.events.publish('ingredient.merged', id, { into });
      await this.events.publish('ingredient.deleted', id, {});
      return lines;
    });
    this.security.record('ingredient.merged', { id, into });
    this.security.record('record.deleted', { kind: 'ingredient', id });
    return moved;
  }

  /**
   * @param ifMatch as for `update`
   * @throws NotFoundError, ForbiddenError, PreconditionFailedError; ConflictError if a row of an
   *   extension refers to the ingredient, or a formula line uses it. `usageCount` only counts formulas
   *   that the user can read, so it may be 0
   */
  async delete(reader: Reader, id: string, ifMatch?: string): Promise<void> {
    const filter = await this.assertCanChange(reader, id);
    await this.writeIfMatched(filter, id, ifMatch, 'delete', () => this.remove(filter, id));
    this.security.record('record.deleted', { kind: 'ingredient', id });
  }

  /** Returns the row filter after checking that the user may read and change the ingredient. 404 comes before 403. */
  private async assertCanChange(reader: Reader, id: string): Promise<RowFilter> {
    if (reader === RowFilter.EVERYTHING) return reader;
    const filter = await this.rowFilters.of(reader);
    await this.get(filter, id);
    if (!(reader instanceof RowFilter)) await requireAllowed(this.policy.canChangeIngredient(reader, id));
    return filter;
  }

  /** Writes only if the ingredient's current state matches. The row is locked from the check to the end. */
  private writeIfMatched<T>(
    filter: RowFilter,
    id: string,
    ifMatch: string | undefined,
    purpose: 'change' | 'delete',
    write: () => Promise<T>,
  ) {
    const current = async () => (await this.ingredients.findLocked(filter, id, purpose)) ?? notFound();
    return writeIfMatched(this.transactions, ifMatch, { current, changed: () => INGREDIENT_CHANGED }, write);
  }

  private async store(filter: RowFilter, id: string, input: UpdateIngredientDto): Promise<IngredientDto> {
    const changes = toUpdateValues(IngredientFields, input);
    const updated = await this.events.transaction(async () => {
      const ingredient = await this.ingredients.update(filter, id, changes as IngredientValues);
      if (ingredient)
        await this.events.publish('ingredient.updated', id, { changed: changedFields(changes) });
      return ingredient;
    });
    return updated ?? notFound();
  }

  private async remove(filter: RowFilter, id: string): Promise<void> {
    if (this.transactions.isActive) await this.assertUnused(filter, id);
    for (;;) {
      try {
        const isDeleted = await this.events.transaction(async () => {
          const deleted = await rejectIfReferenced(this.ingredients.delete(id), INGREDIENT_IN_USE);
          if (deleted) await this.events.publish('ingredient.deleted', id, {});
          return deleted;
        });
        if (!isDeleted) notFound();
        return;
      } catch (error) {
        if (!violates(error, INGREDIENT_IN_USE)) throw error;
        // If the last line that used the ingredient was deleted in between, the deletion is repeated.
        await this.assertUnused(filter, id);
      }
    }
  }

  /** A transaction cannot read after a foreign key violation, so there this check runs first. */
  private async assertUnused(filter: RowFilter, id: string): Promise<void> {
    const { count, shown } = await this.ingredients.usageOf(filter, id);
    if (count > 0) throw new ConflictError(INGREDIENT_IN_USE_TEXT, { usageCount: shown });
  }
}

function assertAll(ids: readonly string[], found: ReadonlySet<string>): void {
  if (ids.some((id) => !found.has(id.toLowerCase()))) notFound();
}

function notFound(): never {
  throw new NotFoundError(INGREDIENT_NOT_FOUND);
}
