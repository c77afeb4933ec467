import { Injectable } from '@nestjs/common';
import { RowFilterService } from '../../platform/access/row-filter';
import type { CurrentUser } from '../../platform/common/current-user';
import { ConflictError, NotFoundError } from '../../platform/common/errors/service-error';
import { text } from '../../platform/texts/text';
import { RawMaterialsService } from '../../ingredients/raw-materials/raw-materials.service';
import type { Substance } from '../../ingredients/raw-materials/substance';
import { inSlices } from '../../platform/common/steps';
import { type Composition, linesOf } from './composition';
import { type Expansion, expanding, MAX_CONTRIBUTIONS, tooManyContributions } from './expansion';
import { CompositionsRepository, type VersionReference } from './compositions.repository';

@Injectable()
export class CompositionsService {
  constructor(
    private readonly compositions: CompositionsRepository,
    private readonly rawMaterials: RawMaterialsService,
    private readonly rowFilters: RowFilterService,
  ) {}

  /**
   * These versions, in the order in which they are asked for.
   * @throws NotFoundError for a formula that the user may not read, and for a version that it does not have
   */
  async read<const References extends readonly VersionReference[]>(
    user: CurrentUser,
    references: References,
  ): Promise<{ [Each in keyof References]: Composition }> {
    const found = await this.compositions.find(await this.rowFilters.of(user), references);
    const compositions = references.map((_, index) => {
      const row = found.find(({ position }) => position === index + 1);
      if (!row) throw new NotFoundError(text('formula.not-found'));
      if (!row.composition) throw new NotFoundError(text('formula.version-not-found'));
      return row.composition;
    });
    return compositions as { [Each in keyof References]: Composition };
  }

  /**
   * The substances of a version, summed over its lines.
   * @throws ConflictError where there are too many
   */
  async expand(user: CurrentUser, composition: Composition): Promise<Expansion> {
    const ids = [...new Set(linesOf(composition).map(({ ingredientId }) => ingredientId))];
    const found = await this.rawMaterials.substancesOf(user, ids, MAX_CONTRIBUTIONS + 1);
    const byIngredient = new Map<string, Substance[]>();
    for (const { ingredientId, ...substance } of found) {
      const substances = byIngredient.get(ingredientId);
      if (substances) substances.push(substance);
      else byIngredient.set(ingredientId, [substance]);
    }
    if (found.length > MAX_CONTRIBUTIONS || tooManyContributions(composition, byIngredient)) {
      throw new ConflictError(text('formula.too-many-substances', { max: MAX_CONTRIBUTIONS }));
    }
    return inSlices(expanding(composition, byIngredient));
  }
}
