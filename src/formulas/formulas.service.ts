import { Injectable } from '@nestjs/common';
import { AccessPolicy } from '../common/access/access-policy';
import type { CurrentUser } from '../common/access/current-user';
import { requireAllowed } from '../common/access/require-allowed';
import { requireMatch } from '../common/http/entity-tag';
import { type FieldFault, InvalidInputError, NotFoundError } from '../common/errors/service-error';
import type { JsonPage, JsonText } from '../common/json-text';
import { SecurityLog } from '../common/security-log';
import { text } from '../common/texts/text';
import { changesOf, withDefaults } from '../common/validation/field-values';
import { Database } from '../database/database';
import { violates } from '../database/pg-errors';
import type { ReadAccess, Reader } from '../database/read-access';
import { Readers } from '../database/readers';
import { unlessReferenced } from '../database/unless-referenced';
import { changedRecord } from '../events/changed-record';
import { EventPublisher } from '../events/event-publisher';
import { WriteValidators } from '../events/write-validators';
import { INGREDIENT_NOT_FOUND } from '../ingredients/ingredients.service';
import { PROJECT_NOT_FOUND } from '../projects/projects.service';
import type {
  CompositionDto,
  CreateFormulaDto,
  FormulaDto,
  FormulaMetadataDto,
  FormulaQuery,
  ListedFormulaDto,
  PhaseDto,
  RevisionDto,
  UpdateFormulaDto,
} from './formula.dto';
import { FormulaFields } from './formula.fields';
import { FormulasRepository, INGREDIENT_REFERENCE, PROJECT_REFERENCE } from './formulas.repository';
import { percentageSumFault } from './percentage-sum';
import { searchWords } from './search-words';

export const FORMULA_NOT_FOUND = text('formula.not-found');

/**
 * Formulas in detail are JSON text built by the database; `parse()` gives callers inside the process the
 * object.
 */
@Injectable()
export class FormulasService {
  constructor(
    private readonly formulas: FormulasRepository,
    private readonly policy: AccessPolicy,
    private readonly readers: Readers,
    private readonly security: SecurityLog,
    private readonly events: EventPublisher,
    private readonly validators: WriteValidators,
    private readonly database: Database,
  ) {}

  /**
   * A search is literal; only when nothing that the reader may see contains the text are typing errors
   * forgiven.
   */
  list(reader: Reader, query: FormulaQuery): Promise<JsonPage<ListedFormulaDto>> {
    return this.readers.reading(reader, (access) => this.listFor(access, query));
  }

  private async listFor(access: ReadAccess, query: FormulaQuery): Promise<JsonPage<ListedFormulaDto>> {
    if (!query.search) return this.formulas.list(access, query);
    const found = await this.formulas.listContaining(access, query.search, query);
    const words = searchWords(query.search);
    if (found.total > 0 || words.literal.length + words.fuzzy.length === 0) return found;
    return this.formulas.listSimilar(access, words, query);
  }

  /** @throws NotFoundError where there is none that the reader may see */
  get(reader: Reader, id: string): Promise<JsonText<FormulaDto>> {
    return this.readers.reading(
      reader,
      async (access) => (await this.formulas.read(access, id)) ?? notFound(),
    );
  }

  /**
   * @throws InvalidInputError when the sum is out of bounds, or a reference does not exist or may not be
   *   read; ForbiddenError
   */
  async create(user: CurrentUser, input: CreateFormulaDto): Promise<JsonText<FormulaDto>> {
    requirePercentageSum(input);
    await requireAllowed(this.policy.canCreate(user, 'formula'));
    await this.validators.require('formula.created', input);
    const access = await this.readers.of(user);
    const formula = withDefaults(FormulaFields, input);
    return this.namingUnknown(access, input.phases, formula.projectId, () =>
      this.events.publishing(
        'formula.created',
        () => this.formulas.create(access, user.id, formula, input.phases),
        (created) => {
          const { id, name, projectId, currentVersion } = created.parse();
          return [{ recordId: id, data: { name, projectId, versionNumber: currentVersion } }];
        },
      ),
    );
  }

  /**
   * @param ifMatch as the header `If-Match` has it: then only what it names is changed
   * @throws NotFoundError, ForbiddenError, PreconditionFailedError
   */
  async updateMetadata(
    user: CurrentUser,
    id: string,
    input: UpdateFormulaDto,
    ifMatch?: string,
  ): Promise<JsonText<FormulaMetadataDto>> {
    const access = await this.changeable(user, id);
    await this.validators.require('formula.updated', input, id);
    const changes = changesOf(FormulaFields, input);
    const updated = await this.ifMatching(ifMatch, access, id, () =>
      this.events.publishing(
        'formula.updated',
        () => this.formulas.updateMetadata(access, id, changes),
        (after) => changedRecord(id, changes, after !== undefined),
      ),
    );
    return updated ?? notFound();
  }

