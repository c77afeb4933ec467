import { Injectable } from '@nestjs/common';
import { RowFilterService } from '../../../platform/access/row-filter';
import type { CurrentUser } from '../../../platform/common/current-user';
import { ConflictError, InvalidInputError } from '../../../platform/common/errors/service-error';
import type { Slice } from '../../../platform/http/envelope';
import type { PageQuery } from '../../../platform/common/pagination';
import { text } from '../../../platform/texts/text';
import { IngredientsService } from '../../ingredients.service';
import { CardsService } from '../../cards/cards.service';
import { RawMaterialsRepository } from '../../raw-materials/raw-materials.repository';
import { fieldWithTooMany, mergedNames } from '../other-names-rules';
import { MAX_NAMES } from '../other-names.dto';
import { OtherNamesRepository } from '../other-names.repository';
import type { DuplicateGroupDto, MergedIngredientDto } from './duplicates.dto';
import { DuplicatesRepository } from './duplicates.repository';

@Injectable()
export class DuplicatesService {
  constructor(
    private readonly duplicates: DuplicatesRepository,
    private readonly names: OtherNamesRepository,
    private readonly ingredients: IngredientsService,
    private readonly rawMaterials: RawMaterialsRepository,
    private readonly cards: CardsService,
    private readonly rowFilters: RowFilterService,
  ) {}

  /** Groups of ingredients that may be the same, of those that the user may see. */
  async list(user: CurrentUser, query: PageQuery): Promise<Slice<DuplicateGroupDto>> {
    return this.duplicates.list(await this.rowFilters.of(user), query);
  }

  /**
   * Makes one ingredient of two. The one that stays gets all lines and names of the other, also the lines of
   * formulas in the trash, its composition unless it has one, and what only the other card says.
   * @throws InvalidInputError, NotFoundError, ForbiddenError; ConflictError where it would have too many entries
   */
  async merge(user: CurrentUser, id: string, into: string): Promise<MergedIngredientDto> {
    const [merged, target] = [id.toLowerCase(), into.toLowerCase()];
    if (merged === target) {
      throw InvalidInputError.of([{ field: 'into', message: text('names.same-ingredient') }]);
    }
    const moved = await this.ingredients.merge(user, merged, target, async () => {
      await this.mergeNames(user, merged, target);
      await this.rawMaterials.move(merged, target);
      await this.cards.merge(merged, target);
      await this.duplicates.moveTrashedLines(merged, target);
    });
    return { id: merged, into: target, moved };
  }

  private async mergeNames(user: CurrentUser, id: string, into: string): Promise<void> {
    const filter = await this.rowFilters.of(user);
    const found = await this.names.find(filter, [id, into]);
    const merged = found.find((one) => one.id === id)!;
    const names = mergedNames(
      found.find((one) => one.id === into)!,
      merged,
    );
    const field = fieldWithTooMany(names);
    if (field) throw new ConflictError(text('ingredient.too-many-names', { field, max: MAX_NAMES }));
    await this.names.replace(into, names);
  }
}
