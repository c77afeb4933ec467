import { Injectable } from '@nestjs/common';
import { RowFilter, RowFilterService } from '../../platform/access/row-filter';
import type { CurrentUser } from '../../platform/common/current-user';
import { ConflictError, InvalidInputError, NotFoundError } from '../../platform/common/errors/service-error';
import { requireMatch, type Slice } from '../../platform/http/envelope';
import { text } from '../../platform/texts/text';
import { INGREDIENT_CHANGED, IngredientsService } from '../ingredients.service';
import {
  type CardDto,
  type DocumentsQuery,
  type ListedDocumentDto,
  MAX_ENTRIES,
  type ShownCardDto,
} from './card.dto';
import { cardFaults, cardOf, listWithTooMany, mergedCard } from './card-rules';
import { CardsRepository } from './cards.repository';

/** The field that an event of a changed card names. */
const CHANGED = ['card'];

@Injectable()
export class CardsService {
  constructor(
    private readonly cards: CardsRepository,
    private readonly ingredients: IngredientsService,
    private readonly rowFilters: RowFilterService,
  ) {}

  /** @throws NotFoundError where there is no ingredient that the user may see */
  async get(user: CurrentUser, id: string): Promise<ShownCardDto> {
    const [found] = await this.cards.find(await this.rowFilters.of(user), [id]);
    if (!found) throw new NotFoundError(text('ingredient.not-found'));
    return found;
  }

  /**
   * Replaces the card of an ingredient.
   * @param ifMatch as the header `If-Match` has it: then only the card that it names is replaced
   * @throws InvalidInputError, NotFoundError, ForbiddenError, PreconditionFailedError
   */
  async replace(user: CurrentUser, id: string, given: CardDto, ifMatch?: string): Promise<ShownCardDto> {
    const faults = cardFaults(given);
    if (faults.length > 0) throw InvalidInputError.of(faults);
    await this.ingredients.updateRelated(user, [id], CHANGED, async () => {
      if (ifMatch !== undefined) requireMatch(ifMatch, await this.get(user, id), () => INGREDIENT_CHANGED);
      await this.cards.replace(new Map([[id, cardOf(given)]]));
    });
    return this.get(user, id);
  }

  /** Documents that expire, of the ingredients that the user may see. */
  async listDocuments(user: CurrentUser, query: DocumentsQuery): Promise<Slice<ListedDocumentDto>> {
    return this.cards.listDocuments(await this.rowFilters.of(user), query);
  }

  /**
   * Gives the card of one ingredient to another, which keeps what its own says. Call it within a transaction.
   * @throws ConflictError where the card would have too many entries
   */
  async merge(id: string, into: string): Promise<void> {
    const found = await this.cards.find(RowFilter.EVERYTHING, [id, into]);
    const cardWith = (wanted: string) => found.find(({ ingredientId }) => ingredientId === wanted)!;
    const merged = mergedCard(cardWith(into), cardWith(id));
    const field = listWithTooMany(merged);
    if (field) throw new ConflictError(text('ingredient.too-many-names', { field, max: MAX_ENTRIES }));
    await this.cards.replace(new Map([[into, merged]]));
  }
}
