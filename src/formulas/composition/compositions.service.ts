import { Injectable } from '@nestjs/common';
import { type Reader, RowFilterService } from '../../platform/access/row-filter';
import type { CurrentUser } from '../../platform/common/current-user';
import { ConflictError, NotFoundError } from '../../platform/common/errors/service-error';
import { text } from '../../platform/texts/text';
import { RawMaterialsService } from '../../ingredients/raw-materials/raw-materials.service';
import { groupBy } from '../../platform/common/collections';
import { type Composition, linesOf } from './composition';
import { countContributions, type Expansion, expand, MAX_CONTRIBUTIONS } from './expansion';
import {
  type CandidateIngredient,
  type CandidateQuery,
  CompositionsRepository,
  type VersionReference,
} from './compositions.repository';

@Injectable()
export class CompositionsService {
  constructor(
    private readonly compositions: CompositionsRepository,
    private readonly rawMaterials: RawMaterialsService,
    private readonly rowFilters: RowFilterService,
  ) {}

  /**
   * Returns these versions in the given order.
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

  /** Returns the latest version, or undefined for a formula that the user may not read. */
  async find(reader: Reader, formulaId: string): Promise<Composition | undefined> {
    const [found] = await this.compositions.find(await this.rowFilters.of(reader), [{ formulaId }]);
    return found?.composition ?? undefined;
  }

  /** Ingredients that may come into a formula, of those that the user may read. */
  async findCandidates(user: CurrentUser, query: CandidateQuery): Promise<CandidateIngredient[]> {
    return this.compositions.findCandidates(await this.rowFilters.of(user), query);
  }

  /**
   * The substances of a version, summed over its lines.
   * @param max most contributions of its lines
   * @throws ConflictError if there are more
   */
  async expand(user: CurrentUser, composition: Composition, max = MAX_CONTRIBUTIONS): Promise<Expansion> {
    const ids = [...new Set(linesOf(composition).map(({ ingredientId }) => ingredientId))];
    const found = await this.rawMaterials.substancesOf(user, ids, max + 1);
    const byIngredient = groupBy(found, ({ ingredientId }) => ingredientId);
    if (found.length > max || countContributions(composition, byIngredient) > max) {
      throw new ConflictError(text('formula.too-many-substances', { max }));
    }
    return expand(composition, byIngredient);
  }
}
