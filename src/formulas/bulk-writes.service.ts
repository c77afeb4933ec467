import { Injectable } from '@nestjs/common';
import { AccessPolicy, requireAllowed } from '../platform/access/access-policy';
import { type RowFilter, RowFilterService } from '../platform/access/row-filter';
import type { CurrentUser } from '../platform/common/current-user';
import { ConflictError, InvalidInputError } from '../platform/common/errors/service-error';
import { text } from '../platform/texts/text';
import { busyDatabase, violates } from '../platform/database/pg-errors';
import { TransactionManager } from '../platform/database/transaction-manager';
import { EventPublisher } from '../platform/events/event-publisher';
import { WriteValidators } from '../platform/events/write-validators';
import { batches } from '../files/import-report';
import { BulkWritesRepository, type WrittenVersion } from './bulk-writes.repository';
import { FormulaReferences } from './formula-references';
import { FormulasRepository, INGREDIENT_REFERENCE, PROJECT_REFERENCE } from './formulas.repository';
import { assertPercentageSum } from './percentage-sum';

/**
 * Number of versions per statement. PostgreSQL plans the statement for few lines and compares each
 * line with each version: 250 at a time take twice as long.
 */
const WRITTEN_TOGETHER = 25;

export type NewFormula = WrittenVersion & { readonly name: string };
export type NewVersion = WrittenVersion & { readonly id: string };

/** A new version of a formula, based on the version that its author has read. */
export type Revision = NewVersion & { readonly versionNumber: number };

/** Writes several formulas, either all of them or none. */
@Injectable()
export class BulkWrites {
  constructor(
    private readonly bulk: BulkWritesRepository,
    private readonly formulas: FormulasRepository,
    private readonly policy: AccessPolicy,
    private readonly rowFilters: RowFilterService,
    private readonly events: EventPublisher,
    private readonly validators: WriteValidators,
    private readonly transactions: TransactionManager,
    private readonly references: FormulaReferences,
  ) {}

  /** Returns the formulas that the user can read, each with true if the user may change it. */
  async changeable(user: CurrentUser, ids: readonly string[]): Promise<Map<string, boolean>> {
    const filter = await this.rowFilters.of(user);
    const found = new Map<string, boolean>();
    for (const [id, createdBy] of await this.formulas.findOwners(filter, ids)) {
      found.set(id, await this.policy.canChange(user, { kind: 'formula', id, createdBy }));
    }
    return found;
  }

  /** Returns the user's own formulas that have one of these names. */
  async ownNamed(user: CurrentUser, names: readonly string[]): Promise<{ id: string; name: string }[]> {
    return this.bulk.ownNamed(await this.rowFilters.of(user), user.id, names);
  }

  /** Returns the objection of a validator to a new formula, or to a version of a stored or new one. */
  async objection(
    event: 'formula.created' | 'formula.revised',
    { id, reason, ...input }: WrittenVersion,
  ): Promise<string | undefined> {
    const written =
      event === 'formula.created' ? { ...input, reason } : { phases: input.phases, description: reason };
    return this.validators.objection(event, written, id);
  }

  /**
   * Creates formulas. Call it within a transaction, with references that the user can read.
   * @returns their ids in the same order
   * @throws InvalidInputError if a sum is out of bounds or a validator objects, ForbiddenError
   */
  async create(user: CurrentUser, formulas: readonly NewFormula[]): Promise<string[]> {
    await requireAllowed(this.policy.canCreate(user, 'formula'));
    for (const formula of formulas) {
      assertPercentageSum(formula);
      await this.validators.require('formula.created', formula);
    }
    const ids: string[] = [];
    for (const batch of batches(formulas, WRITTEN_TOGETHER)) {
      const stored = await repeatable(this.bulk.create(user.id, batch));
      ids.push(...stored.map(({ id }) => id));
      await this.events.publishAll(
        'formula.created',
        stored.map(({ id, position, versionNumber }) => {
          const { name, projectId = null } = batch[position]!;
          return { recordId: id, data: { name, projectId, versionNumber } };
        }),
      );
    }
    return ids;
  }

