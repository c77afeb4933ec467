import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type Reader, RowFilterService } from '../../platform/access/row-filter';
import { Environment } from '../../platform/config/environment';
import {
  type FoundIngredient,
  IngredientLookupRepository,
  type WantedName,
} from './ingredient-lookup.repository';
import { type NameReadings, readingsOf } from './name-readings';
import { type Resolution, resolutionOf } from './resolution';

/** Names of one statement. Others get their turn between two. */
const NAMES_TOGETHER = 200;

/**
 * Finds the ingredients that names mean. Requests, files, pasted texts and presets all ask here, so that a name means
 * the same everywhere.
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
   * @param withSimilar false if similar names are of no use
   */
  async resolve(
    reader: Reader,
    names: readonly string[],
    { withSimilar = true } = {},
  ): Promise<Resolution[]> {
    const resolutions: Resolution[] = [];
    for (let at = 0; at < names.length; at += NAMES_TOGETHER) {
      if (at > 0) await setImmediate();
      resolutions.push(
        ...(await this.resolveSome(reader, names.slice(at, at + NAMES_TOGETHER), withSimilar)),
      );
    }
    return resolutions;
  }

  /** Returns the ingredients that have a name with the key, for each key that some have. */
  async findByKeys(reader: Reader, keys: readonly string[]): Promise<ReadonlyMap<string, FoundIngredient[]>> {
    const filter = await this.rowFilters.of(reader);
    const found = new Map<string, FoundIngredient[]>();
    for (let at = 0; at < keys.length; at += NAMES_TOGETHER) {
      if (at > 0) await setImmediate();
      const some = keys.slice(at, at + NAMES_TOGETHER);
      const ingredients = await this.ingredients.find(
        filter,
        some.map((key) => ({ key, written: null })),
      );
      some.forEach((key, index) => {
        if (ingredients[index]!.length > 0) found.set(key, ingredients[index]!);
      });
    }
    return found;
  }

  private async resolveSome(
    reader: Reader,
    names: readonly string[],
    withSimilar: boolean,
  ): Promise<Resolution[]> {
    const filter = await this.rowFilters.of(reader);
    const readings = names.map((name) => readingsOf(name, this.environment.everydayNames));
    const wanted = new Map<string, WantedName>();
    for (const { name, keys, meanings, isPart } of readings.flatMap(allReadings)) {
      for (const key of keys) {
        const written = meanings || isPart || !withSimilar ? null : name;
        wanted.set(key, { key, written: wanted.get(key)?.written ?? written });
      }
    }
    const keys = [...wanted.keys()];
    const found = await this.ingredients.find(filter, [...wanted.values()]);
    const byKey = new Map(keys.map((key, index) => [key, found[index]!]));
    return names.map((name, index) => resolutionOf(name, readings[index]!, (key) => byKey.get(key) ?? []));
  }
}

/** Similar names are searched for the entire name only. */
const allReadings = ({ whole, parts }: NameReadings) => [
  ...whole.map((reading) => ({ ...reading, isPart: false })),
  ...parts.flat().map((reading) => ({ ...reading, isPart: true })),
];
