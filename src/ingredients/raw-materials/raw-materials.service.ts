import { Injectable } from '@nestjs/common';
import { RowFilterService } from '../../platform/access/row-filter';
import { ConcurrencyLimiter } from '../../platform/request-limits/concurrency-limiter';
import type { ReceivedFile } from '../../platform/http/accepts-file';
import type { CurrentUser } from '../../platform/common/current-user';
import { ConflictError, InvalidInputError, NotFoundError } from '../../platform/common/errors/service-error';
import { inTurns } from '../../platform/common/in-turns';
import { text } from '../../platform/texts/text';
import { readAllRows } from '../../files/read-import-file';
import { requireMatch } from '../../platform/http/envelope';
import { INGREDIENT_CHANGED, IngredientsService } from '../ingredients.service';
import { IngredientResolver } from '../names/ingredient-resolver';
import { suppliedOf } from '../names/resolution';
import { substanceFaults, substanceOf } from './substance-rules';
import { type FieldName, substancesOfRows } from './import-rows';
import {
  type CompositionState,
  type ExportedSubstancesDto,
  type ImportedCompositionsDto,
  MAX_EXPORTED_ROWS,
  type RawMaterialDto,
  type RowReference,
  type ShownRowDto,
  type ShownSubstanceDto,
  type SubstanceDto,
  type SubstanceRowDto,
} from './raw-material.dto';
import { SUBSTANCES_FILE } from './substances-file.words';
import { type ExportedSubstance, type RawMaterial, RawMaterialsRepository } from './raw-materials.repository';
import type { Substance } from './substance';
import { isBlendName } from './substance-names';

/** The field that an event of a changed composition names. */
const CHANGED = ['composition'];

@Injectable()
export class RawMaterialsService {
  constructor(
    private readonly rawMaterials: RawMaterialsRepository,
    private readonly ingredients: IngredientsService,
    private readonly resolver: IngredientResolver,
    private readonly rowFilters: RowFilterService,
    private readonly limiter: ConcurrencyLimiter,
  ) {}

  /** @throws NotFoundError where there is no ingredient that the user may see */
  async get(user: CurrentUser, id: string): Promise<RawMaterialDto> {
    const filter = await this.rowFilters.of(user);
    const found = await this.rawMaterials.find(filter, id);
    if (!found) throw new NotFoundError(text('ingredient.not-found'));
    return shownRawMaterial(found);
  }

  /**
   * Replaces the composition of an ingredient; no substances remove it.
   * @param ifMatch as the header `If-Match` has it: then only the composition that it names is replaced
   * @throws InvalidInputError, NotFoundError, ForbiddenError, PreconditionFailedError
   */
  async replace(
    user: CurrentUser,
    id: string,
    given: readonly SubstanceDto[],
    ifMatch?: string,
  ): Promise<RawMaterialDto> {
    const faults = substanceFaults(given);
    if (faults.length > 0) throw InvalidInputError.of(faults);
    const substances = new Map([[id, given.map(substanceOf)]]);
    await this.ingredients.updateRelated(user, [id], CHANGED, async () => {
      if (ifMatch !== undefined) requireMatch(ifMatch, await this.get(user, id), () => INGREDIENT_CHANGED);
      await this.rawMaterials.replace(substances);
    });
    return this.get(user, id);
  }

  /**
   * All compositions that the user may see, a row for each substance.
   * @throws ConflictError where there are too many
   */
  async exportRows(user: CurrentUser): Promise<ExportedSubstancesDto> {
    const filter = await this.rowFilters.of(user);
    const found = await this.rawMaterials.listAll(filter, MAX_EXPORTED_ROWS + 1);
    if (found.length <= MAX_EXPORTED_ROWS) return { rows: found.map(shownRow) };
    throw new ConflictError(text('composition.too-many-rows', { max: MAX_EXPORTED_ROWS }));
  }

