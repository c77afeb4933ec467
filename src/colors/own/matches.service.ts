import { Injectable } from '@nestjs/common';
import { ColorService } from '../color.service';
import type { CurrentUser } from '../../platform/common/current-user';
import { type FoldedMatch, foldMatches } from './fold-matches';
import { type MatchesDto, type NearestQuery, MOST_COMPARED, NEAR_DELTA_E } from './matches.dto';
import { MATCH_WORDS } from './matches.words';

type Match = FoldedMatch<Awaited<ReturnType<ColorService['match']>>[number]>;

/** How many of the nearest are looked at for duplicates, first and where that is not enough. */
const COMPARED = [64, MOST_COMPARED] as const;

@Injectable()
export class MatchesService {
  constructor(private readonly colors: ColorService) {}

  /** The nearest stored colours that the user may see, with notes on what they are worth. */
  async match(user: CurrentUser, query: NearestQuery): Promise<MatchesDto> {
    const words = MATCH_WORDS[query.lang];
    const { matches, isComplete } = await this.nearest(user, query);
    const [nearest] = matches;
    const isNear = nearest !== undefined && nearest.distance <= NEAR_DELTA_E;
    const notes = isComplete ? [] : [words.moreDuplicates(MOST_COMPARED)];
    if (!nearest) notes.push(words.none);
    else if (!isNear) notes.push(words.nothingNear(shownDistance(nearest.distance), NEAR_DELTA_E));
    return { matches, isNear, threshold: NEAR_DELTA_E, notes };
  }

  private async nearest(
    user: CurrentUser,
    { limit, unique, ...color }: NearestQuery,
  ): Promise<{ matches: Match[]; isComplete: boolean }> {
    if (unique === 'false') {
      const matches = await this.colors.match(user, color, limit);
      return { matches: matches.map((match) => ({ ...match, duplicates: [] })), isComplete: true };
    }
    let matches: Match[] = [];
    for (const compared of COMPARED) {
      const found = await this.colors.match(user, color, compared);
      const folded = foldMatches(found);
      matches = folded.slice(0, limit);
      if (found.length < compared || isBehind(found.at(-1)!, folded[limit - 1]))
        return { matches, isComplete: true };
    }
    return { matches, isComplete: false };
  }
}

/** Colours with the same target are equally near: behind the last match there is no duplicate of one before. */
const isBehind = (last: { distance: number }, lastMatch: { distance: number } | undefined): boolean =>
  lastMatch !== undefined && last.distance > lastMatch.distance;

/** Two decimals, rounded up so that a distance above the threshold is not shown as the threshold. */
const shownDistance = (distance: number): string => (Math.ceil(distance * 100) / 100).toFixed(2);
