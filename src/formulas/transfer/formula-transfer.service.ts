import { Injectable } from '@nestjs/common';
import { AccessPolicy } from '../../access/access-policy';
import { requireAllowed } from '../../access/require-allowed';
import { type Reader, RowFilterService } from '../../access/row-filter';
import type { CurrentUser } from '../../common/current-user';
import { wordsOfRequest } from '../../common/texts/request-words';
import { busyDatabase, violates } from '../../database/pg-errors';
import { EventPublisher } from '../../events/event-publisher';
import { WriteValidators } from '../../events/write-validators';
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

/** Versions of a page: each may have a thousand lines. */
const PAGE_VERSIONS = 25;

/**
 * Versions of one statement, which PostgreSQL plans for few lines: it compares each line with each version. 250 at a
 * time take twice as long.
 */
const WRITTEN_TOGETHER = 25;

/** A formula as the contract answers it, with the versions of an export. */
export type ExportedFormula = FormulaDto;

export type NewFormula = WrittenVersion & { readonly name: string };
export type NewVersion = WrittenVersion & { readonly id: string };

/** Formulas in great numbers, for files. */
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
   * Versions of all formulas that the reader may see, the formulas in the order of their creation. A page is as of
   * one moment. A formula that exists all the while is read exactly once.
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

  /** Of these formulas those that the user may see, each with whether the user may change it. */
  async changeable(user: CurrentUser, ids: readonly string[]): Promise<Map<string, boolean>> {
    const filter = await this.rowFilters.of(user);
    const found = new Map<string, boolean>();
    for (const [id, createdBy] of await this.formulas.owners(filter, ids)) {
      found.set(id, await this.policy.canChange(user, { kind: 'formula', id, createdBy }));
    }
    return found;
  }

  /** Why these phases are no complete formula; undefined where they are one. */
  faultOf(phases: readonly PhaseDto[]): string | undefined {
    const fault = percentageSumFault(phases);
    return fault && wordsOfRequest(fault.message);
  }

  /** What validators find wrong with a new formula, or with a version of one that is stored or new. */
  async objection(
    event: 'formula.created' | 'formula.revised',
    { id, reason, ...input }: WrittenVersion,
  ): Promise<string | undefined> {
    const asked =
      event === 'formula.created' ? { ...input, reason } : { phases: input.phases, description: reason };
    return this.validators.objection(event, asked, id);
  }

  /** The user's own formulas that have one of these names. */
  async ownNamed(user: CurrentUser, names: readonly string[]): Promise<{ id: string; name: string }[]> {
    return this.formulas.ownNamed(await this.rowFilters.of(user), user.id, names);
  }

  /**
   * Creates formulas. Call it within a transaction, with references that the user may read.
   * @returns their ids in the same order
   * @throws InvalidInputError when a sum is out of bounds or a validator objects, ForbiddenError
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
   * Adds a version to each of different formulas, which the user may change. Call it within a transaction, with
   * ingredients that the user may read.
   * @throws InvalidInputError as `createAll`
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

  /** A reference that was deleted after it was looked up: the client repeats the request. */
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