  /**
   * Replaces the compositions of the ingredients that the rows name: all of them, or none.
   * @throws InvalidInputError that names the rows, ForbiddenError
   */
  async importRows(
    user: CurrentUser,
    rows: readonly SubstanceRowDto[],
    nameOf: FieldName = (index, field) => `rows.${index}.${field}`,
  ): Promise<ImportedCompositionsDto> {
    return this.limiter.run('write', async () => {
      const { substances, faults } = substancesOfRows(rows, await this.candidatesOf(user, rows), nameOf);
      if (faults.length > 0) throw InvalidInputError.of(faults);
      const ids = [...substances.keys()];
      await this.ingredients.updateRelated(user, ids, CHANGED, () => this.rawMaterials.replace(substances));
      return { ingredients: ids.length, substances: rows.length };
    });
  }

  /**
   * Returns for each row the ids of the ingredients that it may mean: one only if that is certain.
   * @param options.otherSuppliers a row means an ingredient of another supplier, too, if none has its own
   */
  async candidatesOf(
    user: CurrentUser,
    rows: readonly RowReference[],
    { otherSuppliers = false } = {},
  ): Promise<string[][]> {
    const filter = await this.rowFilters.of(user);
    const names = [...new Set(rows.flatMap((row) => (row.ingredientId ? [] : (row.ingredient ?? []))))];
    const resolutions = await this.resolver.resolve(filter, names, { withSimilar: false });
    const byName = new Map(resolutions.map((resolution) => [resolution.name, resolution]));
    const ids = rows.flatMap(({ ingredientId }) => ingredientId?.toLowerCase() ?? []);
    const visible = await this.ingredients.visibleOf(filter, [...new Set(ids)]);
    return inTurns(rows, ({ ingredientId, ingredient, supplier }) => {
      if (ingredientId) return [ingredientId.toLowerCase()].filter((id) => visible.has(id));
      const resolution = byName.get(ingredient ?? '');
      if (!resolution) return [];
      const supplied = suppliedOf(resolution, supplier || undefined);
      const isOther = otherSuppliers && supplied.ingredients.length === 0;
      const { ingredients, certain } = isOther ? suppliedOf(resolution, undefined) : supplied;
      const found = ingredients.map(({ id }) => id);
      // A single one that is not certain is as ambiguous as several.
      return certain || found.length !== 1 ? found : [...found, ...found];
    });
  }

  /**
   * The same with the rows of a file.
   * @throws InvalidInputError that names the lines, and for a file without rows; ForbiddenError
   */
  async importFile(user: CurrentUser, file: ReceivedFile): Promise<ImportedCompositionsDto> {
    const { rows, nameOf } = await readAllRows(file, SUBSTANCES_FILE, { maxRows: MAX_EXPORTED_ROWS });
    return this.importRows(user, rows, nameOf);
  }

  /** Returns up to `limit` substances of ingredients whose composition the user may see. */
  async substancesOf(user: CurrentUser, ids: readonly string[], limit: number) {
    return this.rawMaterials.substancesOf(await this.rowFilters.of(user), ids, limit);
  }
}

const shownRawMaterial = ({ ingredientId, inciName, strength, substances }: RawMaterial): RawMaterialDto => ({
  ingredientId,
  inciName,
  state: strength !== null && substances.length === 0 ? 'strength' : stateOf(inciName, substances.length > 0),
  substances: substances.map(shownSubstance),
});

function stateOf(inciName: string, isGiven: boolean): CompositionState {
  if (isGiven) return 'given';
  return isBlendName(inciName) ? 'unknown' : 'own-name';
}

function shownSubstance(substance: Substance): ShownSubstanceDto {
  const { minPercentage: min, maxPercentage: max, role, ...names } = substance;
  const share = min === max ? { percentage: max, range: null } : { percentage: null, range: { min, max } };
  return { ...names, ...share, role };
}

/** With the keys in the order of the columns. */
function shownRow({ minPercentage, maxPercentage, role, ...names }: ExportedSubstance): ShownRowDto {
  if (minPercentage !== maxPercentage)
    return { ...names, percentage: null, minPercentage, maxPercentage, role };
  return { ...names, percentage: maxPercentage, minPercentage: null, maxPercentage: null, role };
}
