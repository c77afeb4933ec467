import { Injectable } from '@nestjs/common';
import { AccessPolicy, requireAllowed } from '../platform/access/access-policy';
import { type RowFilter, RowFilterService } from '../platform/access/row-filter';
import type { CurrentUser } from '../platform/common/current-user';
import { ConflictError, InvalidInputError } from '../platform/common/errors/service-error';
import { text } from '../platform/texts/text';
import { TransactionManager } from '../platform/database/transaction-manager';
import { EventPublisher } from '../platform/events/event-publisher';
import { WriteValidators } from '../platform/events/write-validators';
import { BulkWritesRepository, type FormulaRevision, type RevisedFormula } from './bulk-writes.repository';
import { FormulaReferences } from './formula-references';
import { assertPercentageSum } from './percentage-sum';

/** Writes several formulas, either all of them or none. */
@Injectable()
export class BulkWrites {
  constructor(
    private readonly formulas: BulkWritesRepository,
    private readonly policy: AccessPolicy,
    private readonly rowFilters: RowFilterService,
    private readonly events: EventPublisher,
    private readonly validators: WriteValidators,
    private readonly transactions: TransactionManager,
    private readonly references: FormulaReferences,
  ) {}

  /** See `FormulasService.reviseAll`. */
  async revise(user: CurrentUser, revisions: readonly FormulaRevision[]): Promise<RevisedFormula[]> {
    for (const { input } of revisions) assertPercentageSum(input);
    const ids = revisions.map(({ id }) => id);
    const filter = await this.assertCanChange(user, ids);
    for (const { id, input } of revisions) await this.validators.require('formula.revised', input, id);
    const phases = revisions.flatMap(({ input }) => input.phases);
    await this.references.assertVisible(filter, phases, null);
    try {
      return await this.transactions.run(async () => {
        await this.assertUnchanged(revisions);
        const revised = await this.formulas.revise(user.id, revisions);
        await this.events.publishAll(
          'formula.revised',
          revised.map(({ id, versionNumber }) => ({ recordId: id, data: { versionNumber } })),
        );
        return revised;
      });
    } catch (error) {
      throw await this.references.explained(error, filter, phases, null);
    }
  }

  /** See `FormulasService.moveAll`. */
  async move(user: CurrentUser, ids: readonly string[], projectId: string | null): Promise<string[]> {
    const filter = await this.assertCanChange(user, ids);
    for (const id of ids) await this.validators.require('formula.updated', { projectId }, id);
    await this.references.assertVisible(filter, [], projectId);
    try {
      return await this.transactions.run(async () => {
        await this.formulas.lock(ids);
        const moved = await this.formulas.move(ids, projectId);
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

  /** Locks the formulas. @throws ConflictError if one of them has another version or no longer exists */
  private async assertUnchanged(revisions: readonly FormulaRevision[]): Promise<void> {
    const locked = await this.formulas.lock(revisions.map(({ id }) => id));
    const current = new Map(locked.map(({ id, currentVersion }) => [id, currentVersion]));
    if (revisions.some(({ id, versionNumber }) => current.get(id.toLowerCase()) !== versionNumber)) {
      throw new ConflictError(text('formula.changed-meanwhile'));
    }
  }
}
