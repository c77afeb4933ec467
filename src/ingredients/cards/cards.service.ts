import { Injectable } from '@nestjs/common';
import { batches } from '../../files/import-report';
import { readAllRows } from '../../files/read-import-file';
import { RowFilter, RowFilterService } from '../../platform/access/row-filter';
import type { CurrentUser } from '../../platform/common/current-user';
import { ConflictError, InvalidInputError, NotFoundError } from '../../platform/common/errors/service-error';
import { inTurns } from '../../platform/common/in-turns';
import type { ReceivedFile } from '../../platform/http/accepts-file';
import { requireMatch, type Slice } from '../../platform/http/envelope';
import { ConcurrencyLimiter } from '../../platform/request-limits/concurrency-limiter';
import { text } from '../../platform/texts/text';
import { INGREDIENT_CHANGED, IngredientsService } from '../ingredients.service';
import { placesByIngredient } from '../raw-materials/import-rows';
import { MAX_EXPORTED_ROWS } from '../raw-materials/raw-material.dto';
import { RawMaterialsService } from '../raw-materials/raw-materials.service';
import type { FieldFault } from '../raw-materials/substance-rules';
import {
  type CardDto,
  type DocumentsQuery,
  type ExportedCardsDto,
  type ImportCardsQuery,
  type ImportedCardsDto,
  type ListedDocumentDto,
  MAX_ENTRIES,
  type ShownCardDto,
} from './card.dto';
import { type CardRow, cardWithRows, contradictions, faultsOfRows } from './card-rows';
import { type Card, cardFaults, cardOf, listWithTooMany, mergedCard } from './card-rules';
import { CARDS_FILE } from './cards-file.words';
import { CardsRepository } from './cards.repository';

/** The field that an event of a changed card names. */
const CHANGED = ['card'];
/** Cards that an import reads and writes in one statement: the largest are 800 KB together. */
const CARDS_AT_ONCE = 20;

@Injectable()
export class CardsService {
  constructor(
    private readonly cards: CardsRepository,
    private readonly ingredients: IngredientsService,
    private readonly rawMaterials: RawMaterialsService,
    private readonly rowFilters: RowFilterService,
    private readonly limiter: ConcurrencyLimiter,
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
    reject(cardFaults(given));
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

  /**
   * All cards that the user may see, a row for each price and each document.
   * @throws ConflictError where there are too many
   */
  async exportRows(user: CurrentUser): Promise<ExportedCardsDto> {
    const rows = await this.cards.listRows(await this.rowFilters.of(user), MAX_EXPORTED_ROWS + 1);
    if (rows.length <= MAX_EXPORTED_ROWS) return { rows };
    throw new ConflictError(text('composition.too-many-rows', { max: MAX_EXPORTED_ROWS }));
  }

  /**
   * Adds what the rows of a file say to the cards of the ingredients that they name: to all of them, or none.
   * @throws InvalidInputError that names the lines, ForbiddenError
   */
  async importFile(
    user: CurrentUser,
    file: ReceivedFile | undefined,
    { dryRun, ...options }: ImportCardsQuery,
  ): Promise<ImportedCardsDto> {
    const limited = { ...options, maxRows: MAX_EXPORTED_ROWS };
    const { rows, notes, nameOf } = await readAllRows(file, CARDS_FILE, limited);
    // The supplier of a price decides between raw materials of one name, if it is that of one of them.
    const references = rows.map((row) => ({ ...row, supplier: row.supplier?.name }));
    const applied = dryRun === 'false';
    return this.limiter.run('write', async () => {
      const candidates = await this.rawMaterials.candidatesOf(user, references, { otherSuppliers: true });
      const { placesOf, faults } = placesByIngredient(rows, candidates, nameOf);
      reject(faults);
      const ids = [...placesOf.keys()];
      const rowsOf = (id: string) => placesOf.get(id)!.map((at) => rows[at]!);
      const fill = async () => {
        for (const part of batches(ids, CARDS_AT_ONCE)) {
          const filled = await this.filledCards(part, rowsOf);
          if (applied) await this.cards.replace(filled);
        }
      };
      if (applied) await this.ingredients.updateRelated(user, ids, CHANGED, fill);
      else {
        await this.ingredients.requireRelatedUpdate(user, ids);
        await fill();
      }
      return { applied, ingredients: ids.length, notes };
    });
  }

  /** Cards with the rows of a file. */
  private async filledCards(ids: string[], rowsOf: (id: string) => CardRow[]): Promise<Map<string, Card>> {
    const faults: FieldFault[] = [];
    const present = await this.cards.find(RowFilter.EVERYTHING, ids);
    const filled = await inTurns(present, ({ ingredientId, ...card }): [string, Card] => {
      const rows = rowsOf(ingredientId);
      const result = cardWithRows(card, rows);
      faults.push(...contradictions(rows), ...faultsOfRows(result, rows));
      return [ingredientId, result];
    });
    reject(faults);
    return new Map(filled);
  }
}

function reject(faults: FieldFault[]): void {
  if (faults.length > 0) throw InvalidInputError.of(faults);
}
