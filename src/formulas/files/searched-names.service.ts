import { Injectable } from '@nestjs/common';
import type { CurrentUser } from '../../platform/common/current-user';
import { MAX_RESOLVED } from '../../ingredients/names/resolve.dto';
import type { Resolution } from '../../ingredients/names/resolution';
import { IngredientResolver } from '../../ingredients/names/ingredient-resolver';

/** Most calls of the names search for one file. */
const MOST_CALLS = 25;

/** Most names of a file that are searched for. */
export const MOST_SEARCHED = MOST_CALLS * MAX_RESOLVED;

/** Searches for the names of a file as the endpoint that resolves names does. */
@Injectable()
export class SearchedNamesService {
  constructor(private readonly names: IngredientResolver) {}

  /** Returns the result for each different text. Texts beyond the first `MOST_SEARCHED` have none. */
  async find(user: CurrentUser, texts: readonly string[]): Promise<Map<string, Resolution>> {
    const found = new Map<string, Resolution>();
    const searched = [...new Set(texts)].slice(0, MOST_SEARCHED);
    for (let at = 0; at < searched.length; at += MAX_RESOLVED) {
      const resolutions = await this.names.resolve(user, searched.slice(at, at + MAX_RESOLVED));
      for (const resolution of resolutions) found.set(resolution.name, resolution);
    }
    return found;
  }
}
