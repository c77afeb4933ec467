import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import { ImportRepository } from '../../database/import-repository';
import { IngredientEntity } from '../ingredient.entity';
import { INGREDIENT_RULES } from './ingredient-rules';

/** Statements over the whole catalogue. */
@Injectable()
export class IngredientImportRepository extends ImportRepository {
  constructor(database: Database) {
    super(database, IngredientEntity, INGREDIENT_RULES);
  }
}
