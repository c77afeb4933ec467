import { Injectable } from '@nestjs/common';
import { ConflictError, NotFoundError } from '../common/errors/service-error';
import type { JsonPage, JsonText } from '../common/json-text';
import { SecurityLog } from '../common/security-log';
import { changesOf, withDefaults } from '../common/validation/field-values';
import { violates } from '../database/pg-errors';
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

export const INGREDIENT_NOT_FOUND = '成分不存在';
export const INGREDIENT_IN_USE_TEXT = '该成分已被配方引用,无法删除';

/**
 * Ingredients are JSON text written by the database; `parse()` gives callers inside the process the object.
 */
@Injectable()
export class IngredientsService {
  constructor(
    private readonly ingredients: IngredientsRepository,
    private readonly security: SecurityLog,
    private readonly events: EventPublisher,
    private readonly validators: WriteValidators,
  ) {}

  list(query: IngredientQuery): Promise<JsonPage<IngredientDto>> {
    return this.ingredients.list(query);
  }

  /** @throws NotFoundError */
  async get(id: string): Promise<JsonText<IngredientDto>> {
    return (await this.ingredients.findById(id)) ?? notFound();
  }

  async create(input: CreateIngredientDto): Promise<JsonText<IngredientDto>> {
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

  /** @throws NotFoundError */
  async update(id: string, input: UpdateIngredientDto): Promise<JsonText<IngredientDto>> {
    await this.validators.require('ingredient.updated', input, id);
    const changes = changesOf(IngredientFields, input);
    const updated = await this.events.publishing(
      'ingredient.updated',
      () => this.ingredients.update(id, changes),
      (after) => changedRecord(id, changes, after !== undefined),
    );
    return updated ?? notFound();
  }

  /** @throws NotFoundError, ConflictError with `usageCount` while any formula line uses the ingredient */
  async delete(id: string): Promise<void> {
    for (;;) {
      try {
        const isDeleted = await this.events.publishing(
          'ingredient.deleted',
          () => this.ingredients.delete(id),
          (deleted) => (deleted ? [{ recordId: id, data: {} }] : []),
        );
        if (!isDeleted) notFound();
        this.security.record('record.deleted', { kind: 'ingredient', id });
        return;
      } catch (error) {
        if (!violates(error, INGREDIENT_IN_USE)) throw error;
        const usageCount = await this.ingredients.countUsages(id);
        // The last line that used it may have gone in between: then the deletion is due after all.
        if (usageCount > 0) throw new ConflictError(INGREDIENT_IN_USE_TEXT, { usageCount });
      }
    }
  }
}

function notFound(): never {
  throw new NotFoundError(INGREDIENT_NOT_FOUND);
}
