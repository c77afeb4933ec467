import { Injectable } from '@nestjs/common';
import { AccessPolicy, requireAllowed } from '../platform/access/access-policy';
import {
  type ListCondition,
  type Reader,
  type RowFilter,
  RowFilterService,
} from '../platform/access/row-filter';
import type { CurrentUser } from '../platform/common/current-user';
import { writeIfMatched } from '../platform/http/envelope';
import type { JsonPage, JsonText } from '../platform/common/json-text';
import { SecurityLog } from '../platform/common/security-log';
import { toInsertValues, toUpdateValues } from '../platform/validation/field-metadata';
import { rejectIfReferenced } from '../platform/database/pg-errors';
import { TransactionManager } from '../platform/database/transaction-manager';
import { changedFields, EventPublisher } from '../platform/events/event-publisher';
import { WriteValidators } from '../platform/events/write-validators';
import { searchWords } from './formula-list.sql';
import type {
  CreateFormulaDto,
  FormulaDto,
  FormulaMetadataDto,
  FormulaQuery,
  FormulaVersionDto,
  ListedFormulaDto,
  RevisionDto,
  UpdateFormulaDto,
} from './formula.dto';
import { changedText, notFound, versionNotFound } from './formula-errors';
import { FormulaFields } from './formula.fields';
import { FormulaReferences } from './formula-references';
import { FormulasRepository } from './formulas.repository';
import { assertPercentageSum } from './percentage-sum';
import { TrashService } from './trash/trash.service';

export { FORMULA_NOT_FOUND } from './formula-errors';

/**
 * Formulas with their compositions are JSON text that the database builds. Callers inside the process
 * get the object with `parse()`.
 */
@Injectable()
export class FormulasService {
  constructor(
    private readonly formulas: FormulasRepository,
    private readonly policy: AccessPolicy,
    private readonly rowFilters: RowFilterService,
    private readonly security: SecurityLog,
    private readonly events: EventPublisher,
    private readonly validators: WriteValidators,
    private readonly transactions: TransactionManager,
    private readonly references: FormulaReferences,
    private readonly trash: TrashService,
  ) {}

  /**
   * A search is literal. It tolerates typing errors only if no readable formula contains the text.
   * @param condition condition of an extension: only formulas that satisfy it are listed and searched
   */
  async list(
    reader: Reader,
    query: FormulaQuery,
    condition?: ListCondition,
  ): Promise<JsonPage<ListedFormulaDto>> {
    const filter = await this.rowFilters.of(reader);
    const { search } = query;
    if (!search && !condition) return this.formulas.list(filter, query);
    const literally = { words: [], texts: search ? [search] : [], condition };
    const found = await this.formulas.search(filter, literally, query);
    if (!search || found.total > 0) return found;
    const { literal: texts, fuzzy } = searchWords(search);
    if (texts.length + fuzzy.length === 0) return found;
    const words = await this.formulas.similarWords(filter, fuzzy);
    return this.formulas.search(filter, { words, texts, condition }, query);
  }

  /** @throws NotFoundError if there is no such formula that the user can read */
  async get(reader: Reader, id: string): Promise<JsonText<FormulaDto>> {
    const filter = await this.rowFilters.of(reader);
    return (await this.formulas.read(filter, id)) ?? notFound();
  }

  /** @throws NotFoundError if the user cannot read the formula, or it has no such version */
  async getVersion(reader: Reader, id: string, versionNumber: number): Promise<JsonText<FormulaVersionDto>> {
    const filter = await this.rowFilters.of(reader);
    const version = await this.formulas.readVersion(filter, id, versionNumber);
    return version === undefined ? notFound() : (version ?? versionNotFound());
  }

  /**
   * @throws InvalidInputError if the sum is out of bounds, or a reference does not exist or is not
   *   readable; ForbiddenError
   */
  async create(user: CurrentUser, input: CreateFormulaDto): Promise<JsonText<FormulaDto>> {
    assertPercentageSum(input);
    await requireAllowed(this.policy.canCreate(user, 'formula'));
    await this.validators.require('formula.created', input);
    const filter = await this.rowFilters.of(user);
    const formula = toInsertValues(FormulaFields, input);
    await this.references.assertVisible(filter, input.phases, formula.projectId);
    try {
      return await this.events.transaction(async () => {
        const created = await this.formulas.create(filter, user.id, formula, input.phases);
        const { id, name, projectId = null, currentVersion } = created.parse();
        await this.events.publish('formula.created', id, { name, projectId, versionNumber: currentVersion });
        return created;
      });
    } catch (error) {
      throw await this.references.explained(error, filter, input.phases, formula.projectId);
    }
  }

  /**
   * @param ifMatch the header `If-Match`: the formula is changed only if its current state matches
   * @throws NotFoundError, ForbiddenError, PreconditionFailedError
   */
  async updateMetadata(
    user: CurrentUser,
    id: string,
    input: UpdateFormulaDto,
    ifMatch?: string,
  ): Promise<JsonText<FormulaMetadataDto>> {
    const filter = await this.assertCanChange(user, id);
    await this.validators.require('formula.updated', input, id);
    return this.writeIfMatched(filter, id, ifMatch, () => this.storeMetadata(filter, id, input));
  }

