import { Injectable } from '@nestjs/common';
import { AccessPolicy, requireAllowed } from '../../platform/access/access-policy';
import { type Reader, RowFilterService } from '../../platform/access/row-filter';
import type { CurrentUser } from '../../platform/common/current-user';
import { currentLanguage } from '../../platform/texts/languages';
import { render } from '../../platform/texts/text';
import { busyDatabase, violates } from '../../platform/database/pg-errors';
import { EventPublisher } from '../../platform/events/event-publisher';
import { WriteValidators } from '../../platform/events/write-validators';
import type { FormulaDto, PhaseDto } from '../formula.dto';
import { INGREDIENT_REFERENCE, PROJECT_REFERENCE } from '../formulas.repository';
import { assertPercentageSum, percentageSumFault } from '../percentage-sum';
import {
  type ExportedVersion,
  FormulaTransferRepository,
  type VersionCursor,
  type VersionsQuery,
  type WrittenVersion,
} from './formula-transfer.repository';

export { EXPORTED_VERSIONS, type ExportedVersions } from './formula-transfer.sql';
export type { ExportedVersion, VersionsQuery };

/** Number of versions per page. Each may have a thousand lines. */
const PAGE_VERSIONS = 25;

/**
 * Number of versions per statement. PostgreSQL plans the statement for few lines and compares each
 * line with each version: 250 at a time take twice as long.
 */
const WRITTEN_TOGETHER = 25;

/** A formula in the contract's format, with the versions of an export. */
export type ExportedFormula = FormulaDto;

export type NewFormula = WrittenVersion & { readonly name: string };
export type NewVersion = WrittenVersion & { readonly id: string };

/** Reads and writes many formulas, for files. */
@Injectable()
export class FormulaTransferService {
  constructor(
    private readonly formulas: FormulaTransferRepository,
    private readonly policy: AccessPolicy,
    private readonly rowFilters: RowFilterService,
    private readonly events: EventPublisher,
    private readonly validators: WriteValidators,
  ) {}

  /**
   * Yields versions of all formulas that the user can read, in the order of the formulas' creation. A
   * page is one snapshot. A formula that exists during the entire export is read exactly once.
   */
  async *versions(reader: Reader, query: VersionsQuery): AsyncGenerator<readonly ExportedVersion[]> {
    const filter = await this.rowFilters.of(reader);
    let last: VersionCursor | undefined;
    for (;;) {
      const page = await this.formulas.page(filter, query, last, PAGE_VERSIONS);
      if (page.length > 0) yield page;
      last = page.at(-1);
      if (page.length < PAGE_VERSIONS) return;
    }
  }

  /** Returns the formulas that the user can read, each with true if the user may change it. */
  async changeable(user: CurrentUser, ids: readonly string[]): Promise<Map<string, boolean>> {
    const filter = await this.rowFilters.of(user);
    const found = new Map<string, boolean>();
    for (const [id, createdBy] of await this.formulas.owners(filter, ids)) {
      found.set(id, await this.policy.canChange(user, { kind: 'formula', id, createdBy }));
    }
    return found;
  }

  /** Returns the reason why these phases are not a complete formula, or undefined if they are. */
  faultOf(phases: readonly PhaseDto[]): string | undefined {
    const fault = percentageSumFault(phases);
    return fault && render(fault.message, currentLanguage());
  }

  /** Returns the objection of a validator to a new formula, or to a version of a stored or new one. */
  async objection(
    event: 'formula.created' | 'formula.revised',
    { id, reason, ...input }: WrittenVersion,
  ): Promise<string | undefined> {
    const asked =
      event === 'formula.created' ? { ...input, reason } : { phases: input.phases, description: reason };
    return this.validators.objection(event, asked, id);
  }

  /** Returns the user's own formulas that have one of these names. */
  async ownNamed(user: CurrentUser, names: readonly string[]): Promise<{ id: string; name: string }[]> {
    return this.formulas.ownNamed(await this.rowFilters.of(user), user.id, names);
  }

  /**
   * Creates formulas. Call it within a transaction, with references that the user can read.
   * @returns their ids in the same order
   * @throws InvalidInputError if a sum is out of bounds or a validator objects, ForbiddenError
   */
  async createAll(user: CurrentUser, formulas: readonly NewFormula[]): Promise<string[]> {
    await requireAllowed(this.policy.canCreate(user, 'formula'));
    for (const formula of formulas) {
      assertPercentageSum(formula);
      await this.validators.require('formula.created', formula);
    }
    const ids: string[] = [];
    for (const batch of batchesOf(formulas)) {
      const stored = await this.write(() => this.formulas.create(user.id, batch));
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
   * @throws InvalidInputError as for `createAll`
   */
  async reviseAll(user: CurrentUser, versions: readonly NewVersion[]): Promise<void> {
    for (const { id, reason, phases } of versions) {
      assertPercentageSum({ phases });
      await this.validators.require('formula.revised', { phases, description: reason }, id);
    }
    for (const batch of batchesOf(versions)) {
      const stored = await this.write(() => this.formulas.revise(user.id, batch));
      await this.events.publishAll(
        'formula.revised',
        stored.map(({ id, versionNumber }) => ({ recordId: id, data: { versionNumber } })),
      );
    }
  }

  /** If a reference was deleted after it was looked up, throws an error that makes the client repeat the request. */
  private async write<T>(statement: () => Promise<T>): Promise<T> {
    try {
      return await statement();
    } catch (error) {
      const isGone = violates(error, INGREDIENT_REFERENCE) || violates(error, PROJECT_REFERENCE);
      throw isGone ? busyDatabase(error) : error;
    }
  }
}

const batchesOf = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / WRITTEN_TOGETHER) }, (_, index) =>
    items.slice(index * WRITTEN_TOGETHER, (index + 1) * WRITTEN_TOGETHER),
  );
