import { Injectable } from '@nestjs/common';
import Big from 'big.js';
import { type Reader, type RowFilter, RowFilterService } from '../../platform/access/row-filter';
import { distinct, groupBy, sumOf } from '../../platform/common/collections';
import type { CurrentUser } from '../../platform/common/current-user';
import { NotFoundError } from '../../platform/common/errors/service-error';
import { inTurns } from '../../platform/common/in-turns';
import type { Slice } from '../../platform/http/envelope';
import { text } from '../../platform/texts/text';
import { IngredientsService } from '../../ingredients/ingredients.service';
import {
  isBlendName,
  saysNano,
  substanceKey,
  withoutNano,
} from '../../ingredients/raw-materials/substance-names';
import { isUnknownBlend, narrowedBounds } from '../composition/expansion';
import type { UsageQuery } from '../lists/lists.dto';
import type {
  ListedSubstanceDto,
  SubstanceFormulaDto,
  SubstanceFormulasQuery,
  SubstancesQuery,
  WhereUsedDto,
} from './substances.dto';
import { type Material, type Part, SubstancesRepository } from './substances.repository';

/** Longest key, in characters. No name has more. */
const MAX_KEY = 1000;

/** The substances of raw materials, and the formulas that contain them. */
@Injectable()
export class SubstancesService {
  constructor(
    private readonly substances: SubstancesRepository,
    private readonly ingredients: IngredientsService,
    private readonly rowFilters: RowFilterService,
  ) {}

  /** Substances of the raw materials that the user may read, those whose key equals or begins with the search first. */
  async search(
    user: CurrentUser,
    { search = '', ...query }: SubstancesQuery,
  ): Promise<Slice<ListedSubstanceDto>> {
    const filter = await this.rowFilters.of(user);
    const { rows: keys, total } = await this.substances.listKeys(filter, search, query);
    const parts = groupBy(await this.partsOf(filter, keys), ({ key }) => key);
    return { rows: keys.flatMap((key) => (parts.has(key) ? [shownSubstance(parts.get(key)!)] : [])), total };
  }

  /**
   * Formulas that contain a substance, the greatest share first.
   * @param name its key, or one of its INCI names
   * @throws NotFoundError where no raw material that the user may read contains it
   */
  async formulasOf(user: CurrentUser, name: string, query: SubstanceFormulasQuery) {
    const filter = await this.rowFilters.of(user);
    const parts = await this.partsOf(filter, keysOf(name));
    if (parts.length === 0) throw new NotFoundError(text('substance.not-found'));
    const materials = await materialsOf(parts);
    const formulas = await this.substances.listFormulas<SubstanceFormulaDto>(filter, materials, query);
    const unknown = await this.substances.countUnknown(filter, query.versions);
    return { formulas, substance: shownSubstance(parts), unknown };
  }

  /**
   * Formulas that contain an ingredient, or other raw materials that contain its substance.
   * @throws NotFoundError where there is no such ingredient that the user may read
   */
  async whereUsed(user: CurrentUser, id: string, query: UsageQuery) {
    const filter = await this.rowFilters.of(user);
    const { id: ingredientId, inciName } = await this.ingredients.get(filter, id);
    const parts = isBlendName(inciName) ? [] : await this.partsOf(filter, keysOf(inciName));
    const others = parts.filter((part) => part.ingredientId !== ingredientId);
    const isNano = saysNano(inciName);
    const itself: Material = {
      ingredientId,
      least: '100',
      most: '100',
      knownFrom: 'itself',
      roles: [],
      isNano,
    };
    const materials = [itself, ...(await materialsOf(others))];
    const formulas = await this.substances.listFormulas<WhereUsedDto>(filter, materials, query, true);
    return { formulas, unknown: await this.substances.countUnknown(filter, query.versions) };
  }

  /** Ids of the raw materials that contain a substance, as far as the reader may know. */
  async rawMaterialsWith(reader: Reader, name: string): Promise<string[]> {
    const parts = await this.partsOf(await this.rowFilters.of(reader), keysOf(name));
    return (await materialsOf(parts)).map(({ ingredientId }) => ingredientId);
  }

  private async partsOf(filter: RowFilter, keys: readonly string[]): Promise<Part[]> {
    const found = await this.substances.findParts(filter, keys);
    const blends = await inTurns(found, isUnknownBlend);
    return found.filter((_, index) => !blends[index]);
  }
}

/** The key of a name, unless it can be none. */
const keysOf = (name: string): string[] =>
  name.length > MAX_KEY || name.includes('\0') ? [] : [substanceKey(name)].filter(Boolean);

const isNanoPart = ({ role, inciName }: Part): boolean => role === 'nano' || saysNano(inciName);

function shownSubstance(parts: readonly Part[]): ListedSubstanceDto {
  return {
    key: parts[0]!.key,
    inciName: mostFrequent(parts.map(({ inciName }) => withoutNano(inciName)))!,
    chineseName: mostFrequent(parts.flatMap(({ chineseName }) => chineseName || [])) ?? null,
    casNumbers: distinct(parts.flatMap(({ casNumbers }) => casNumbers)).sort(),
    ecNumbers: distinct(parts.flatMap(({ ecNumbers }) => ecNumbers)).sort(),
    isNano: parts.some(isNanoPart),
    rawMaterials: new Set(parts.map(({ ingredientId }) => ingredientId)).size,
  };
}

/** Of several, the first by their letters. */
function mostFrequent(names: readonly string[]): string | undefined {
  const groups = [...groupBy(names, (name) => name).values()];
  const [most] = groups.sort((one, other) => other.length - one.length || (one[0]! < other[0]! ? -1 : 1));
  return most?.[0];
}

/** Sums the shares of a substance in each raw material. Leaves out raw materials that cannot contain any of it. */
async function materialsOf(parts: readonly Part[]): Promise<Material[]> {
  const materials = await inTurns(
    groupBy(parts, ({ ingredientId }) => ingredientId),
    ([ingredientId, ofMaterial]): Material => {
      const bounds = ofMaterial.map(({ min, max, least, most }) =>
        narrowedBounds({ min: new Big(min), max: new Big(max) }, { min: new Big(least), max: new Big(most) }),
      );
      return {
        ingredientId,
        least: sumOf(bounds.map(({ min }) => min)).toFixed(),
        most: sumOf(bounds.map(({ max }) => max)).toFixed(),
        knownFrom: ofMaterial[0]!.knownFrom,
        roles: distinct(ofMaterial.flatMap(({ role }) => role ?? [])),
        isNano: ofMaterial.some(isNanoPart),
      };
    },
  );
  return materials.filter(({ most }) => most !== '0');
}
