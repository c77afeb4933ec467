import { Injectable } from '@nestjs/common';
import { defer, map, mergeMap, type Observable } from 'rxjs';
import { type AiResult, AiService } from '../ai/call/ai.service';
import { recommendColorants } from '../ai/capabilities/recommend-colorants/recommend-colorants';
import { InvalidInputError } from '../common/errors/service-error';
import { withDefaults } from '../common/validation/field-values';
import { violates } from '../database/pg-errors';
import { EventPublisher } from '../events/event-publisher';
import { WriteValidators } from '../events/write-validators';
import { ColorFormulaFields, DEFAULT_COLOR_NAME } from './color-formula.fields';
import { ColorFormulasRepository, LINKED_FORMULA } from './color-formulas.repository';
import {
  type ColorFormulaDto,
  type ColorMatchDto,
  type CreateColorFormulaDto,
  MATCH_FIELDS,
  type RecommendationDto,
} from './color.dto';
import { type Lab } from './difference';

/** How many neighbours a recommendation is based on. */
const RECOMMEND_NEIGHBOURS = 5;
/** What the recommendation learns of each. */
const NEIGHBOUR_FIELDS = ['name', 'targetLab', 'actualLab', 'colorantComposition', 'distance'] as const;

@Injectable()
export class ColorService {
  constructor(
    private readonly colors: ColorFormulasRepository,
    private readonly ai: AiService,
    private readonly events: EventPublisher,
    private readonly validators: WriteValidators,
  ) {}

  /** @throws InvalidInputError when the linked formula does not exist */
  async create(input: CreateColorFormulaDto, createdBy: string): Promise<ColorFormulaDto> {
    const name = input.name?.trim() ? input.name : DEFAULT_COLOR_NAME;
    await this.validators.require('color.created', input);
    try {
      return await this.events.publishing(
        'color.created',
        () => this.colors.create({ ...withDefaults(ColorFormulaFields, input), name, createdBy }),
        (created) => [{ recordId: created.id, data: { name } }],
      );
    } catch (error) {
      if (!violates(error, LINKED_FORMULA)) throw error;
      throw InvalidInputError.of([{ field: 'formulaId', message: '配方不存在' }]);
    }
  }

  /** Exactly the `limit` stored colours nearest by CIEDE2000, nearest first, ties by id. */
  async match(query: Lab, limit: number): Promise<ColorMatchDto[]> {
    const found = await this.colors.findRanked(await this.colors.nearestByCiede2000(query, limit));
    return found.map((color) => pick(color, [...MATCH_FIELDS, 'distance']));
  }

  /**
   * Colorants for a target, based on the stored colours nearest to it by Euclidean difference, and where they
   * came from.
   */
  recommend(target: Lab): Observable<AiResult<RecommendationDto>> {
    return defer(() => this.neighbours(target)).pipe(
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

  private async neighbours(target: Lab) {
    return this.colors.findRanked(await this.colors.nearest(target, RECOMMEND_NEIGHBOURS));
  }
}

function pick<T, Key extends keyof T>(record: T, keys: readonly Key[]): Pick<T, Key> {
  return Object.fromEntries(keys.map((key) => [key, record[key]])) as Pick<T, Key>;
}
