import { Injectable } from '@nestjs/common';
import type { RowFilter } from '../../platform/access/row-filter';
import { DatabaseService } from '../../platform/database/database.service';
import type { PhaseDto } from '../formula.dto';
import {
  CREATE_FORMULAS,
  type ExportedVersions,
  ownersOf,
  ownNamed,
  pageOfVersions,
  REVISE_FORMULAS,
} from './formula-transfer.sql';

/** Position of the last version of a page. */
export interface VersionCursor {
  readonly id: string;
  readonly createdAt: string;
  readonly versionNumber: number;
}

/** A version of a formula. Both are JSON texts; the formula has no `versions`. */
export interface ExportedVersion extends VersionCursor {
  readonly formula: string;
  readonly version: string;
}

export interface VersionsQuery {
  readonly versions: ExportedVersions;
  readonly projectId?: string | null;
}

const BEGINNING: VersionCursor = {
  id: '00000000-0000-0000-0000-000000000000',
  createdAt: '-infinity',
  versionNumber: 0,
};

/** A version to write. A new formula may have an id that no formula has. A revision has no name. */
export interface WrittenVersion {
  readonly id?: string;
  readonly name?: string;
  readonly description?: string | null;
  readonly projectId?: string | null;
  /** Reason for the version. */
  readonly reason?: string | null;
  readonly phases: readonly PhaseDto[];
}

interface StoredVersion {
  /** Index in the list of written versions, from 0. */
  readonly position: number;
  readonly id: string;
  readonly versionNumber: number;
}

/** Statements for many formulas at once. */
@Injectable()
export class FormulaTransferRepository {
  constructor(private readonly database: DatabaseService) {}

  page(
    filter: RowFilter,
    { versions, projectId = null }: VersionsQuery,
    after: VersionCursor = BEGINNING,
    limit: number,
  ): Promise<ExportedVersion[]> {
    const readable = filter.for('formula', 'f', 6);
    const readableProject = filter.for('project', 'p', 6 + readable.values.length);
    return this.database.query<ExportedVersion>(
      {
        name: filter.named(`formulas.export.${versions}`),
        text: pageOfVersions(versions, readable, readableProject),
      },
      [
        after.createdAt,
        after.id,
        after.versionNumber,
        projectId,
        limit,
        ...readable.values,
        ...readableProject.values,
      ],
    );
  }

  /** Returns the creators of these formulas, by formula id, without formulas that do not exist. */
  async owners(filter: RowFilter, ids: readonly string[]): Promise<Map<string, string>> {
    const readable = filter.for('formula', 'f', 2);
    const found = await this.database.query<{ id: string; createdBy: string }>(
      { name: filter.named('formulas.owners-of-file'), text: ownersOf(readable) },
      [ids, ...readable.values],
    );
    return new Map(found.map(({ id, createdBy }) => [id, createdBy]));
  }

  /** Returns the formulas of a user that have one of these names. */
  ownNamed(filter: RowFilter, createdBy: string, names: readonly string[]) {
    const readable = filter.for('formula', 'f', 3);
    return this.database.query<{ id: string; name: string }>(
      { name: filter.named('formulas.own-named'), text: ownNamed(readable) },
      [names, createdBy, ...readable.values],
    );
  }

  /** @throws ConstraintViolation if an ingredient or a project does not exist */
  create(createdBy: string, versions: readonly WrittenVersion[]): Promise<StoredVersion[]> {
    return this.database.query<StoredVersion>(
      { name: 'formulas.create-many', text: CREATE_FORMULAS },
      valuesOf(createdBy, versions),
    );
  }

  /** @throws ConstraintViolation if an ingredient does not exist */
  revise(createdBy: string, versions: readonly WrittenVersion[]): Promise<StoredVersion[]> {
    return this.database.query<StoredVersion>(
      { name: 'formulas.revise-many', text: REVISE_FORMULAS },
      valuesOf(createdBy, versions),
    );
  }
}

function valuesOf(createdBy: string, versions: readonly WrittenVersion[]): unknown[] {
  const formulas = versions.map(({ id, name, description, projectId, reason }, position) => ({
    ...{ position, id, name, description, project_id: projectId, reason },
  }));
  const phases = versions.flatMap((version, formula) =>
    version.phases.map(({ name, sortOrder }, index) => ({
      ...{ formula, position: index + 1, name, sort_order: sortOrder },
    })),
  );
  const lines = versions.flatMap((version, formula) => {
    let position = 0;
    return version.phases.flatMap(({ ingredients }, index) =>
      ingredients.map(({ ingredientId, percentage, processNotes }) => ({
        ...{ formula, phase: index + 1, position: ++position, ingredient_id: ingredientId, percentage },
        process_notes: processNotes,
      })),
    );
  });
  return [createdBy, ...[formulas, phases, lines].map((rows) => JSON.stringify(rows))];
}
