import { type IngredientNames } from '../ingredient-names/ingredient-names';

export interface PredictInput {
  readonly ingredients: readonly {
    readonly name: string;
    readonly percentage: number;
    readonly category: string;
  }[];
  /**
   * Catalogue names and prices of the ingredients. Without them, no price is known.
   * @internal
   */
  readonly catalogue?: IngredientNames;
}
