import { Injectable } from '@nestjs/common';
import type { RowFilter } from '../../platform/access/row-filter';
import type { Slice } from '../../platform/http/envelope';
import { offsetOf, type PageQuery } from '../../platform/common/pagination';
import { DatabaseService } from '../../platform/database/database.service';
import {
  COPY_FORMULA,
  COPY_VERSIONS,
  listTrash,
  LOCK_FORMULA,
  MISSING_INGREDIENTS,
  PURGE,
  readTrashed,
  REMOVE,
  RESTORE_COLORS,
  RESTORE_FORMULA,
  RESTORE_LINES,
  RESTORE_PHASES,
  RESTORE_VERSIONS,
} from './trash.sql';

export interface ListedTrash {
  readonly id: string;
  readonly name: string;
  readonly createdBy: string;
  readonly deletedAt: string;
  readonly deletedBy: { readonly id: string; readonly username: string | null } | null;
}

export interface Trashed {
  readonly id: string;
  readonly createdBy: string;
  /** Rows of custom fields by table. */
  readonly customFields: Readonly<Record<string, object>>;
}

/** Reads and writes deleted formulas. Times are in milliseconds. */
@Injectable()
export class TrashRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Copies a formula before its deletion. Call it within the transaction of the deletion. */
  async copy(id: string, deletedBy: string, deletedAt: number, customFields: object): Promise<void> {
    await this.database.query({ name: 'lab.trash.lock', text: LOCK_FORMULA }, [id]);
    await this.database.query({ name: 'lab.trash.copy', text: COPY_FORMULA }, [
      id,
      deletedBy,
      timestamp(deletedAt),
      JSON.stringify(customFields),
    ]);
    await this.database.query({ name: 'lab.trash.copy-versions', text: COPY_VERSIONS }, [id]);
  }

  /**
   * Returns formulas deleted after `since`, the latest first.
   * @param createdBy only formulas of this user; undefined for all
   */
  async list(
    filter: RowFilter,
    since: number,
    createdBy: string | undefined,
    query: PageQuery,
  ): Promise<Slice<ListedTrash>> {
    const readable = filter.for('formula', 'f', 5);
    const [found] = await this.database.query<Slice<ListedTrash>>(
      { name: filter.named('lab.trash.list'), text: listTrash(readable) },
      [timestamp(since), createdBy ?? null, query.limit, offsetOf(query), ...readable.values],
    );
    return found!;
  }

  /** Returns a formula deleted after `since`, locked until the transaction ends. */
  async findLocked(filter: RowFilter, id: string, since: number): Promise<Trashed | undefined> {
    const readable = filter.for('formula', 'f', 3);
    const [found] = await this.database.query<Trashed>(
      { name: filter.named('lab.trash.read'), text: readTrashed(readable) },
      [id, timestamp(since), ...readable.values],
    );
    return found;
  }

  /** Returns names of ingredients that its lines need and that no longer exist, at most `most`. */
  async missingIngredients(id: string, most: number): Promise<string[]> {
    const found = await this.database.query<{ name: string }>(
      { name: 'lab.trash.missing', text: MISSING_INGREDIENTS },
      [id, most],
    );
    return found.map(({ name }) => name);
  }

  /** Restores the formula with all versions, and removes it from the trash. Call it within a transaction. */
  async restore(id: string): Promise<void> {
    await this.database.query({ name: 'lab.trash.restore', text: RESTORE_FORMULA }, [id]);
    await this.database.query({ name: 'lab.trash.restore-versions', text: RESTORE_VERSIONS }, [id]);
    await this.database.query({ name: 'lab.trash.restore-phases', text: RESTORE_PHASES }, [id]);
    await this.database.query({ name: 'lab.trash.restore-lines', text: RESTORE_LINES }, [id]);
    await this.database.query({ name: 'lab.trash.restore-colors', text: RESTORE_COLORS }, [id]);
    await this.remove(id);
  }

  async remove(id: string): Promise<void> {
    await this.database.query({ name: 'lab.trash.remove', text: REMOVE }, [id]);
  }

  /** @returns the number of purged formulas, deleted up to `until`; also 0 while another instance purges */
  async purge(until: number, most: number): Promise<number> {
    const purged = await this.database.query({ name: 'lab.trash.purge', text: PURGE }, [
      timestamp(until),
      most,
    ]);
    return purged.length;
  }
}

const timestamp = (ms: number): string => new Date(ms).toISOString();
