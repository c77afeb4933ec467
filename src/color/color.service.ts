import { Injectable } from '@nestjs/common';
import { defer, map, mergeMap, type Observable } from 'rxjs';
import { type AiResult, AiService } from '../ai/call/ai.service';
import { recommendColorants } from '../ai/capabilities/recommend-colorants/recommend-colorants';
import { InvalidInputError } from '../common/errors/service-error';
import { violates } from '../database/pg-errors';
import { DEFAULT_COLOR_NAME, RECOMMEND_NEIGHBOURS } from './color-formula-limits';
import { type ColorFormula, ColorFormulasRepository, LINKED_FORMULA } from './color-formulas.repository';
import { type Lab } from './difference';
import { type ColorMatchDto, type RecommendationDto } from './dto/color.dto';
import { type CreateColorFormulaDto } from './dto/color-requests.dto';

@Injectable()
export class ColorService {
  constructor(
    private readonly colors: ColorFormulasRepository,
    private readonly ai: AiService,
  ) {}

  /** @throws InvalidInputError when the linked formula does not exist */
  async create(input: CreateColorFormulaDto, createdBy: string): Promise<ColorFormula> {
    try {
      return await this.colors.create({
        name: input.name?.trim() ? input.name : DEFAULT_COLOR_NAME,
        targetLab: input.targetLab,
        actualLab: input.actualLab ?? null,
        deltaE: input.deltaE ?? null,
        colorantComposition: input.colorantComposition ?? null,
        formulaId: input.formulaId ?? null,
        createdBy,
      });
    } catch (error) {
      if (!violates(error, LINKED_FORMULA)) throw error;
      throw InvalidInputError.of([{ field: 'formulaId', message: '配方不存在' }]);
    }
  }

  /** Exactly the `limit` stored colours nearest by CIEDE2000, nearest first, ties by id. */
  async match(query: Lab, limit: number): Promise<ColorMatchDto[]> {
    const ranked = await this.colors.nearestByCiede2000(query, limit);
    const distances = new Map(ranked.map(({ id, distance }) => [id, distance]));
    const found = await this.colors.findByIds(ranked.map(({ id }) => id));
    return found.map(({ id, name, targetLab, deltaE, colorantComposition }) => ({
      id,
      name,
      targetLab,
      deltaE,
      colorantComposition,
      distance: distances.get(id)!,
    }));
  }

  /**
   * Colorants for a target, based on the stored colours nearest to it by Euclidean difference, and where they
   * came from.
   */
  recommend(target: Lab): Observable<AiResult<RecommendationDto>> {
    return defer(() => this.neighbours(target)).pipe(
      mergeMap((neighbours) =>
        this.ai
          .call(recommendColorants, {
            targetLab: target,
            neighbours: neighbours.map(({ name, targetLab, actualLab, colorantComposition, distance }) => ({
              name,
              targetLab,
              actualLab,
              colorantComposition,
              distance,
            })),
          })
          .pipe(
            map(({ answer, source }) => ({
              answer: {
                recommendations: answer.recommendations,
                matchedFormulas: neighbours.map(({ id, name, distance }) => ({ id, name, deltaE: distance })),
              },
              source,
            })),
          ),
      ),
    );
  }

  private async neighbours(target: Lab): Promise<(ColorFormula & { distance: number })[]> {
    const nearest = await this.colors.nearest(target, RECOMMEND_NEIGHBOURS);
    const distances = new Map(nearest.map(({ id, distance }) => [id, distance]));
    const found = await this.colors.findByIds(nearest.map(({ id }) => id));
    return found.map((color) => ({ ...color, distance: distances.get(color.id)! }));
  }
}
