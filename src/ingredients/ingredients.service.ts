import { Injectable } from '@nestjs/common';
import { AccessPolicy } from '../common/access/access-policy';
import type { CurrentUser } from '../common/access/current-user';
import { requireAllowed } from '../common/access/require-allowed';
import { ConflictError, ForbiddenError, NotFoundError } from '../common/errors/service-error';
import { requireMatch } from '../common/http/entity-tag';
import type { JsonPage, JsonText } from '../common/json-text';
import { SecurityLog } from '../common/security-log';
import { text } from '../common/texts/text';
import { changesOf, withDefaults } from '../common/validation/field-values';
import { isVisible } from '../common/validation/fields';
import { Database } from '../database/database';
import { violates } from '../database/pg-errors';
import { ReadAccess, type Reader } from '../database/read-access';
import { Readers } from '../database/readers';
import { unlessReferenced } from '../database/unless-referenced';
import { changedRecord } from '../events/changed-record';
import { EventPublisher } from '../events/event-publisher';
import { WriteValidators } from '../events/write-validators';
import type {
  CreateIngredientDto,
  IngredientDto,
  IngredientQuery,
  UpdateIngredientDto,
} from './ingredient.dto';
import { IngredientFields } from './ingredient.fields';
import { INGREDIENT_IN_USE, IngredientsRepository } from './ingredients.repository';

export const INGREDIENT_NOT_FOUND = text('ingredient.not-found');
export const INGREDIENT_IN_USE_TEXT = text('ingredient.in-use');
export const INGREDIENT_CHANGED = text('ingredient.changed');

/**
 * Ingredients are JSON text written by the database; `parse()` gives callers inside the process the object.
 */
@Injectable()
export class IngredientsService {
  constructor(
    private readonly ingredients: IngredientsRepository,
    private readonly policy: AccessPolicy,
    private readonly readers: Readers,
    private readonly security: SecurityLog,
    private readonly events: EventPublisher,
    private readonly validators: WriteValidators,
    private readonly database: Database,
  ) {}

  list(reader: Reader, query: IngredientQuery): Promise<JsonPage<IngredientDto>> {
    return this.readers.reading(reader, (access) => this.ingredients.list(access, query));
  }

  /** @throws NotFoundError where there is none that the reader may see */
  get(reader: Reader, id: string): Promise<JsonText<IngredientDto>> {
    return this.readers.reading(
      reader,
      async (access) => (await this.ingredients.findById(access, id)) ?? notFound(),
    );
  }

  /**
   * Ids of ingredients that the reader may see and that have the same INCI name but for its case, normal
   * form, width, blanks and invisible characters; where a supplier is given, only those of that supplier. The
   * oldest first, at most five.
   */
  duplicatesOf(
    reader: Reader,
    { inciName, supplier }: Pick<CreateIngredientDto, 'inciName' | 'supplier'>,
  ): Promise<string[]> {
    return this.readers.reading(reader, (access) =>
      this.ingredients.duplicatesOf(access, inciName, supplier && isVisible(supplier) ? supplier : null),
    );
  }

  /** @throws ForbiddenError */
  async create(user: CurrentUser, input: CreateIngredientDto): Promise<JsonText<IngredientDto>> {
    await requireAllowed(this.policy.canCreate(user, 'ingredient'));
    await this.validators.require('ingredient.created', input);
    return this.events.publishing(
      'ingredient.created',
      () => this.ingredients.create(withDefaults(IngredientFields, input)),
      (created) => {
        const { id, inciName } = created.parse();
        return [{ recordId: id, data: { inciName } }];
      },
    );
  }

  /**
   * @param ifMatch as the header `If-Match` has it: then only what it names is changed
   * @throws NotFoundError, ForbiddenError, PreconditionFailedError
   */
  async update(
    reader: Reader,
    id: string,
    input: UpdateIngredientDto,
    ifMatch?: string,
  ): Promise<JsonText<IngredientDto>> {
    await this.requireChangeable(reader, id);
    const access = await this.readers.of(reader);
    await this.validators.require('ingredient.updated', input, id);
    const changes = changesOf(IngredientFields, input);
    const update = () =>
      this.events.publishing(
        'ingredient.updated',
        () => this.ingredients.update(access, id, changes),
        (after) => changedRecord(id, changes, after !== undefined),
      );
    const updated = await this.ifMatching(ifMatch, access, id, 'change', update);
    return updated ?? notFound();
  }

  /**
   * @param ifMatch as of `update`
   * @throws NotFoundError, ForbiddenError, PreconditionFailedError; ConflictError while a row of an extension
   *   refers to it, or any formula line uses it: its `usageCount` is of the formulas that the reader may see,
   *   and 0 where only others use it
   */
  async delete(reader: Reader, id: string, ifMatch?: string): Promise<void> {
    await this.requireChangeable(reader, id);
    const access = await this.readers.of(reader);
    await this.ifMatching(ifMatch, access, id, 'delete', () => this.deleteUnused(access, id));
    this.security.record('record.deleted', { kind: 'ingredient', id });
  }

  private async deleteUnused(access: ReadAccess, id: string): Promise<void> {
    if (this.ingredients.isInTransaction) await this.requireUnused(access, id);
    for (;;) {
      try {
        const isDeleted = await this.events.publishing(
          'ingredient.deleted',
          () => unlessReferenced(() => this.ingredients.delete(access, id), INGREDIENT_IN_USE),
          (deleted) => (deleted ? [{ recordId: id, data: {} }] : []),
        );
        if (!isDeleted) notFound();
        return;
      } catch (error) {
        if (!violates(error, INGREDIENT_IN_USE)) throw error;
        // The last line that used it may have gone in between: then the deletion is due after all.
        await this.refuseUsed(access, id);
      }
    }
  }

  /** Writes where nobody has changed the ingredient since it was read; it is locked from there to the end. */
  private ifMatching<T>(
    ifMatch: string | undefined,
    access: ReadAccess,
    id: string,
    purpose: 'change' | 'delete',
    write: () => Promise<T>,
  ): Promise<T> {
    if (ifMatch === undefined) return write();
    return this.database.transaction(async () => {
      const current = (await this.ingredients.findLocked(access, id, purpose)) ?? notFound();
      requireMatch(ifMatch, current, () => INGREDIENT_CHANGED);
      return write();
    });
  }

  /** Within a transaction, where nothing can be asked behind the foreign key's refusal. */
  private async requireUnused(access: ReadAccess, id: string): Promise<void> {
    await this.get(access, id);
    await this.refuseUsed(access, id);
  }

  private async refuseUsed(access: ReadAccess, id: string): Promise<void> {
    const { count, shown } = await this.ingredients.usageOf(access, id);
    if (count > 0) throw new ConflictError(INGREDIENT_IN_USE_TEXT, { usageCount: shown });
  }

  /** One that may be changed costs no read; one that may not is looked for, because 404 comes before 403. */
  private async requireChangeable(reader: Reader, id: string): Promise<void> {
    if (reader instanceof ReadAccess || (await this.policy.canChangeIngredient(reader, id))) return;
    await this.get(reader, id);
    throw new ForbiddenError();
  }
}

function notFound(): never {
  throw new NotFoundError(INGREDIENT_NOT_FOUND);
}