  /**
   * Adds a version with the next number.
   * @param ifMatch as for `updateMetadata`
   * @throws InvalidInputError if the sum is out of bounds or an ingredient does not exist,
   *   NotFoundError, ForbiddenError, PreconditionFailedError
   */
  async revise(
    user: CurrentUser,
    id: string,
    input: RevisionDto,
    ifMatch?: string,
  ): Promise<JsonText<FormulaDto>> {
    assertPercentageSum(input);
    const filter = await this.assertCanChange(user, id);
    await this.validators.require('formula.revised', input, id);
    return this.writeIfMatched(filter, id, ifMatch, () => this.addVersion(filter, user, id, input));
  }

  /**
   * Sets the reason of a version. null clears it, and without a description nothing changes. The
   * composition and the formula's date do not change.
   * @param ifMatch as for `updateMetadata`
   * @throws NotFoundError, ForbiddenError, PreconditionFailedError
   */
  async describeVersion(
    user: CurrentUser,
    id: string,
    versionNumber: number,
    input: Pick<RevisionDto, 'description'>,
    ifMatch?: string,
  ): Promise<JsonText<FormulaVersionDto>> {
    const filter = await this.assertCanChange(user, id);
    await this.validators.require('formula.version-described', input, id);
    const { description } = input;
    return this.writeIfMatched(filter, id, ifMatch, () =>
      description === undefined
        ? this.getVersion(filter, id, versionNumber)
        : this.storeVersionDescription(id, versionNumber, description),
    );
  }

  /**
   * @param ifMatch as for `updateMetadata`
   * @throws NotFoundError, ForbiddenError, PreconditionFailedError; ConflictError if a row of an
   *   extension refers to the formula
   */
  async delete(user: CurrentUser, id: string, ifMatch?: string): Promise<void> {
    const filter = await this.assertCanChange(user, id);
    await this.writeIfMatched(filter, id, ifMatch, () => this.remove(user, id));
    this.security.record('record.deleted', { kind: 'formula', id });
  }

  /**
   * Returns the user's row filter after checking that the user may read and change the formula.
   * @throws NotFoundError, ForbiddenError
   */
  async assertCanChange(user: CurrentUser, id: string): Promise<RowFilter> {
    const filter = await this.rowFilters.of(user);
    const createdBy = (await this.formulas.findOwner(filter, id)) ?? notFound();
    await requireAllowed(this.policy.canChange(user, { kind: 'formula', id, createdBy }));
    return filter;
  }

  /** Writes only if the formula's current state matches. The row is locked from the check to the end of the write. */
  private writeIfMatched<T>(
    filter: RowFilter,
    id: string,
    ifMatch: string | undefined,
    write: () => Promise<T>,
  ) {
    const current = async () => (await this.formulas.readLocked(filter, id)) ?? notFound();
    return writeIfMatched(this.transactions, ifMatch, { current, changed: changedText }, write);
  }

  private async storeMetadata(filter: RowFilter, id: string, input: UpdateFormulaDto) {
    const changes = toUpdateValues(FormulaFields, input);
    const updated = await this.events.transaction(async () => {
      const formula = await this.formulas.updateMetadata(filter, id, changes);
      if (formula) await this.events.publish('formula.updated', id, { changed: changedFields(changes) });
      return formula;
    });
    return updated ?? notFound();
  }

  private async addVersion(filter: RowFilter, user: CurrentUser, id: string, input: RevisionDto) {
    await this.references.assertVisible(filter, input.phases, null);
    try {
      const revised = await this.events.transaction(async () => {
        const formula = await this.formulas.revise(filter, id, user.id, input);
        const versionNumber = formula?.parse().currentVersion;
        if (versionNumber !== undefined) await this.events.publish('formula.revised', id, { versionNumber });
        return formula;
      });
      return revised ?? notFound();
    } catch (error) {
      throw await this.references.explained(error, filter, input.phases, null);
    }
  }

  private async storeVersionDescription(id: string, versionNumber: number, description: string | null) {
    const described = await this.events.transaction(async () => {
      const version = await this.formulas.describeVersion(id, versionNumber, description);
      if (version) await this.events.publish('formula.version-described', id, { versionNumber });
      return version;
    });
    return described ?? versionNotFound();
  }

  /** The copy in the trash is committed together with the deletion. */
  private async remove(user: CurrentUser, id: string): Promise<void> {
    const isDeleted = await this.transactions.run(async () => {
      await this.trash.add(user, id);
      const deleted = await rejectIfReferenced(this.formulas.delete(id));
      if (deleted) await this.events.publish('formula.deleted', id, {});
      return deleted;
    });
    if (!isDeleted) notFound();
  }
}