  /**
   * A new version with the next number.
   * @param ifMatch as of `updateMetadata`
   * @throws InvalidInputError when the sum is out of bounds or an ingredient does not exist, NotFoundError,
   *   ForbiddenError, PreconditionFailedError
   */
  async revise(
    user: CurrentUser,
    id: string,
    input: RevisionDto,
    ifMatch?: string,
  ): Promise<JsonText<FormulaDto>> {
    requirePercentageSum(input);
    const access = await this.changeable(user, id);
    await this.validators.require('formula.revised', input, id);
    const revise = () =>
      this.events.publishing(
        'formula.revised',
        () => this.formulas.revise(access, id, user.id, input),
        (after) => (after ? [{ recordId: id, data: { versionNumber: after.parse().currentVersion } }] : []),
      );
    const revised = await this.ifMatching(ifMatch, access, id, () =>
      this.namingUnknown(access, input.phases, null, revise),
    );
    return revised ?? notFound();
  }

  /**
   * @param ifMatch as of `updateMetadata`
   * @throws NotFoundError, ForbiddenError, PreconditionFailedError; ConflictError while a row of an extension
   *   refers to it
   */
  async delete(user: CurrentUser, id: string, ifMatch?: string): Promise<void> {
    const access = await this.changeable(user, id);
    const isDeleted = await this.ifMatching(ifMatch, access, id, () =>
      this.events.publishing(
        'formula.deleted',
        () => unlessReferenced(() => this.formulas.delete(id)),
        (deleted) => (deleted ? [{ recordId: id, data: {} }] : []),
      ),
    );
    if (!isDeleted) notFound();
    this.security.record('record.deleted', { kind: 'formula', id });
  }

  /** What the user may read, where that formula is in it and may be changed. */
  private async changeable(user: CurrentUser, id: string): Promise<ReadAccess> {
    const access = await this.readers.of(user);
    const createdBy = (await this.formulas.findOwner(access, id)) ?? notFound();
    await requireAllowed(this.policy.canChange(user, { kind: 'formula', id, createdBy }));
    return access;
  }

  /** Writes where nobody has changed the formula since it was read; it is locked from there to the end. */
  private ifMatching<T>(
    ifMatch: string | undefined,
    access: ReadAccess,
    id: string,
    write: () => Promise<T>,
  ): Promise<T> {
    if (ifMatch === undefined) return write();
    return this.database.transaction(async () => {
      const current = (await this.formulas.readLocked(access, id)) ?? notFound();
      requireMatch(ifMatch, current, changedText);
      return write();
    });
  }

  /**
   * Writes; when a foreign key refuses, the error names the references that do not exist. What may not be
   * read is looked for first: no foreign key refuses it. So is everything in a transaction of the caller's,
   * where nothing can be asked behind the refusal.
   */
  private async namingUnknown<T>(
    access: ReadAccess,
    phases: readonly PhaseDto[],
    projectId: string | null,
    write: () => Promise<T>,
  ): Promise<T> {
    const isHidden = access.restricts('ingredient') || (projectId && access.restricts('project'));
    if (isHidden || this.formulas.isInTransaction) {
      const faults = await this.unknownReferences(access, phases, projectId);
      if (faults.length > 0) throw InvalidInputError.of(faults);
    }
    try {
      return await write();
    } catch (error) {
      if (!violates(error, INGREDIENT_REFERENCE) && !violates(error, PROJECT_REFERENCE)) throw error;
      const faults = await this.unknownReferences(access, phases, projectId);
      throw faults.length > 0 ? InvalidInputError.of(faults) : error;
    }
  }

  private async unknownReferences(
    access: ReadAccess,
    phases: readonly PhaseDto[],
    projectId: string | null,
  ): Promise<FieldFault[]> {
    const faults: FieldFault[] = [];
    if (projectId && !(await this.formulas.projectExists(access, projectId))) {
      faults.push({ field: 'projectId', message: PROJECT_NOT_FOUND });
    }
    const references = phases.flatMap(({ ingredients }, phase) =>
      ingredients.map(({ ingredientId }, line) => ({
        id: ingredientId.toLowerCase(),
        field: `phases.${phase}.ingredients.${line}.ingredientId`,
      })),
    );
    const ids = [...new Set(references.map(({ id }) => id))];
    const existing = await this.formulas.existingIngredients(access, ids);
    const unknown = references.filter(({ id }) => !existing.has(id));
    return [...faults, ...unknown.map(({ field }) => ({ field, message: INGREDIENT_NOT_FOUND }))];
  }
}

function requirePercentageSum({ phases }: CompositionDto): void {
  const fault = percentageSumFault(phases);
  if (fault) throw InvalidInputError.of([fault]);
}

const changedText = (current: JsonText<FormulaDto>) =>
  text('formula.changed', { version: current.parse().currentVersion });

function notFound(): never {
  throw new NotFoundError(FORMULA_NOT_FOUND);
}
