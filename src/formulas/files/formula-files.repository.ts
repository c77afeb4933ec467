import { Injectable } from '@nestjs/common';
import type { Readable, RowFilter } from '../../platform/access/row-filter';
import { DatabaseService } from '../../platform/database/database.service';
import { profileOf } from '../profile/profiles.repository';
import { metadata, STORED_PHASES, versionColumns } from '../formula.sql';

/** The versions of each formula that an export contains. */
export const EXPORTED_VERSIONS = ['current', 'all'] as const;
export type ExportedVersions = (typeof EXPORTED_VERSIONS)[number];

/** Number of versions per page. Each may have a thousand lines. */
const PAGE_VERSIONS = 25;

const AFTER_LAST: Readonly<Record<ExportedVersions, string>> = {
  current: 'v.version_number = f.current_version AND (f.created_at, f.id) > ($1::timestamptz, $2::uuid)',
  all: '(f.created_at, f.id, v.version_number) > ($1::timestamptz, $2::uuid, $3::integer)',
};

/**
 * Returns the versions after a given one, ordered by the creation time of the formula, which never
 * changes. A page counts versions, because a formula can have any number of them. The condition of
 * the current versions uses $3 only so that both statements have the same parameters.
 *
 * $1 to $3 the end of the previous page; $4 the project, null for all; from $5 on parameters of the conditions.
 */
const pageOfVersions = (versions: ExportedVersions, filter: RowFilter, readable: Readable): string => `
  SELECT f.id, f.created_at::text AS "createdAt", v.version_number AS "versionNumber",
    (SELECT row_to_json(shown) FROM (
      SELECT ${metadata(readable)}, ${profileOf(filter, readable)} AS profile) shown)::text AS formula,
    (SELECT row_to_json(shown) FROM (SELECT ${versionColumns(STORED_PHASES)}) shown)::text AS version
  FROM (
    SELECT f.* FROM formulas f
    WHERE (f.created_at, f.id) >= ($1::timestamptz, $2::uuid) AND ($4::uuid IS NULL OR f.project_id = $4)
      AND ${readable('formula', 'f')}
    ORDER BY f.created_at, f.id LIMIT ${PAGE_VERSIONS + 1}
  ) f CROSS JOIN LATERAL (
    SELECT v.* FROM formula_versions v
    WHERE v.formula_id = f.id AND $3::integer IS NOT NULL AND ${AFTER_LAST[versions]}
    ORDER BY v.version_number LIMIT ${PAGE_VERSIONS}
  ) v
  ORDER BY f.created_at, f.id, v.version_number LIMIT ${PAGE_VERSIONS}`;

/** A version of a formula. Both are JSON texts; the formula has its profile and no `versions`. */
export interface ExportedVersion {
  readonly id: string;
  readonly createdAt: string;
  readonly versionNumber: number;
  readonly formula: string;
  readonly version: string;
}

export interface VersionsQuery {
  readonly versions: ExportedVersions;
  readonly projectId?: string | null;
}

@Injectable()
export class FormulaFilesRepository {
  constructor(private readonly database: DatabaseService) {}

  /**
   * Yields versions of all formulas that the user can read, in the order of the formulas' creation. A
   * page is one snapshot. A formula that exists during the entire export is read exactly once.
   */
  async *versions(
    filter: RowFilter,
    { versions, projectId = null }: VersionsQuery,
  ): AsyncGenerator<readonly ExportedVersion[]> {
    const name = `formulas.export.${versions}`;
    let end: unknown[] = ['-infinity', '00000000-0000-0000-0000-000000000000', 0];
    for (;;) {
      const page = await this.database.query<ExportedVersion>(
        ...filter.statement(name, [...end, projectId], (readable) =>
          pageOfVersions(versions, filter, readable),
        ),
      );
      const last = page.at(-1);
      if (last) yield page;
      if (!last || page.length < PAGE_VERSIONS) return;
      end = [last.createdAt, last.id, last.versionNumber];
    }
  }
}
