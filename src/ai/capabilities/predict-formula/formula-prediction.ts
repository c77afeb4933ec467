import { Injectable } from '@nestjs/common';
import { type Reader, RowFilterService } from '../../../platform/access/row-filter';
import { CatalogueNamesRepository } from '../ingredient-names/catalogue-names.repository';
import { inSteps } from '../ingredient-names/in-steps';
import { IngredientNames, writtenNames } from '../ingredient-names/ingredient-names';
import { type PredictInput } from './predict-formula';

/** Converts a request to the input of a prediction. */
@Injectable()
export class FormulaPrediction {
  constructor(
    private readonly catalogue: CatalogueNamesRepository,
    private readonly rowFilters: RowFilterService,
  ) {}

  /** Returns the input with catalogue data of its ingredients, as far as the user can read it. */
  async withCatalogue(reader: Reader, { ingredients }: PredictInput): Promise<PredictInput> {
    const names = ingredients.map(({ name }) => name);
    const written = await inSteps(names, writtenNames);
    const records = await this.catalogue.named(await this.rowFilters.of(reader), [
      ...new Set(written.flat()),
    ]);
    return { ingredients, catalogue: await IngredientNames.of(records, names) };
  }
}
