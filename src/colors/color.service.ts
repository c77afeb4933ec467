import { Injectable } from '@nestjs/common';
import { defer, map, mergeMap, type Observable } from 'rxjs';
import { AccessPolicy, requireAllowed } from '../platform/access/access-policy';
import { type Reader, type RowFilter, RowFilterService } from '../platform/access/row-filter';
import { type AiResult, AiService } from '../ai/pipeline/ai.service';
import { recommendColorants } from '../ai/capabilities/recommend-colorants/recommend-colorants';
import type { CurrentUser } from '../platform/common/current-user';
import { InvalidInputError, NotFoundError } from '../platform/common/errors/service-error';
import { type Slice, writeIfMatched } from '../platform/http/envelope';
import type { JsonText } from '../platform/common/json-text';
import { SecurityLog } from '../platform/common/security-log';
import { text } from '../platform/texts/text';
import { toInsertValues, toUpdateValues } from '../platform/validation/field-metadata';
import { rejectIfReferenced, violates } from '../platform/database/pg-errors';
import { TransactionManager } from '../platform/database/transaction-manager';
import { changedFields, EventPublisher } from '../platform/events/event-publisher';
import { WriteValidators } from '../platform/events/write-validators';
import { FormulasRepository } from '../formulas/formulas.repository';
import { ColorFormulaFields, DEFAULT_COLOR_NAME } from './color.fields';
import {
  ColorFormulasRepository,
  type ColorValues,
  LINKED_FORMULA,
  type RankedColor,
} from './color-formulas.repository';
import type {
  ColorFormulaDto,
  ColorFormulaQuery,
  ColorMatchDto,
  CreateColorFormulaDto,
  RecommendationDto,
  UpdateColorFormulaDto,
} from './color.dto';
import type { CieLab } from './difference';

/** Number of neighbours on which a recommendation is based. */
const RECOMMEND_NEIGHBOURS = 5;
/** Fields of each neighbour that are sent to the model. */
const NEIGHBOUR_FIELDS = ['name', 'targetLab', 'actualLab', 'colorantComposition', 'distance'] as const;

@Injectable()
export class ColorService {
  constructor(
    private readonly colors: ColorFormulasRepository,
    private readonly formulas: FormulasRepository,
    private readonly ai: AiService,
    private readonly policy: AccessPolicy,
    private readonly rowFilters: RowFilterService,
    private readonly events: EventPublisher,
    private readonly validators: WriteValidators,
    private readonly transactions: TransactionManager,
    private readonly security: SecurityLog,
  ) {}

  /**
   * @param id an id that no colour has; default: a new one
   * @throws ForbiddenError; InvalidInputError if the user cannot read the linked formula
   */
  async create(user: CurrentUser, input: CreateColorFormulaDto, id?: string): Promise<ColorFormulaDto> {
    await requireAllowed(this.policy.canCreate(user, 'color'));
    const filter = await this.rowFilters.of(user);
    await this.assertVisibleFormula(filter, input.formulaId);
    const name = nameOf(input);
    await this.validators.require('color.created', input);
    const color = { ...toInsertValues(ColorFormulaFields, input), name, createdBy: user.id };
    try {
      return await this.events.transaction(async () => {
        const created = await this.colors.create(color, id);
        await this.events.publish('color.created', created.id, { name });
        return created;
      });
    } catch (error) {
      throw violates(error, LINKED_FORMULA) ? unknownFormula() : error;
    }
  }

  /** Returns colours whose name contains a text, or of a linked formula, the newest first. */
  async list(reader: Reader, listing: ColorFormulaQuery): Promise<Slice<ColorFormulaDto>> {
    const filter = await this.rowFilters.of(reader);
    return this.colors.list(filter, listing);
  }

  /** @throws NotFoundError if there is no such colour that the user can read */
  async get(reader: Reader, id: string): Promise<ColorFormulaDto> {
    const filter = await this.rowFilters.of(reader);
    return (await this.colors.find(filter, id)) ?? notFound();
  }

  /**
   * @param ifMatch the header `If-Match`: the colour is changed only if its current state matches
   * @throws NotFoundError, ForbiddenError, PreconditionFailedError; InvalidInputError if the user
   *   cannot read the linked formula
   */
  async update(
    user: CurrentUser,
    id: string,
    input: UpdateColorFormulaDto,
    ifMatch?: string,
  ): Promise<ColorFormulaDto> {
    const filter = await this.assertCanChange(user, id);
    await this.assertVisibleFormula(filter, input.formulaId);
    await this.validators.require('color.updated', input, id);
    return this.writeIfMatched(filter, id, ifMatch, () => this.store(filter, id, input));
  }

  /**
   * @param ifMatch as for `update`
   * @throws NotFoundError, ForbiddenError, PreconditionFailedError; ConflictError if a row of an
   *   extension refers to the colour
   */
  async delete(user: CurrentUser, id: string, ifMatch?: string): Promise<void> {
    const filter = await this.assertCanChange(user, id);
    await this.writeIfMatched(filter, id, ifMatch, () => this.remove(id));
    this.security.record('record.deleted', { kind: 'color', id });
  }

