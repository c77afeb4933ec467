import { Injectable } from '@nestjs/common';
import type { Readable, RowFilter } from '../../platform/access/row-filter';
import { DatabaseService } from '../../platform/database/database.service';
import type { Profile } from './profile.fields';

/**
 * The profile of formula `f` as JSON, null if it has none. A formula that it is mixed with has its present name.
 * A reader who may not see that formula gets no name. One who may not see every formula gets none of a deleted one.
 */
export const profileOf = (filter: RowFilter, readable: Readable): string => `
  (SELECT jsonb_set(stored.profile, '{mixedWith,name}', coalesce(to_jsonb(coalesce(
      (SELECT f.name FROM formulas f
       WHERE f.id = (stored.profile #>> '{mixedWith,formulaId}')::uuid AND ${readable('formula', 'f')}),
      CASE WHEN ${!filter.restricts('formula')} OR stored.profile #>> '{mixedWith,formulaId}' IS NULL
        THEN stored.profile #>> '{mixedWith,name}' END)), 'null'))
   FROM formula_profiles stored WHERE stored.formula_id = f.id)`;

/** $1 the formula, $2 its profile. */
const WRITE = `
  INSERT INTO formula_profiles (formula_id, profile) VALUES ($1, $2)
  ON CONFLICT (formula_id) DO UPDATE SET profile = excluded.profile`;

@Injectable()
export class ProfilesRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns undefined for a formula that the user may not read, null for one without a profile. */
  async find(filter: RowFilter, formulaId: string): Promise<Profile | null | undefined> {
    const [found] = await this.database.query<{ profile: Profile | null }>(
      ...filter.statement(
        'formulas.profile',
        [formulaId],
        (readable) => `
          SELECT ${profileOf(filter, readable)} AS profile
          FROM formulas f WHERE f.id = $1 AND ${readable('formula', 'f')}`,
      ),
    );
    return found && found.profile;
  }

  /** Returns the profile with the name of the other formula as it was written, for the service's own work. */
  async stored(formulaId: string): Promise<Profile | undefined> {
    const [found] = await this.database.query<{ profile: Profile }>(
      { name: 'formulas.stored-profile', text: 'SELECT profile FROM formula_profiles WHERE formula_id = $1' },
      [formulaId],
    );
    return found?.profile;
  }

  async write(formulaId: string, profile: Profile): Promise<void> {
    await this.database.query({ name: 'formulas.write-profile', text: WRITE }, [
      formulaId,
      JSON.stringify(profile),
    ]);
  }
}
