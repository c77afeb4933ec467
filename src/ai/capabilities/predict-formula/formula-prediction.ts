import { Injectable } from '@nestjs/common';
import type { Reader } from '../../../database/read-access';
import { Readers } from '../../../database/readers';
import { CatalogueNamesRepository } from '../ingredient-names/catalogue-names.repository';
import { IngredientNames, writtenNames } from '../ingredient-names/ingredient-names';
import { type PredictInput } from './predict-formula';

/** Makes a prediction's input of a request. */
@Injectable()
export class FormulaPrediction {
  constructor(
    private readonly catalogue: CatalogueNamesRepository,
    private readonly readers: Readers,
  ) {}

  /** The same with what the reader's catalogue knows of the ingredients. */
  async withCatalogue(reader: Reader, { ingredients }: PredictInput): Promise<PredictInput> {
    const names = new Set(ingredients.flatMap(({ name }) => writtenNames(name)));
    const records = await this.catalogue.named(await this.readers.of(reader), [...names]);
    return { ingredients, catalogue: new IngredientNames(records) };
  }
}