  /**
   * Adds a version to each of several different formulas, which the user may change. Call it within a
   * transaction, with ingredients that the user can read.
   * @throws InvalidInputError as for `create`
   */
  async addVersions(user: CurrentUser, versions: readonly NewVersion[]): Promise<void> {
    versions.forEach(assertPercentageSum);
    await this.validate(versions);
    await repeatable(this.writeVersions(user, versions));
  }

  /**
   * Revises several formulas in a transaction.
   * @param revisions one for each formula, with the version on which it is based
   * @throws InvalidInputError as for `create`, and if the user cannot read one of the formulas; ForbiddenError;
   *   ConflictError if one of them has another version
   */
  async revise(user: CurrentUser, revisions: readonly Revision[]): Promise<void> {
    revisions.forEach(assertPercentageSum);
    const ids = revisions.map(({ id }) => id);
    const filter = await this.assertCanChange(user, ids);
    await this.validate(revisions);
    const phases = revisions.flatMap((revision) => revision.phases);
    await this.references.assertVisible(filter, phases, null);
    try {
      await this.transactions.run(async () => {
        const current = await this.bulk.lock(ids);
        const isUnchanged = ({ id, versionNumber }: Revision) =>
          current.get(id.toLowerCase()) === versionNumber;
        if (!revisions.every(isUnchanged)) throw new ConflictError(text('formula.changed-meanwhile'));
        await this.writeVersions(user, revisions);
      });
    } catch (error) {
      throw await this.references.explained(error, filter, phases, null);
    }
  }

  /**
   * Moves formulas to a project, or out of their projects, in a transaction. Does not create versions.
   * @returns the ids of the formulas that were not in the project before
   * @throws InvalidInputError if the user cannot read the project or one of the formulas, ForbiddenError
   */
  async move(user: CurrentUser, ids: readonly string[], projectId: string | null): Promise<string[]> {
    const filter = await this.assertCanChange(user, ids);
    for (const id of ids) await this.validators.require('formula.updated', { projectId }, id);
    await this.references.assertVisible(filter, [], projectId);
    try {
      return await this.transactions.run(async () => {
        await this.bulk.lock(ids);
        const moved = await this.bulk.move(ids, projectId);
        const data = { changed: ['projectId'] };
        await this.events.publishAll(
          'formula.updated',
          moved.map((recordId) => ({ recordId, data })),
        );
        return moved;
      });
    } catch (error) {
      throw await this.references.explained(error, filter, [], projectId);
    }
  }

  private async validate(versions: readonly NewVersion[]): Promise<void> {
    for (const { id, reason, phases } of versions) {
      await this.validators.require('formula.revised', { phases, description: reason }, id);
    }
  }

  private async writeVersions(user: CurrentUser, versions: readonly NewVersion[]): Promise<void> {
    for (const batch of batches(versions, WRITTEN_TOGETHER)) {
      const stored = await this.bulk.revise(user.id, batch);
      await this.events.publishAll(
        'formula.revised',
        stored.map(({ id, versionNumber }) => ({ recordId: id, data: { versionNumber } })),
      );
    }
  }

  /** Returns the user's row filter after checking that the user may read and change the formulas. */
  private async assertCanChange(user: CurrentUser, ids: readonly string[]): Promise<RowFilter> {
    const filter = await this.rowFilters.of(user);
    const owners = await this.formulas.findOwners(filter, ids);
    const faults = ids.flatMap((id, index) =>
      owners.has(id.toLowerCase()) ? [] : [{ field: `ids.${index}`, message: text('formula.not-found') }],
    );
    if (faults.length > 0) throw InvalidInputError.of(faults);
    for (const [id, createdBy] of owners) {
      await requireAllowed(this.policy.canChange(user, { kind: 'formula', id, createdBy }));
    }
    return filter;
  }
}

/** If a reference was deleted after it was looked up, throws an error that makes the client repeat the request. */
const repeatable = <T>(write: Promise<T>): Promise<T> =>
  write.catch((error: unknown) => {
    const isGone = violates(error, INGREDIENT_REFERENCE) || violates(error, PROJECT_REFERENCE);
    throw isGone ? busyDatabase(error) : error;
  });
