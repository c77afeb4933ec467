import { Injectable } from '@nestjs/common';
import type { Slice } from '../../platform/http/envelope';
import { offsetOf, type PageQuery } from '../../platform/common/pagination';
import { DatabaseService } from '../../platform/database/database.service';
import { substanceKey } from '../../ingredients/raw-materials/substance-names';
import type { Limit } from '../limit';
import type { LimitDraft } from './limit-draft';
import type { ImportedEdition, LoadedEdition } from './limit-matches';
import {
  CHOOSE_EDITION,
  COUNT_EDITIONS,
  DELETE_EDITION,
  FIND_EDITION,
  INSERT_EDITION,
  INSERT_LIMITS,
  LIST_EDITIONS,
  LIST_LIMITS,
  MATCH_LIMITS,
  READ_EDITION,
} from './limit.sql';

/** Rows per statement: no statement may delay other requests noticeably. */
const BATCH_ROWS = 1000;

export type MatchedLimit = Limit & { readonly isUpcoming: boolean | null };

@Injectable()
export class LimitsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Call it within a transaction. */
  async insert(
    { name, id = null }: { name: string; id?: string | null },
    limits: readonly LimitDraft[],
    refusedCount: number,
  ): Promise<ImportedEdition> {
    const regions = [...new Set(limits.map(({ region }) => region))].sort();
    const [edition] = await this.database.query<ImportedEdition>(
      { name: 'limits.insert-edition', text: INSERT_EDITION },
      [name, regions, limits.length, refusedCount, id],
    );
    for (let start = 0; start < limits.length; start += BATCH_ROWS) {
      const rows = limits
        .slice(start, start + BATCH_ROWS)
        .map((limit, index) => ({ ...limit, position: start + index, keys: keysOf(limit) }));
      await this.database.query({ name: 'limits.insert', text: INSERT_LIMITS }, [
        edition!.id,
        JSON.stringify(rows),
      ]);
    }
    return edition!;
  }

  async listEditions(query: PageQuery): Promise<Slice<ImportedEdition>> {
    const rows = await this.database.query<ImportedEdition>(
      { name: 'limits.editions', text: LIST_EDITIONS },
      [query.limit, offsetOf(query)],
    );
    const [count] = await this.database.query<{ total: number }>({
      name: 'limits.count-editions',
      text: COUNT_EDITIONS,
    });
    return { rows, total: count!.total };
  }

  async findEdition(id: string): Promise<ImportedEdition | undefined> {
    const [edition] = await this.database.query<ImportedEdition>(
      { name: 'limits.edition', text: READ_EDITION },
      [id],
    );
    return edition;
  }

  async findByName(name: string): Promise<string | undefined> {
    const [edition] = await this.database.query<{ id: string }>(
      { name: 'limits.edition-by-name', text: FIND_EDITION },
      [name],
    );
    return edition?.id;
  }

  list(editionId: string, query: PageQuery): Promise<Limit[]> {
    return this.database.query<Limit>({ name: 'limits.list', text: LIST_LIMITS }, [
      editionId,
      query.limit,
      offsetOf(query),
    ]);
  }

  /** Returns true if the edition existed. */
  async deleteEdition(id: string): Promise<boolean> {
    const deleted = await this.database.query({ name: 'limits.delete-edition', text: DELETE_EDITION }, [id]);
    return deleted.length > 0;
  }

  /** @param nameOrId name or id of an edition; null for the one imported last with rows of the region */
  async chooseEdition(region: string, nameOrId: string | null): Promise<LoadedEdition | undefined> {
    const [edition] = await this.database.query<LoadedEdition>(
      { name: 'limits.choose-edition', text: CHOOSE_EDITION },
      [region, nameOrId],
    );
    return edition;
  }

  match(
    editionId: string,
    { region, on }: { region: string; on: string },
    keys: readonly string[],
  ): Promise<MatchedLimit[]> {
    return this.database.query<MatchedLimit>({ name: 'limits.match', text: MATCH_LIMITS }, [
      editionId,
      region,
      keys,
      on,
    ]);
  }
}

/** Returns the keys by which a limit is found. */
const keysOf = ({ inciNames, casNumbers }: LimitDraft): string[] => [
  ...new Set([...inciNames.map(substanceKey), ...casNumbers].filter((key) => key !== '')),
];
