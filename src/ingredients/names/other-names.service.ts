import { Injectable } from '@nestjs/common';
import { RowFilterService } from '../../platform/access/row-filter';
import type { CurrentUser } from '../../platform/common/current-user';
import { InvalidInputError, NotFoundError } from '../../platform/common/errors/service-error';
import { text } from '../../platform/texts/text';
import { requireMatch } from '../../platform/http/envelope';
import { INGREDIENT_CHANGED, IngredientsService } from '../ingredients.service';
import { nameFaults, namesByField, storedNames } from './other-names-rules';
import type { OtherNamesDto, ShownOtherNamesDto } from './other-names.dto';
import { OtherNamesRepository } from './other-names.repository';

/** The field that an event of changed names lists. */
const CHANGED = ['names'];

@Injectable()
export class OtherNamesService {
  constructor(
    private readonly names: OtherNamesRepository,
    private readonly ingredients: IngredientsService,
    private readonly rowFilters: RowFilterService,
  ) {}

  /** @throws NotFoundError where there is no ingredient that the user may see */
  async get(user: CurrentUser, id: string): Promise<ShownOtherNamesDto> {
    const [found] = await this.names.find(await this.rowFilters.of(user), [id]);
    if (!found) throw new NotFoundError(text('ingredient.not-found'));
    return { ingredientId: found.id, ...namesByField(found.names) };
  }

  /**
   * Replaces all names of an ingredient.
   * @param ifMatch as the header `If-Match` has it: then only the names that it names are replaced
   * @throws InvalidInputError, NotFoundError, ForbiddenError, PreconditionFailedError
   */
  async replace(
    user: CurrentUser,
    id: string,
    given: OtherNamesDto,
    ifMatch?: string,
  ): Promise<ShownOtherNamesDto> {
    const names = storedNames(given);
    const faults = nameFaults(names);
    if (faults.length > 0) throw InvalidInputError.of(faults);
    await this.ingredients.updateRelated(user, [id], CHANGED, async () => {
      if (ifMatch !== undefined) requireMatch(ifMatch, await this.get(user, id), () => INGREDIENT_CHANGED);
      await this.names.replace(id, names);
    });
    return this.get(user, id);
  }
}
