import { Injectable } from '@nestjs/common';
import type { LimitMatches, WantedSubstance } from './limit-matches';

/** Tables of limits that were imported, and what they say of substances. */
@Injectable()
export class LimitsService {
  /**
   * The limits of substances.
   * @param query the region in small letters; `on` a day as `2026-12-31`; `edition` a name or an id
   * @throws NotFoundError where there is no edition of that name or id
   */
  matching(
    _query: { region: string; on: string; edition?: string },
    _substances: readonly WantedSubstance[],
  ): Promise<LimitMatches> {
    throw new Error('to be written');
  }
}
