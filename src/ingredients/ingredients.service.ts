import { Injectable } from '@nestjs/common';
import { ConflictError, NotFoundError } from '../common/errors/service-error';
import type { JsonPage, JsonText } from '../common/json-text';
import { SecurityLog } from '../common/security-log';
import { text } from '../common/texts/text';
import { changesOf, withDefaults } from '../common/validation/field-values';
import { violates } from '../database/pg-errors';
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

/**
 * Ingredients are JSON text written by the database; `parse()` gives callers inside the process the object.
 */
@Injectable()
export class IngredientsService {
  constructor(
    private readonly ingredients: IngredientsRepository,
    private readonly security: SecurityLog,
  ) {}

  list(query: IngredientQuery): Promise<JsonPage<IngredientDto>> {
    return this.ingredients.list(query);
  }

  /** @throws NotFoundError */
  async get(id: string): Promise<JsonText<IngredientDto>> {
    return (await this.ingredients.findById(id)) ?? notFound();
  }

  create(input: CreateIngredientDto): Promise<JsonText<IngredientDto>> {
    return this.ingredients.create(withDefaults(IngredientFields, input));
  }

  /** @throws NotFoundError */
  async update(id: string, input: UpdateIngredientDto): Promise<JsonText<IngredientDto>> {
    return (await this.ingredients.update(id, changesOf(IngredientFields, input))) ?? notFound();
  }

  /** @throws NotFoundError, ConflictError with `usageCount` while any formula line uses the ingredient */
  async delete(id: string): Promise<void> {
    for (;;) {
      try {
        if (!(await this.ingredients.delete(id))) notFound();
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