  /** Returns exactly the `limit` stored colours nearest by CIEDE2000, nearest first, ties by id. */
  async match(reader: Reader, query: CieLab, limit: number): Promise<ColorMatchDto[]> {
    return (await this.matchAsJson(reader, query, limit)).parse();
  }

  /** Like `match`, but returns the JSON text of the response. */
  async matchAsJson(reader: Reader, query: CieLab, limit: number): Promise<JsonText<ColorMatchDto[]>> {
    const filter = await this.rowFilters.of(reader);
    return this.colors.matched(filter, await this.colors.nearestByCiede2000(filter, query, limit));
  }

  /** Like `match`, with all fields of the colours. */
  async nearest(reader: Reader, query: CieLab, limit: number): Promise<RankedColor[]> {
    const filter = await this.rowFilters.of(reader);
    return this.colors.findRanked(filter, await this.colors.nearestByCiede2000(filter, query, limit));
  }

  /**
   * Recommends colorants for a target, based on the stored colours nearest to it by Euclidean
   * difference. The result includes the source of the answer.
   */
  recommend(reader: Reader, target: CieLab): Observable<AiResult<RecommendationDto>> {
    return defer(() => this.neighbours(reader, target)).pipe(
      mergeMap((found) => {
        const neighbours = found.map((color) => pick(color, NEIGHBOUR_FIELDS));
        const matchedFormulas = found.map(({ id, name, distance }) => ({ id, name, deltaE: distance }));
        return this.ai.call(recommendColorants, { targetLab: target, neighbours }).pipe(
          map(({ answer: { recommendations }, source }) => ({
            answer: { recommendations, matchedFormulas },
            source,
          })),
        );
      }),
    );
  }

  /** Returns the user's row filter after checking that the user may read and change the colour. */
  private async assertCanChange(user: CurrentUser, id: string): Promise<RowFilter> {
    const filter = await this.rowFilters.of(user);
    const { createdBy } = (await this.colors.find(filter, id)) ?? notFound();
    await requireAllowed(this.policy.canChange(user, { kind: 'color', id, createdBy }));
    return filter;
  }

  /** The foreign key does not refuse formulas that exist but that the user cannot read. */
  private async assertVisibleFormula(filter: RowFilter, formulaId: string | null | undefined): Promise<void> {
    if (!formulaId || !filter.restricts('formula')) return;
    if (!(await this.formulas.findOwner(filter, formulaId))) throw unknownFormula();
  }

  /** Writes only if the colour's current state matches. The row is locked from the check to the end of the write. */
  private writeIfMatched<T>(
    filter: RowFilter,
    id: string,
    ifMatch: string | undefined,
    write: () => Promise<T>,
  ) {
    const current = async () => (await this.colors.findLocked(filter, id)) ?? notFound();
    return writeIfMatched(
      this.transactions,
      ifMatch,
      { current, changed: () => text('color.changed') },
      write,
    );
  }

  private async store(filter: RowFilter, id: string, input: UpdateColorFormulaDto): Promise<ColorFormulaDto> {
    const changes: UpdateColorFormulaDto = toUpdateValues(ColorFormulaFields, input);
    if (changes.name !== undefined) changes.name = nameOf(changes);
    const changed = changedFields(changes);
    if (changed.length === 0) return (await this.colors.find(filter, id)) ?? notFound();
    try {
      const updated = await this.events.transaction(async () => {
        const color = await this.colors.update(id, changes as ColorValues);
        if (color) await this.events.publish('color.updated', id, { changed });
        return color;
      });
      return updated ?? notFound();
    } catch (error) {
      throw violates(error, LINKED_FORMULA) ? unknownFormula() : error;
    }
  }

  private async remove(id: string): Promise<void> {
    const isDeleted = await this.events.transaction(async () => {
      const deleted = await rejectIfReferenced(this.colors.delete(id));
      if (deleted) await this.events.publish('color.deleted', id, {});
      return deleted;
    });
    if (!isDeleted) notFound();
  }

  private async neighbours(reader: Reader, target: CieLab) {
    const filter = await this.rowFilters.of(reader);
    return this.colors.findRanked(filter, await this.colors.nearest(filter, target, RECOMMEND_NEIGHBOURS));
  }
}

/** White space counts as no name. */
const nameOf = ({ name }: { name?: string | null }): string => (name?.trim() ? name : DEFAULT_COLOR_NAME);

function notFound(): never {
  throw new NotFoundError(text('color.not-found'));
}

export const unknownFormula = (): InvalidInputError =>
  InvalidInputError.of([{ field: 'formulaId', message: text('formula.not-found') }]);

function pick<T, Key extends keyof T>(record: T, keys: readonly Key[]): Pick<T, Key> {
  return Object.fromEntries(keys.map((key) => [key, record[key]])) as Pick<T, Key>;
}
