import { Injectable } from '@nestjs/common';
import { AccessPolicy, requireAllowed } from '../../platform/access/access-policy';
import { type RowFilter, RowFilterService } from '../../platform/access/row-filter';
import { Clock } from '../../platform/common/clock';
import type { CurrentUser } from '../../platform/common/current-user';
import { ConflictError, NotFoundError } from '../../platform/common/errors/service-error';
import type { JsonText } from '../../platform/common/json-text';
import type { Slice } from '../../platform/http/envelope';
import type { PageQuery } from '../../platform/common/pagination';
import { SecurityLog } from '../../platform/common/security-log';
import { text } from '../../platform/texts/text';
import { Environment } from '../../platform/config/environment';
import { TransactionManager } from '../../platform/database/transaction-manager';
import { EventPublisher } from '../../platform/events/event-publisher';
import type { FormulaDto } from '../formula.dto';
import { notFound } from '../formula-errors';
import { FormulasRepository } from '../formulas.repository';
import { isAllowed, mayReadUsernames, namedIf } from '../../users/people/rights';
import type { TrashedFormulaDto } from './trash.dto';
import { type ListedTrash, type Trashed, TrashRepository } from './trash.repository';
import { HttpAdapterHost } from '@nestjs/core';
import { HourlyDeletion } from '../../platform/common/hourly-deletion';

const DAY_MS = 86_400_000;

/** Most missing ingredients in one answer. */
const MOST_NAMED = 10;

@Injectable()
export class TrashService {
  constructor(
    private readonly trash: TrashRepository,
    private readonly formulas: FormulasRepository,
    private readonly policy: AccessPolicy,
    private readonly rowFilters: RowFilterService,
    private readonly events: EventPublisher,
    private readonly transactions: TransactionManager,
    private readonly environment: Environment,
    private readonly security: SecurityLog,
    private readonly clock: Clock,
  ) {}

  /** Copies a formula into the trash before its deletion, in the same transaction, unless the trash is off. */
  async add(user: CurrentUser, id: string): Promise<void> {
    if (this.environment.trashDays === 0) return;
    await this.trash.copy(id, user.id, this.clock.now());
  }

  /** Returns the formulas that the user can restore, or may be able to, the latest first. */
  async list(user: CurrentUser, query: PageQuery): Promise<Slice<TrashedFormulaDto>> {
    const scope = await this.policy.changeScope(user, 'formula');
    if (scope === 'none') return { rows: [], total: 0 };
    const filter = await this.rowFilters.of(user);
    const createdBy = scope === 'own' ? user.id : undefined;
    const { rows, total } = await this.trash.list(filter, this.expiry(), createdBy, query);
    const mayReadNames = await mayReadUsernames(this.policy, user);
    const shown = rows.map((row) => this.shown(user, row, mayReadNames));
    return { rows: await Promise.all(shown), total };
  }

  /**
   * Restores a formula unchanged but for its `updatedAt`.
   * @throws NotFoundError, ForbiddenError; ConflictError naming missing ingredients or tables that refuse rows
   */
  async restore(user: CurrentUser, id: string): Promise<JsonText<FormulaDto>> {
    const filter = await this.rowFilters.of(user);
    return this.transactions.runLong(async () => {
      await this.findChangeable(user, filter, id);
      const missing = await this.trash.missingIngredients(id, MOST_NAMED + 1);
      if (missing.length > 0) throw missingIngredients(missing);
      await this.trash.writeRestoredFormula(id);
      const formula = (await this.formulas.read(filter, id)) ?? notFound();
      const { name, projectId = null, currentVersion } = formula.parse();
      await this.events.publish('formula.restored', id, { name, projectId, versionNumber: currentVersion });
      this.transactions.onCommit(() => this.security.record('ext.trash.restored', { id }));
      return formula;
    });
  }

  /**
   * Removes a formula permanently.
   * @throws NotFoundError, ForbiddenError
   */
  async remove(user: CurrentUser, id: string): Promise<void> {
    const filter = await this.rowFilters.of(user);
    await this.transactions.run(async () => {
      await this.findChangeable(user, filter, id);
      await this.trash.remove(id);
    });
    this.security.record('ext.trash.removed', { id });
  }

  /**
   * Removes expired formulas.
   * @returns the number of removed formulas, at most `most`
   */
  purge(most: number): Promise<number> {
    return this.trash.purge(this.expiry(), most);
  }

  /** Formulas deleted up to this time have expired. */
  private expiry(): number {
    return this.clock.now() - this.environment.trashDays * DAY_MS;
  }

  private async findChangeable(user: CurrentUser, filter: RowFilter, id: string): Promise<Trashed> {
    const trashed = await this.trash.findLocked(filter, id, this.expiry());
    if (!trashed) throw new NotFoundError(text('trash.not-found'));
    await requireAllowed(this.policy.canChange(user, { kind: 'formula', id, createdBy: trashed.createdBy }));
    return trashed;
  }

  private async shown(
    user: CurrentUser,
    { createdBy, deletedBy, ...row }: ListedTrash,
    mayReadNames: boolean,
  ): Promise<TrashedFormulaDto> {
    const canRestore = await isAllowed(() =>
      this.policy.canChange(user, { kind: 'formula', id: row.id, createdBy }),
    );
    const until = Date.parse(row.deletedAt) + this.environment.trashDays * DAY_MS;
    return {
      ...row,
      deletedBy: deletedBy && namedIf(mayReadNames, deletedBy),
      until: new Date(until).toISOString(),
      canRestore,
    };
  }
}

function missingIngredients(names: readonly string[]): ConflictError {
  const shown = names.slice(0, MOST_NAMED).join(', ') + (names.length > MOST_NAMED ? ' …' : '');
  return new ConflictError(text('trash.missing-ingredients', { names: shown }));
}

/** Formulas that one statement removes, each with up to a thousand versions. */
const FORMULAS_AT_ONCE = 10;

@Injectable()
export class TrashPurge extends HourlyDeletion {
  constructor(
    adapterHost: HttpAdapterHost,
    private readonly trash: TrashService,
  ) {
    super(adapterHost, 'formulas of the trash', FORMULAS_AT_ONCE);
  }

  protected isEnabled(): boolean {
    return true;
  }

  protected deleteStep(): Promise<number> {
    return this.trash.purge(FORMULAS_AT_ONCE);
  }
}
