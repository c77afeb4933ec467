import { type IngredientNames } from '../ingredient-names/ingredient-names';

export interface PredictInput {
  readonly ingredients: readonly {
    readonly name: string;
    readonly percentage: number;
    readonly category: string;
  }[];
  /**
   * Names and prices of the ingredients, as the catalogue has them; without it none is known.
   * @internal
   */
  readonly catalogue?: IngredientNames;
}
