import { Injectable } from '@nestjs/common';
import { searchText } from '../platform/common/name-forms';
import { ColorService } from './color.service';
import type { CurrentUser } from '../platform/common/current-user';
import {
  type ColorMatchDto,
  type MatchesDto,
  type NearestQuery,
  MOST_COMPARED,
  NEAR_DELTA_E,
} from './color.dto';
import { defineTexts } from '../platform/texts/define-texts';

type Match = FoldedMatch<ColorMatchDto>;

/** How many of the nearest are looked at for duplicates, first and where that is not enough. */
const COMPARED = [64, MOST_COMPARED] as const;

const matchTexts = defineTexts({
  'match.none': ['没有可供匹配的颜色。', 'There is no colour to match.'],
  'match.nothing-near': [
    '没有接近的颜色：最近的颜色与所查颜色的 ΔE2000 为 {distance}，超过 {threshold}。',
    'Nothing is near: the nearest colour differs by ΔE2000 {distance}, which is more than {threshold}.',
  ],
  'match.more-duplicates': [
    '仅合并了最近的 {compared} 个颜色中的重复项，可能还有更多重复或其他接近的颜色。',
    'Only the nearest {compared} colours were compared: there may be more duplicates, and other colours that are near.',
  ],
});

@Injectable()
export class ColorMatchesService {
  constructor(private readonly colors: ColorService) {}

  /** The nearest stored colours that the user may see, with notes on what they are worth. */
  async match(user: CurrentUser, query: NearestQuery): Promise<MatchesDto> {
    const t = matchTexts.in(query.lang);
    const { matches, isComplete } = await this.nearest(user, query);
    const [nearest] = matches;
    const isNear = nearest !== undefined && nearest.distance <= NEAR_DELTA_E;
    const notes = isComplete ? [] : [t('match.more-duplicates', { compared: MOST_COMPARED })];
    if (!nearest) notes.push(t('match.none'));
    else if (!isNear)
      notes.push(
        t('match.nothing-near', { distance: shownDistance(nearest.distance), threshold: NEAR_DELTA_E }),
      );
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

/** The fields of a match that identify its colour. */
export type FoldableMatch = Pick<ColorMatchDto, 'id' | 'name' | 'targetLab' | 'colorantComposition'>;

/** A match, and the ids of the other colours that are the same. */
type FoldedMatch<Match> = Match & { readonly duplicates: string[] };

/**
 * Folds matches with the same target, name and colorants into the first of them. Ignores case, blanks, width and
 * normal form of names, the order of colorants with names, and the order of keys in the colorants.
 */
export function foldMatches<Match extends FoldableMatch>(matches: readonly Match[]): FoldedMatch<Match>[] {
  const folded = new Map<string, FoldedMatch<Match>>();
  for (const match of matches) {
    const key = foldingKey(match);
    const first = folded.get(key);
    if (first) first.duplicates.push(match.id);
    else folded.set(key, { ...match, duplicates: [] });
  }
  return [...folded.values()];
}

const foldingKey = ({ name, targetLab: { L, a, b }, colorantComposition }: FoldableMatch): string =>
  JSON.stringify([
    L,
    a,
    b,
    searchText(name).replaceAll(' ', ''),
    sorted(inOrderOfNames(colorantComposition)),
  ]);

/** Sorts a list of colorants by their names. Other JSON values stay: the order counts in `["CI 77491", 2.4]`. */
function inOrderOfNames(composition: unknown): unknown {
  if (!Array.isArray(composition) || !composition.every(isNamed)) return composition;
  const keys = composition.map((colorant) => JSON.stringify([colorant.name, sorted(colorant)]));
  return { colorants: keys.sort() };
}

const isNamed = (value: unknown): value is { name: string } =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';

/** Returns the JSON value with the keys of objects sorted. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [two]) => (one < two ? -1 : 1));
  // Pairs, because an object would put numeric keys first.
  return { pairs: entries.map(([key, inner]) => [key, sorted(inner)]) };
}
