import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/common/clock';
import type { CurrentUser } from '../platform/common/current-user';
import { ConflictError } from '../platform/common/errors/service-error';
import { text } from '../platform/texts/text';
import { CompositionsService } from '../formulas/composition/compositions.service';
import type { Expansion } from '../formulas/composition/expansion';
import { MAX_COMPARISONS, TooManyComparisons } from './screening/limit-scopes';
import type { Screening } from './screening/screening-model';
import { namedBlends } from './screening/subjects';
import { screen } from './screening/screen';
import { LimitsService } from './editions/limits.service';
import type { ScreeningDto, ScreeningQuery } from './screening.dto';
import { shownScreening } from './shown-screening';

@Injectable()
export class ScreeningService {
  constructor(
    private readonly compositions: CompositionsService,
    private readonly limits: LimitsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Compares a version with the loaded table of a region. Nothing is stored, and nothing prevents storing.
   * @throws NotFoundError, ConflictError where there is too much to compare
   */
  async screen(user: CurrentUser, formulaId: string, query: ScreeningQuery): Promise<ScreeningDto> {
    const { productType, purpose, edition, lang } = query;
    const region = query.region.trim().toLowerCase();
    const on = query.on ?? this.today();
    const [composition] = await this.compositions.read(user, [{ formulaId, version: query.version }]);
    const expansion = await this.compositions.expand(user, composition);
    await setImmediate();
    const found = await this.limits.matching({ region, on, edition }, wantedOf(expansion));
    // A table that was asked for by its name may hold nothing of the region.
    const hasData = found.edition !== null && found.edition.annexes.length > 0;
    const limits = hasData ? [...found.limits, ...found.upcoming] : null;
    const screening = compared(expansion, limits, { productType, on, purpose });
    await setImmediate();
    return shownScreening(screening, {
      composition,
      edition: found.edition,
      region,
      productType,
      purpose,
      on,
      lang,
    });
  }

  private today(): string {
    return new Date(this.clock.now()).toISOString().slice(0, 10);
  }
}

/** @throws ConflictError where the formula and the table need too many comparisons */
function compared(...given: Parameters<typeof screen>): Screening {
  try {
    return screen(...given);
  } catch (error) {
    if (!(error instanceof TooManyComparisons)) throw error;
    throw new ConflictError(text('screening.too-many-comparisons', { max: MAX_COMPARISONS }));
  }
}

/** Also the names of blends of unknown composition, which a table may list. */
const wantedOf = (expansion: Expansion) => [
  ...expansion.substances.map(({ key, casNumbers }) => ({ key, casNumbers })),
  ...namedBlends(expansion).map(({ key, casNumbers }) => ({ key, casNumbers })),
];
