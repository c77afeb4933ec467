import { Injectable } from '@nestjs/common';
import { RowFilterService } from '../../platform/access/row-filter';
import type { CurrentUser } from '../../platform/common/current-user';
import { InvalidInputError, NotFoundError } from '../../platform/common/errors/service-error';
import { text } from '../../platform/texts/text';
import { requireMatch } from '../../platform/http/envelope';
import { INGREDIENT_CHANGED, IngredientsService } from '../ingredients.service';
import {
  distinctNames,
  fieldWithTooMany,
  nameFaults,
  namesByField,
  type StoredName,
  storedNames,
} from './other-names-rules';
import {
  type AddedNamesDto,
  MAX_NAMES,
  type OtherNamesDto,
  type ShownOtherNamesDto,
} from './other-names.dto';
import { OtherNamesRepository } from './other-names.repository';

/** The field that an event of changed names lists. */
const CHANGED = ['names'];
const MOST = { max: MAX_NAMES };

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
  async replace(user: CurrentUser, id: string, given: OtherNamesDto, ifMatch?: string) {
    return this.write(user, id, given, ifMatch, (names) => this.names.replace(id, names));
  }

  /**
   * Adds names. Those that the ingredient has already stay as they are.
   * @param ifMatch as for `replace`
   * @throws what `replace` throws
   */
  async add(user: CurrentUser, id: string, given: AddedNamesDto, ifMatch?: string) {
    return this.write(user, id, given, ifMatch, async (names, present) => {
      if (names.length === 0) throw new InvalidInputError(text('names.none'));
      const field = fieldWithTooMany(distinctNames([...storedNames(present), ...names]));
      if (field) throw InvalidInputError.of([{ field, message: text('field.too-many-items', MOST) }]);
      await this.names.add([{ id, names }]);
    });
  }

  private async write(
    user: CurrentUser,
    id: string,
    given: AddedNamesDto,
    ifMatch: string | undefined,
    store: (names: readonly StoredName[], present: ShownOtherNamesDto) => Promise<void>,
  ): Promise<ShownOtherNamesDto> {
    const names = storedNames(given);
    const faults = nameFaults(names);
    if (faults.length > 0) throw InvalidInputError.of(faults);
    await this.ingredients.updateRelated(user, [id], CHANGED, async () => {
      const present = await this.get(user, id);
      if (ifMatch !== undefined) requireMatch(ifMatch, present, () => INGREDIENT_CHANGED);
      await store(names, present);
    });
    return this.get(user, id);
  }
}
