import { Injectable } from '@nestjs/common';
import { defer, map, mergeMap, type Observable } from 'rxjs';
import { AccessPolicy } from '../access/access-policy';
import { requireAllowed } from '../access/require-allowed';
import { type Reader, RowFilterService } from '../access/row-filter';
import { type AiResult, AiService } from '../ai/call/ai.service';
import { recommendColorants } from '../ai/capabilities/recommend-colorants/recommend-colorants';
import type { CurrentUser } from '../common/current-user';
import { InvalidInputError } from '../common/errors/service-error';
import type { JsonText } from '../common/json-text';
import { text } from '../common/texts/text';
import { toInsertValues } from '../common/validation/field-metadata';
import { violates } from '../database/pg-errors';
import { EventPublisher } from '../events/event-publisher';
import { WriteValidators } from '../events/write-validators';
import { ColorFormulaFields, DEFAULT_COLOR_NAME } from './color-formula.fields';
import { ColorFormulasRepository, LINKED_FORMULA } from './color-formulas.repository';
import {
  type ColorFormulaDto,
  type ColorMatchDto,
  type CreateColorFormulaDto,
  type RecommendationDto,
} from './color.dto';
import { type Lab } from './matching';

/** How many neighbours a recommendation is based on. */
const RECOMMEND_NEIGHBOURS = 5;
/** What the recommendation learns of each. */
const NEIGHBOUR_FIELDS = ['name', 'targetLab', 'actualLab', 'colorantComposition', 'distance'] as const;

@Injectable()
export class ColorService {
  constructor(
    private readonly colors: ColorFormulasRepository,
    private readonly ai: AiService,
    private readonly policy: AccessPolicy,
    private readonly rowFilters: RowFilterService,
    private readonly events: EventPublisher,
    private readonly validators: WriteValidators,
  ) {}

  /** @throws ForbiddenError; InvalidInputError when there is no linked formula that the user may see */
  async create(user: CurrentUser, input: CreateColorFormulaDto): Promise<ColorFormulaDto> {
    await requireAllowed(this.policy.canCreate(user, 'color'));
    const filter = await this.rowFilters.of(user);
    const { formulaId } = input;
    // No foreign key refuses what may not be read.
    if (formulaId && filter.restricts('formula') && !(await this.colors.formulaExists(filter, formulaId))) {
      throw unknownFormula();
    }
    const name = input.name?.trim() ? input.name : DEFAULT_COLOR_NAME;
    await this.validators.require('color.created', input);
    const color = { ...toInsertValues(ColorFormulaFields, input), name, createdBy: user.id };
    try {
      return await this.events.transaction(async () => {
        const created = await this.colors.create(color);
        await this.events.publish('color.created', created.id, { name });
        return created;
      });
    } catch (error) {
      throw violates(error, LINKED_FORMULA) ? unknownFormula() : error;
    }
  }

  /** Exactly the `limit` stored colours nearest by CIEDE2000, nearest first, ties by id. */
  async match(reader: Reader, query: Lab, limit: number): Promise<ColorMatchDto[]> {
    return (await this.matchAsJson(reader, query, limit)).parse();
  }

  /** The same as it is sent. */
  async matchAsJson(reader: Reader, query: Lab, limit: number): Promise<JsonText<ColorMatchDto[]>> {
    const filter = await this.rowFilters.of(reader);
    return this.colors.matched(filter, await this.colors.nearestByCiede2000(filter, query, limit));
  }

  /**
   * Colorants for a target, based on the stored colours nearest to it by Euclidean difference, and where they
   * came from.
   */
  recommend(reader: Reader, target: Lab): Observable<AiResult<RecommendationDto>> {
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

  private async neighbours(reader: Reader, target: Lab) {
    const filter = await this.rowFilters.of(reader);
    return this.colors.findRanked(filter, await this.colors.nearest(filter, target, RECOMMEND_NEIGHBOURS));
  }
}

const unknownFormula = () =>
  InvalidInputError.of([{ field: 'formulaId', message: text('formula.not-found') }]);

function pick<T, Key extends keyof T>(record: T, keys: readonly Key[]): Pick<T, Key> {
  return Object.fromEntries(keys.map((key) => [key, record[key]])) as Pick<T, Key>;
}
