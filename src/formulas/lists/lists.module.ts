import { Module } from '@nestjs/common';
import { FormulasModule } from '../formulas.module';
import { IngredientsModule } from '../../ingredients/ingredients.module';
import { FormulaListController } from './formula-list.controller';
import { IngredientListController } from './ingredient-list.controller';
import { ListsRepository } from './lists.repository';
import { ListsService } from './lists.service';

/** Lists of the contract's records, and what is done with many of them. */
@Module({
  imports: [FormulasModule, IngredientsModule],
  controllers: [FormulaListController, IngredientListController],
  providers: [ListsService, ListsRepository],
})
export class ListsModule {}
