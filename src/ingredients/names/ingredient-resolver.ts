import { Injectable } from '@nestjs/common';
import { batches } from '../../files/import-report';
import { type Reader, type RowFilter, RowFilterService } from '../../platform/access/row-filter';
import { inTurns } from '../../platform/common/in-turns';
import { Environment } from '../../platform/config/environment';
import {
  type FoundIngredient,
  IngredientLookupRepository,
  type WantedName,
} from './ingredient-lookup.repository';
import { type NameReadings, readingsOf } from './name-readings';
import { type Resolution, resolutionOf } from './resolution';

/** Keys of one statement. */
const KEYS_TOGETHER = 2_000;

/**
 * Finds the ingredients that names mean. Requests, files, pasted texts and presets all use it, so that a name
 * means the same everywhere.
 */
@Injectable()
export class IngredientResolver {
  constructor(
    private readonly ingredients: IngredientLookupRepository,
    private readonly rowFilters: RowFilterService,
    private readonly environment: Environment,
  ) {}

  /**
   * Returns the ingredients that each name may mean, in the order of the names, of those that the reader may see.
   * @param withSimilar false if similar names are of no use. That search is slow: pass 5,000 names at most
   */
  async resolve(
    reader: Reader,
    names: readonly string[],
    { withSimilar = true } = {},
  ): Promise<Resolution[]> {
    const filter = await this.rowFilters.of(reader);
    const readings = await inTurns(names, (name) => readingsOf(name, this.environment.everydayNames));
    const wanted = new Map<string, WantedName>();
    await inTurns(readings, (reading) => {
      for (const { name, keys, meanings, namesakes = [], isPart } of allReadings(reading)) {
        for (const key of namesakes) wanted.set(key, wanted.get(key) ?? { key, written: null });
        for (const key of keys) {
          const written = meanings || isPart || !withSimilar ? null : name;
          wanted.set(key, { key, written: wanted.get(key)?.written ?? written });
        }
      }
    });
    const found = await this.find(filter, [...wanted.values()]);
    return inTurns(names, (name, index) =>
      resolutionOf(name, readings[index]!, (key) => found.get(key) ?? []),
    );
  }

  /** Returns all ingredients that have a name with the key, for each key that some have. */
  async findByKeys(reader: Reader, keys: readonly string[]): Promise<ReadonlyMap<string, FoundIngredient[]>> {
    const names = keys.map((key) => ({ key, written: null }));
    return this.find(await this.rowFilters.of(reader), names, { all: true });
  }

  private async find(filter: RowFilter, names: readonly WantedName[], options?: { all: boolean }) {
    const found = new Map<string, FoundIngredient[]>();
    for (const batch of batches(names, KEYS_TOGETHER)) {
      const ingredients = await this.ingredients.find(filter, batch, options);
      batch.forEach(({ key }, index) => {
        if (ingredients[index]!.length > 0) found.set(key, ingredients[index]!);
      });
    }
    return found;
  }
}

/** Similar names are searched for the entire name only. */
const allReadings = ({ whole, parts }: NameReadings) => [
  ...whole.map((reading) => ({ ...reading, isPart: false })),
  ...parts.flat().map((reading) => ({ ...reading, isPart: true })),
];
