import { Injectable } from '@nestjs/common';
import type { RowFilter } from '../platform/access/row-filter';
import { DatabaseService } from '../platform/database/database.service';
import { LOCK_FORMULAS, MOVE_FORMULAS, REVISE_FORMULAS } from './bulk-writes.sql';
import type { RevisionDto } from './formula.dto';
import { compositionValues } from './formulas.repository';

/** A revision of a formula, based on the version that its author has read. */
export interface FormulaRevision {
  readonly id: string;
  readonly versionNumber: number;
  readonly input: RevisionDto;
}

export interface RevisedFormula {
  readonly id: string;
  readonly versionNumber: number;
}

export interface LockedFormula {
  readonly id: string;
  readonly name: string;
  readonly currentVersion: number;
}

/** Writes several formulas with one statement per kind of write. */
@Injectable()
export class BulkWritesRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns the creators of these formulas, by formula id, without formulas that the user cannot read. */
  async findOwners(filter: RowFilter, ids: readonly string[]): Promise<Map<string, string>> {
    const readable = filter.for('formula', 'f', 2);
    const found = await this.database.query<{ id: string; createdBy: string }>(
      {
        name: filter.named('formulas.owners'),
        text: `SELECT f.id, f.created_by AS "createdBy" FROM formulas f WHERE f.id = ANY ($1::uuid[]) AND ${readable.sql}`,
      },
      [ids, ...readable.values],
    );
    return new Map(found.map(({ id, createdBy }) => [id, createdBy]));
  }

  /** Returns the formulas that exist, and locks them against changes and deletion until the transaction ends. */
  lock(ids: readonly string[]): Promise<LockedFormula[]> {
    return this.database.query<LockedFormula>({ name: 'formulas.lock-all', text: LOCK_FORMULAS }, [ids]);
  }

  /** Adds the next version to each formula. @throws ConstraintViolation `fk_formula_ingredients_ingredient` */
  revise(userId: string, revisions: readonly FormulaRevision[]): Promise<RevisedFormula[]> {
    const phases = revisions.flatMap(({ input }) => input.phases);
    return this.database.query<RevisedFormula>({ name: 'formulas.revise-all', text: REVISE_FORMULAS }, [
      userId,
      ...compositionValues(phases),
      revisions.flatMap(({ input }, index) => input.phases.map(() => index + 1)),
      revisions.map(({ id }) => id),
      revisions.map(({ input }) => input.description ?? null),
    ]);
  }

  /** Returns the ids of the formulas that were not in the project. @throws ConstraintViolation `fk_formulas_project` */
  async move(ids: readonly string[], projectId: string | null): Promise<string[]> {
    const moved = await this.database.query<{ id: string }>({ name: 'formulas.move', text: MOVE_FORMULAS }, [
      ids,
      projectId,
    ]);
    return moved.map(({ id }) => id);
  }
}
